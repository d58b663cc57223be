"""Tells the server how far a job is, beside the measuring: in a thread of its own, so that no round waits for it."""

from __future__ import annotations

import os
import threading
from types import TracebackType
from typing import Any

from benchagent.errors import AgentError
from benchagent.progress import Reporter
from benchagent.system.interrupts import OURS, held

from .job import Job, JobLost, NoAnswer, Queue

CANCELLED = "It was cancelled."
TAKEN = "The server gave the job to somebody else."


class JobProgress:
    """A reporter that passes on what it hears and keeps where things stand."""

    def __init__(self, tell: Reporter) -> None:
        self._tell, self._lock = tell, threading.Lock()
        self._now: dict[str, Any] = {}
        self.campaign_id: str | None = None

    def event(self, kind: str, **facts: Any) -> None:
        with self._lock:
            if kind == "announced":
                self.campaign_id = facts["campaign_id"]
            elif kind == "point_started":
                self._now.update(point=facts["point"], round=facts["round"])
            elif kind == "point_finished":
                self._now["points_done"] = self._now.get("points_done", 0) + 1
            elif kind == "round_finished":
                self._now.update(points_done=0, rounds_done=self._now.get("rounds_done", 0) + 1)
        self._tell.event(kind, **facts)

    def tick(self, left: float | None, share: float) -> None:
        with self._lock:
            self._now.update(left=left, share=min(max(share, 0.0), 1.0))
        self._tell.tick(left, share)

    def snapshot(self) -> dict[str, Any]:
        """Where things stand, as the server takes it."""
        with self._lock:
            return dict(self._now)


class Reporting(threading.Thread):
    """Reports while its block runs. Where the server says stop, the main thread is Stopped by a signal of our own.

    `why` then says what the server said; else it is None. Nobody waits for a report that is on its way at the end.
    """

    def __init__(self, queue: Queue, job: Job, progress: JobProgress) -> None:
        super().__init__(daemon=True)
        self._queue, self._job, self._progress = queue, job, progress
        self._over, self._lock = threading.Event(), threading.Lock()
        self.why: str | None = None

    def run(self) -> None:
        while not self._over.wait(self._job.report_every):
            try:
                go_on = self._queue.report(self._job, self._progress.snapshot(), self._progress.campaign_id)
            except JobLost:
                return self._stop_main(TAKEN)
            except (NoAnswer, AgentError) as error:
                # The measurement is worth more than the report; the lease is taken up again with the next one.
                self._progress.event("unreported", why=str(error))
                continue
            if not go_on:
                return self._stop_main(CANCELLED)
        return None

    def _stop_main(self, why: str) -> None:
        with self._lock:
            if self._over.is_set():
                return  # the plan has ended by itself meanwhile
            self.why = why
            self._progress.event("cancelled", why=why)
            os.kill(os.getpid(), OURS)

    def __enter__(self) -> Reporting:
        with held():
            self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with held(), self._lock:
            self._over.set()
