"""How fio's jobs open and flush their files, as far as all jobs of a job file agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchagent.toml.tables import Parameters
from benchagent.tools.declaration import Switches, switches_of_parameters

from .job_file import jobs_of

_OFF = ("0", "none")


def of_text(text: str) -> Parameters:
    """`engine`, `direct`, `sync` and `fsync` of a job file, if all of its jobs have the same."""
    jobs = jobs_of(text)
    found: Parameters = {}
    if engine := _shared(jobs, "ioengine"):
        found["engine"] = engine
    if _on(_shared(jobs, "direct")):
        found["direct"] = True
    if _on(sync := _shared(jobs, "sync")):
        found["sync"] = sync if sync == "dsync" else "sync"
    if any(_on(_shared(jobs, option)) for option in ("fsync", "fdatasync", "end_fsync")):
        found["fsync"] = True
    return found


def switches(command: Sequence[str], parameters: Mapping[str, object], test: str) -> Switches:
    """The switches of all tests, from parameters of the plan or its job file, or from fio's options in other output."""
    engine = parameters.get("engine", parameters.get("ioengine"))
    return switches_of_parameters(command, {**parameters, "ioengine": engine}, test)


def _shared(jobs: Sequence[Mapping[str, str]], option: str) -> str | None:
    """The value that all jobs have for an option; None if they differ, or have none."""
    values = {job.get(option) for job in jobs}
    return values.pop() if len(values) == 1 else None


def _on(value: str | None) -> bool:
    """Whether an option is on; one without a value is."""
    return value is not None and value not in _OFF
