"""The commands of Thorgal: The Board Game, with their views."""
