"""``thunderref serve``: the answers of the commands as pages for a phone, from the laptop."""
