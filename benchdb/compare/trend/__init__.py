"""Trends over time or kernels: selection → evaluate → content → present → page → views."""
