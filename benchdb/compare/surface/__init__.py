"""Surfaces of record size and file size: selection → evaluate → content → present → page → views."""
