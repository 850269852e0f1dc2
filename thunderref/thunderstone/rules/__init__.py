"""The rules engine: pure functions from states and actions to states; no text, no input or output, no chance."""
