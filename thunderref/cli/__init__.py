"""The command line: the only code that prints, prompts, reads the environment or exits."""
