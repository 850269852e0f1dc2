"""Spelling, word endings and languages: what every search and every sentence rests on."""
