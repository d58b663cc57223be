"""The answer of tables."""
