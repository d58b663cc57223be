"""The verdict card of tables."""
