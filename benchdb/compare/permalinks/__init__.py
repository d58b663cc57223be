"""Permalinks: sharing, showing, revoking, and comparing frozen figures with current data."""
