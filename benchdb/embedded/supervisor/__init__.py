"""Starts the services, watches them, restarts them and stops them. Used by `embedded` only."""
