"""The bytes that a fio workload writes in one round, and the time that it takes by its own parameters."""

from __future__ import annotations

from benchagent.toml.tables import Parameters
from benchagent.tools.values import names, number

from .options import has_job_file


def bytes_written(parameters: Parameters, _memory: int | None) -> int | None:
    """Bytes of the files that fio makes and of those that tests write; None for job files and writing for a time."""
    if has_job_file(parameters):
        return None
    tests = names(parameters, "tests")
    writing = [test for test in tests if not test.endswith("read")]
    if writing and "seconds" in parameters:
        return None
    files = number(parameters, "file_size") * (1 if parameters.get("shared_file") else number(parameters, "threads", 1))
    moved = number(parameters, "file_size") * number(parameters, "threads", 1)
    if not writing:
        return files
    made_before = 0 if tests[0].endswith("write") else files  # only a test that reads needs files that exist
    written = [moved * (_write_percent(test, parameters)) // 100 for test in writing]
    return made_before + sum(written)


def seconds(parameters: Parameters) -> float | None:
    """The time of all tests; None if their work ends them, or a job file decides."""
    each = parameters.get("seconds")
    if has_job_file(parameters) or not isinstance(each, (int, float)):
        return None
    ramp = parameters.get("ramp_seconds", 0)
    return (each + (ramp if isinstance(ramp, (int, float)) else 0)) * len(names(parameters, "tests"))


def _write_percent(test: str, parameters: Parameters) -> int:
    return 100 - number(parameters, "read_percent", 50) if test.endswith("mixed") else 100
