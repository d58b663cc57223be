"""Campaigns that agents announced, and the queue of plans for machines. Used by `machines`, `api` and `web`."""
