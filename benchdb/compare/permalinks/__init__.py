"""Permalinks: sharing, showing, revoking, and comparing what was frozen with current data."""
