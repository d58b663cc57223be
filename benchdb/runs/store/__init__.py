"""The storage of runs in the database: facets, summaries, partitions, archive, places of values in the raw output."""
