"""Runs of the same workload on other machines."""

from __future__ import annotations

from uuid import UUID

from benchdb.http.requests import Reader
from benchdb.runs.models import Run

MOST_RUNS = 12  # one on each other machine; a comparison of more is not readable
SEARCHED = 5000  # newest runs of the tool


def on_other_machines(run: Run, reader: Reader) -> list[UUID]:
    """The newest run of each other machine with this run's tool, command and parameters; one query.

    Only runs that lists show `reader`; those on the run's own file system first, then newest first.
    """
    newest = Run.objects.listed_for(reader).filter(tool=run.tool).exclude(machine=run.machine_id).order_by("-id")
    alike = Run.objects.filter(pk__in=newest.values("pk")[:SEARCHED], parameters=run.parameters)
    if not run.parameters:  # an imported run has only its command line
        alike = alike.filter(command=run.command)
    rows = alike.order_by("-id").values_list("id", "machine_id", "target__file_system")
    first: dict[tuple[int, bool], UUID] = {}
    for run_id, machine, file_system in rows:
        first.setdefault((machine, file_system == run.target.file_system), run_id)
    of_machine: dict[int, UUID] = {}
    for wanted in (True, False):
        for (machine, same_file_system), run_id in first.items():
            if same_file_system is wanted:
                of_machine.setdefault(machine, run_id)
    return list(of_machine.values())[:MOST_RUNS]
