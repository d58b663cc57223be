"""The storage of runs in the database: facets, summaries, archive, places of values in the raw output."""
