"""Many games of a set-up between bots: how long they are, how rich, and what wins."""
