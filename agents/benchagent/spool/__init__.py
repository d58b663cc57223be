"""What the agent keeps on disk until the server has it: documents, campaigns, and the rounds of a run in progress."""
