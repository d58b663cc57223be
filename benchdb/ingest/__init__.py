"""The only ways to store results: documents of agents, raw files of people, and raw output that is read again."""
