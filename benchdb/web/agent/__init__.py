"""The page about the agent, and the one file that people download."""
