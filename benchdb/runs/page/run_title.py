"""The title of every page of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from benchagent.formats.vocabulary import is_size
from benchdb.facts.names import DIGEST, parameters_in_words
from benchdb.runs.models import Run, State
from benchdb.wording.times import known_time
from benchdb.wording.words import without_build

MOST_SETTINGS = 2  # of the workload in a title


@dataclass(frozen=True, slots=True)
class RunTitle:
    """The title of web/partials/title.html; `state` is that of the run, or withdrawn; "" if the run is ready."""

    parts: Sequence[str]
    time: datetime | date | str
    state: str


def title_of(run: Run) -> RunTitle:
    """Tool, file system, settings of the workload and machine of a run, its time, and its state unless it is ready."""
    tool = f"{run.tool} {without_build(run.tool_version)}".rstrip()
    settings = {name: value for name, value in run.parameters.items() if not (is_size(name) or name.endswith(DIGEST))}
    words = parameters_in_words(settings)[:MOST_SETTINGS]
    parts = [tool, run.target.file_system or "unknown file system", *words, run.machine.name]
    state = "withdrawn" if run.runstate.withdrawn_at else run.runstate.state
    state = "" if state == State.READY else state
    return RunTitle(parts, known_time(run.started_at, run.finished_at), state)
