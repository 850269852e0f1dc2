"""Explanations as values: terms, totals and traces, rendered in a language only at the edge."""
