"""The page about the agent, and the agent as a single file for download."""
