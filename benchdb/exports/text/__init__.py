"""Text of exports: clean text of users and tools, and the lines of CSV and TSV.

Used by `formats`, `printed` and `drawing`.
"""
