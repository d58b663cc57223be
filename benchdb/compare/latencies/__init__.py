"""The distributions of latencies of cells that differ only in the factor, drawn over each other.

Used by the web addresses; tables only link to it.
"""
