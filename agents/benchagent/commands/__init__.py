"""One module a command: `add_parser` declares it, `run` does it and returns the exit code."""
