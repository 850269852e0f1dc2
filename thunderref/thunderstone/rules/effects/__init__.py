"""What the effects of cards do: operations carried out as tasks."""
