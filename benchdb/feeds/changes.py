"""The changes of public runs in the order of their numbers, for programs that follow this server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from benchdb.replica.reading import reading
from benchdb.runs.models import RunChange, RunState, Visibility

AT_ONCE = 100


class Left(StrEnum):
    """How a run left the public lists."""

    WITHDRAWN = "withdrawn"
    HIDDEN = "hidden"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class ChangedRun:
    """The last change of a run, with what is public about its state now.

    `left` is None for a run in the lists. `reason` is that of a withdrawal. `reading` is the number of the current
    parse.
    """

    run_id: UUID
    number: int
    changed_at: datetime
    left: Left | None
    reason: str
    labels: Mapping[str, str]
    reading: int


def changes_after(number: int) -> tuple[list[ChangedRun], int]:
    """At most `AT_ONCE` changes with greater numbers, ascending, and the greatest number of all; three queries.

    Nothing is told about the state of a run that is not public, and of a withdrawn one only the reason.
    """
    greatest = _greatest()
    found = list(RunChange.objects.filter(number__gt=number).order_by("number")[:AT_ONCE])
    states = RunState.objects.in_bulk([change.run_id for change in found])
    return [_changed(change, states.get(change.run_id)) for change in found], greatest


def _greatest() -> int:
    """The greatest number that was ever given; the run that has it may have changed again and wait for another one."""
    with reading().cursor() as cursor:
        cursor.execute("SELECT last_value FROM runs_runchange_numbers WHERE is_called")
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def _changed(change: RunChange, state: RunState | None) -> ChangedRun:
    left, reason, labels, reading = _left(state), "", {}, 1
    if state is not None and left is Left.WITHDRAWN:
        reason = state.withdrawn_reason
    if state is not None and left is None:
        labels, reading = state.labels, state.current_parse
    return ChangedRun(change.run_id, change.number or 0, change.changed_at, left, reason, labels, reading)


def _left(state: RunState | None) -> Left | None:
    if state is None:
        return Left.DELETED
    if state.visibility != Visibility.PUBLIC:
        return Left.HIDDEN
    return None if state.withdrawn_at is None else Left.WITHDRAWN
