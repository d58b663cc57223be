"""The folder of an invented file system, beside the folder of those that come with the agent."""
