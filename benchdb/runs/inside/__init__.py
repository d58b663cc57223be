"""The page of what happened inside a round: its series as small charts on one time axis, and their files."""
