"""Runs one program to its end: in its own process group, with a timeout; captures its output, counts its CPU time."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import IO, Callable

from .interrupts import held
from .orphans import MARK

TICK = 0.25  # seconds between two calls of `tick`
GRACE = 3.0  # seconds that a program gets between SIGTERM and SIGKILL
PR_SET_PDEATHSIG = 1  # prctl(2)


@dataclass(frozen=True)
class Outcome:
    """How a program ended. Times in seconds; CPU times are those of the program and of the children it waited for."""

    command: tuple[str, ...]
    returncode: int  # negative: killed by that signal
    stdout: str
    stderr: str
    started_at: datetime
    elapsed: float
    user_seconds: float
    system_seconds: float
    timed_out: bool = False
    voluntary_context_switches: int = 0  # it waited for something
    involuntary_context_switches: int = 0  # its time was up, or something more urgent came

    @property
    def ok(self) -> bool:
        return self.returncode == 0 and not self.timed_out

    @property
    def error(self) -> str:
        """What went wrong, in the program's own last words where it said any."""
        said = self.stderr.strip() or self.stdout.strip()
        words = "\n".join(said.splitlines()[-3:])[:2000]
        if self.timed_out:
            return f"stopped after {self.elapsed:.0f} s, the workload's timeout" + (f": {words}" if words else "")
        ended = f"exit code {self.returncode}" if self.returncode >= 0 else signal.Signals(-self.returncode).name
        return f"{words} ({ended})" if words else ended


def run(
    command: Sequence[str],
    *,
    directory: Path | None = None,
    timeout: float | None = None,
    tick: Callable[[], None] = lambda: None,
    executable: str | None = None,
    control_group: Path | None = None,
) -> Outcome:
    """Run `command` and wait. `executable` is the program to start where it is not the one `command[0]` names.

    In `control_group` the program and its children run where one is given.

    Whatever ends the waiting (a signal too), the whole process group is gone when this returns. Raises OSError where
    the program cannot be started.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, _members(control_group) as members:
        started_at, started = datetime.now(timezone.utc), time.monotonic()
        waiter: _Waiter | None = None
        timed_out = False
        try:
            # A signal waits until the thread that waits is there; then it raises here, where the group is ended.
            with held():
                process = subprocess.Popen(
                    command,
                    executable=executable,
                    cwd=directory,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                    env={**os.environ, "LC_ALL": "C", MARK: "1"},
                    preexec_fn=partial(_before_exec, members, os.getpid()),
                )
                waiter = _Waiter(process)
                waiter.start()
            while not waiter.finished(TICK):
                tick()
                if timeout is not None and time.monotonic() - started > timeout:
                    timed_out = True
                    break
        finally:
            if waiter is not None:
                with held():
                    _end_group(process.pid, waiter)
        usage = waiter.usage
        return Outcome(
            command=tuple(command),
            returncode=process.returncode,
            stdout=_text(out),
            stderr=_text(err),
            started_at=started_at,
            elapsed=waiter.ended - started,
            user_seconds=usage.ru_utime,
            system_seconds=usage.ru_stime,
            timed_out=timed_out,
            voluntary_context_switches=usage.ru_nvcsw,
            involuntary_context_switches=usage.ru_nivcsw,
        )


class _Waiter(threading.Thread):
    """Waits for a process in a thread of its own, so that the end is timed exactly while the main thread ticks."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._done = threading.Event()

    def run(self) -> None:
        _, status, self.usage = os.wait4(self._process.pid, 0)
        self.ended = time.monotonic()
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._done.set()

    def finished(self, timeout: float) -> bool:
        return self._done.wait(timeout)


def _end_group(group: int, waiter: _Waiter) -> None:
    """End what is left of the process group: politely, then not; return when it is gone."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if not _signal_group(group, number):
            break
        deadline = time.monotonic() + GRACE
        while _signal_group(group, 0) and time.monotonic() < deadline:
            time.sleep(0.01)  # init reaps a grandchild and tells nobody, so ask again until the group is empty
    waiter.join()


def _signal_group(group: int, number: int) -> bool:
    """Whether the group still had a process to take the signal."""
    with suppress(ProcessLookupError):
        os.killpg(group, number)
        return True
    return False


@contextmanager
def _members(group: Path | None) -> Iterator[int | None]:
    """The file that takes processes into a control group, opened."""
    if group is None:
        yield None
        return
    descriptor = os.open(group / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _before_exec(members: int | None, agent: int) -> None:
    """In the child, between fork and exec: join the control group; ask Linux to kill it when the agent dies, even by
    SIGKILL."""
    if members is not None:
        os.write(members, b"0")  # the one who writes
    _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != agent:  # it died just before
        os.kill(os.getpid(), signal.SIGKILL)


_LIBC = ctypes.CDLL(None)  # loaded before the fork


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")
