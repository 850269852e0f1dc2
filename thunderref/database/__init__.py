"""The card database: built from the files, read without them."""
