"""The only door through which results enter: documents of agents, raw files of people, raw output read again."""
