"""What several readers of output share: collecting results, grids, sections, prefixes, units of time.

Only the format folders import it.
"""
