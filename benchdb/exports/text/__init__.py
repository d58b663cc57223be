"""Text of exports: clean text of users and tools, defused formulas, and the lines of CSV and TSV.

Used by `formats`, `printed` and `drawing`.
"""
