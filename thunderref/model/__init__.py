"""Records of the hand-edited files and of scenarios (pydantic): frozen, no unknown keys."""
