"""The comparability guard: everything besides the factor that differs between the runs of a table, by likely effect.

`differences` is for a whole table, `shared_facts` are the hardware and system that all of its runs have, and
`unlike_runs` is for the runs in one cell. `changed` returns the positions of changes in a series of runs, `changes` the
changes themselves, `machine_changes` those of the machine.
docs/guard.md lists the compared facts, and explains when a difference is severe.
"""

from __future__ import annotations

from .differences import changed, changes, differences, machine_changes, unlike_runs
from .mixed import shared_facts

__all__ = ["changed", "changes", "differences", "machine_changes", "shared_facts", "unlike_runs"]
