"""What a value may be trusted for: verdicts on cache and clock, and how a test uses its file."""
