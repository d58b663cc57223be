"""Trust in values: verdicts on cache and clock, and the way a test uses its file."""
