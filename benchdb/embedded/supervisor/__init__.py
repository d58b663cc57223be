"""Starts, watches, restarts and stops services. For `embedded` only."""
