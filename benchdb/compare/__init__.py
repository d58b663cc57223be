"""Comparisons of runs: tables, surfaces and trends, and the permalinks that freeze them.

Used by `exports`, `publications`, `machines` and above.
"""
