"""The card database: built from the files with sqlite-utils, read with the standard library."""
