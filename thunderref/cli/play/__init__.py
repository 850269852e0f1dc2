"""``thunderref play``: a whole game in the terminal, with people, random players or both."""
