"""Output of `time` and of commands that were timed."""
