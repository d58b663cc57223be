"""Processes, signals, caches and files of the operating system, for every other package of the agent."""
