"""How runs lie in the database: facets, summaries, partitions, the archive, where each value is in the raw output."""
