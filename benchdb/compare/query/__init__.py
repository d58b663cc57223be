"""The query string of a comparison: parameters, selections, dimensions, and the runs that a selection names.

Used by `table`, `surface` and `trend`.
"""
