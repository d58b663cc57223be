"""Distributions of latencies: decoded from HdrHistogram's format, and their percentiles.

NumPy only. Used by `ingest`, which checks what is sent, and by pages, exports and comparisons.
"""
