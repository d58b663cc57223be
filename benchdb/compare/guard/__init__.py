"""The comparability guard: everything besides the factor that differs between the runs of a table, by likely effect.

`differences` is for a whole table, `mark_inside` for the runs in one cell. `changed` returns the positions of changes
in a series of runs, `changes` the changes themselves, `machine_changes` those of the machine.
docs/guard.md lists the compared facts, and explains when a difference is severe.
"""

from __future__ import annotations

from .differences import ChangedFact, changed, changes, differences, machine_changes, mark_inside

__all__ = ["ChangedFact", "changed", "changes", "differences", "machine_changes", "mark_inside"]
