"""The order of the rows of tables."""
