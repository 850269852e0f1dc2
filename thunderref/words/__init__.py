"""The words of one language: names, texts and messages with plurals."""
