"""The migrations of `compare` and one more, which adds a column to a table that every page reads."""
