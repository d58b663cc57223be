"""The comparability guard: everything besides the factor that differs between the runs of a table, by likely effect.

`differences` speaks of a whole table, `inside` of the runs that meet in one cell, `changes` of two runs of a series.
docs/guard.md says what is looked at, and when a difference is severe.
"""

from .differences import changes, differences, inside

__all__ = ["changes", "differences", "inside"]
