"""The result directories of mmtests: the run and the iteration of a log, by its path.

mmtests keeps logs as `RUN/iter-N/BENCHMARK/logs/LOG`. The iterations of a run repeat its benchmarks under the same
settings, so a log of each iteration has one round of the same run of a tool.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import NamedTuple

# A number of any length that the name of a directory can have.
_LOG = re.compile(r"(?:(.*)/)?iter-([0-9]{1,255})/([^/]+/logs/.+)", re.S)
_BESIDE = re.compile(r"(?:(.*)/)?iter-[0-9]{1,255}/([^/]+)", re.S)
# Made of lines of the logs beside them: all that a benchmark printed, and pieces of dbench's log.
_COPIES = re.compile(r"mmtests\.log|benchlog-(?:loadfile|op|tput)-[0-9]+")
_COMPRESSED = re.compile(r"\.[gx]z$")


class MmtestsLog(NamedTuple):
    """A log of a benchmark that mmtests ran.

    `folder` is that of its run, with the folders above it; empty if the path begins with the iteration. `log` is the
    rest of the path behind the iteration, `BENCHMARK/logs/LOG`.
    """

    folder: str
    iteration: int
    log: str

    @property
    def run(self) -> str:
        """The name of the run; empty if the path does not have it."""
        return PurePosixPath(self.folder).name

    @property
    def place(self) -> str:
        """The path without the iteration, which is that of the same log in all iterations of the run."""
        return f"{self.folder}/{self.log}"


def log_of(path: str) -> MmtestsLog | None:
    """The run and the iteration of a log by its path; None for any other file."""
    match = _LOG.fullmatch(path.replace("\\", "/"))
    return MmtestsLog(match[1] or "", int(match[2]), match[3]) if match else None


def beside_logs(path: str) -> tuple[str, str] | None:
    """The folder of the run, and the name, of a file beside the logs of an iteration; None for any other file."""
    match = _BESIDE.fullmatch(path.replace("\\", "/"))
    return (match[1] or "", match[2]) if match else None


def is_copy(path: str) -> bool:
    """Whether the file only repeats lines of the logs beside it."""
    name = _COMPRESSED.sub("", PurePosixPath(path.replace("\\", "/")).name)
    return log_of(path) is not None and _COPIES.fullmatch(name) is not None
