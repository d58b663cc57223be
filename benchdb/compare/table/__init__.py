"""Comparison tables: selection → evaluate → content → present → page → views. The selection is that of `query`."""
