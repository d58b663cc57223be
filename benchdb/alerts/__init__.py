"""Watches of trends, and alerts about changes that a second measurement has confirmed. For `web` and `api`."""
