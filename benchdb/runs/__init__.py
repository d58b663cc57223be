"""Runs, results and summaries: the store, the list of runs and the pages of a run. Used by every app above it."""
