"""Verdicts between two cells, and the sentences that give their reasons. Used by `table`, `surface` and `trend`."""
