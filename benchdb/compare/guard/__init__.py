"""The comparability guard: everything besides the factor that differs between the runs of a table, by likely effect.

`differences` speaks of a whole table, `mark_inside` of the runs that meet in one cell, `changed` says where a
series of runs changes, `changes` what, `machine_changes` what of the machine.
docs/guard.md says what is looked at, and when a difference is severe.
"""

from __future__ import annotations

from .differences import changed, changes, differences, machine_changes, mark_inside

__all__ = ["changed", "changes", "differences", "machine_changes", "mark_inside"]
