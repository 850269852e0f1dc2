"""The whole referee as a folder of static files, which runs in the browser without laptop, server or network."""
