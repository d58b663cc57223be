"""Whether the agent measures what happens inside a run: each part prints a table for the docs. `make bench-inside`."""
