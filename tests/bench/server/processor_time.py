"""The processor time that all processes of a server took: web server, PostgreSQL, broker and worker."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil


def seconds_of(var: Path) -> float:
    """User and system time so far of the processes of the server with this directory; ended ones do not count."""
    return sum(sum(_times(process)) for process in _processes(var))


def _times(process: psutil.Process) -> tuple[float, float]:
    with suppress(psutil.Error):
        times = process.cpu_times()
        return times.user, times.system
    return 0.0, 0.0


def _processes(var: Path) -> Iterator[psutil.Process]:
    """The processes that were started with this directory, and all their children, each once."""
    found: dict[int, psutil.Process] = {}
    postmaster = var / "postgres" / "postmaster.pid"
    roots = [psutil.Process(int(postmaster.read_text().split("\n", 1)[0]))] if postmaster.exists() else []
    for process in [*roots, *psutil.process_iter()]:
        with suppress(psutil.Error):
            if process in roots or process.environ().get("BENCHDB_VAR") == str(var):
                found[process.pid] = process
                found |= {child.pid: child for child in process.children(recursive=True)}
    return iter(found.values())
