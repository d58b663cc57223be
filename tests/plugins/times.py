"""`--processor-times FILE`: writes the processor time of each test, in seconds, as lines `SECONDS TEST`.

Counted are this process, its children (dead and alive, with theirs) and the session's database connection. A fixture's
time belongs to the test that makes it, or ends it.
"""

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

_TICK = os.sysconf("SC_CLK_TCK")
_started = pytest.StashKey[float]()
_times: dict[str, float] = {}
_own = 0.0


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--processor-times", metavar="FILE", help="write the processor time of each test to this file")


def _fields(pid: object) -> list[str]:
    """What /proc says of a process, from its parent on; empty if it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1:]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _alive_below(pid: int) -> float:
    """The processor time of the living descendants of a process and of the dead ones that they waited for."""
    processes = {int(name): fields for name in os.listdir("/proc") if name.isdigit() and (fields := _fields(name))}
    children: dict[int, list[int]] = {}
    for process, fields in processes.items():
        children.setdefault(int(fields[0]), []).append(process)
    waiting, seconds = list(children.get(pid, [])), 0.0
    while waiting:
        process = waiting.pop()
        seconds += sum(map(int, processes[process][10:14])) / _TICK
        waiting += children.get(process, [])
    return seconds


def _spent() -> float:
    """The processor time so far, in seconds, without that of this function: to look at all processes takes 10 ms."""
    global _own
    begun, own_before = time.process_time(), _own
    waited_for = resource.getrusage(resource.RUSAGE_CHILDREN)
    backend = connection.connection.info.backend_pid if connection.connection else 0
    database = sum(map(int, _fields(backend)[10:12])) / _TICK if backend else 0.0
    others = waited_for.ru_utime + waited_for.ru_stime + _alive_below(os.getpid()) + database
    _own += time.process_time() - begun
    return begun - own_before + others


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin to count."""
    if item.config.getoption("processor_times"):
        item.stash[_started] = _spent()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Put the time into the last report of a test, which xdist brings to the session's process."""
    if call.when == "teardown" and _started in item.stash:
        item.user_properties.append(("processor seconds", max(_spent() - item.stash[_started], 0.0)))
    yield


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the time of a test that ended."""
    for name, value in report.user_properties if report.when == "teardown" else ():
        if name == "processor seconds":
            _times[report.nodeid] = float(str(value))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the times."""
    file = session.config.getoption("processor_times")
    if file and not hasattr(session.config, "workerinput"):
        Path(file).write_text("".join(f"{_times[test]:.2f} {test}\n" for test in sorted(_times)))
