"""Runs one program in its own process group to its end or its timeout, with its output and CPU time."""

from __future__ import annotations

import ctypes
import math
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
    voluntary_context_switches: int = 0  # the program waited for something
    involuntary_context_switches: int = 0  # the program's time slice ended, or a more urgent process ran

    @property
    def ok(self) -> bool:
        return self.returncode == 0 and not self.timed_out

    @property
    def error(self) -> str:
        """The error: the last lines that the program printed, if any."""
        printed = self.stderr.strip() or self.stdout.strip()
        words = "\n".join(printed.splitlines()[-3:])[:2000]
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
    sample: Callable[[], float] = lambda: math.inf,
    executable: str | None = None,
    control_group: Path | None = None,
) -> Outcome:
    """Run `command` in `directory` to its end, or until `timeout` seconds are over; `tick` is called meanwhile.

    `sample` is called when the program has started, and again after the number of seconds that it returned.

    `executable` is the program to start if `command[0]` is only its name. The program and its children run in
    `control_group` if one is given. The whole process group is gone when this function returns, also if a signal ended
    it. Raises OSError if the program cannot be started.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, _members(control_group) as members:

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
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

        process, timed_out = _run_to_end(start, timeout, tick, sample)
        return process.outcome(tuple(command), _text(out), _text(err), timed_out=timed_out)


def _run_to_end(
    start: Callable[[], subprocess.Popen[bytes]],
    timeout: float | None,
    tick: Callable[[], None],
    sample: Callable[[], float],
) -> tuple[_TimedProcess, bool]:
    """The process, which has ended with its group, and whether it was stopped by the timeout."""
    process: _TimedProcess | None = None
    try:
        # A signal waits until the thread that waits is there; then it raises here, where the group is ended.
        with held:
            process = _TimedProcess(start)
            process.start()
        return process, not process.ends_within(timeout, tick, sample)
    finally:
        if process is not None:
            with held:
                process.end_group()


class _TimedProcess(threading.Thread):
    """A process, and a thread that waits for it, so that its end is timed exactly while the main thread ticks."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        super().__init__(daemon=True)
        self._launched_at, self._launched = datetime.now(timezone.utc), time.monotonic()
        self._process = start()
        self._done = threading.Event()

    def run(self) -> None:
        _, status, self._usage = os.wait4(self._process.pid, 0)
        self._ended = time.monotonic()
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._done.set()

    def ends_within(self, timeout: float | None, tick: Callable[[], None], sample: Callable[[], float]) -> bool:
        """Whether the process ends within this number of seconds of its start; calls `tick` and `sample` until then."""
        now = time.monotonic()
        next_tick, next_sample = now + TICK, now + sample()
        while not self._done.wait(min(next_tick, next_sample) - time.monotonic()):
            now = time.monotonic()
            if now >= next_sample:
                next_sample = now + sample()
            if now >= next_tick:
                tick()
                next_tick = now + TICK
            if timeout is not None and now - self._launched > timeout:
                return False
        return True

    def end_group(self) -> None:
        """End the rest of the process group, first with SIGTERM, then with SIGKILL; return when it is gone."""
        group = self._process.pid
        for number in (signal.SIGTERM, signal.SIGKILL):
            if not _signal_group(group, number):
                break
            deadline = time.monotonic() + GRACE
            while _signal_group(group, 0) and time.monotonic() < deadline:
                time.sleep(0.01)  # init reaps grandchildren without notice, so poll until the group is empty
        self.join()

    def outcome(self, command: tuple[str, ...], stdout: str, stderr: str, *, timed_out: bool) -> Outcome:
        """How the process ended; it has ended."""
        return Outcome(
            command=command,
            returncode=self._process.returncode,
            stdout=stdout,
            stderr=stderr,
            started_at=self._launched_at,
            elapsed=self._ended - self._launched,
            user_seconds=self._usage.ru_utime,
            system_seconds=self._usage.ru_stime,
            timed_out=timed_out,
            voluntary_context_switches=self._usage.ru_nvcsw,
            involuntary_context_switches=self._usage.ru_nivcsw,
        )


def _signal_group(group: int, number: int) -> bool:
    """Whether the group still had a process that could receive the signal."""
    with suppress(ProcessLookupError):
        os.killpg(group, number)
        return True
    return False


@contextmanager
def _members(group: Path | None) -> Iterator[int | None]:
    """The open file `cgroup.procs`, which takes processes into the control group; None without a group."""
    if group is None:
        yield None
        return
    descriptor = os.open(group / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _before_exec(members: int | None, agent: int) -> None:
    """In the child, between fork and exec: join the control group, and die when the agent dies, even by SIGKILL."""
    if members is not None:
        os.write(members, b"0")  # 0 means the writing process
    _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != agent:  # the agent died just before
        os.kill(os.getpid(), signal.SIGKILL)


_LIBC = ctypes.CDLL(None)  # loaded before the fork


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")
