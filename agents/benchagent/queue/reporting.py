"""Reports the progress of a job to the server, in a thread of its own, so that no round waits for a report."""

from __future__ import annotations

import os
import threading
from types import TracebackType
from typing import TYPE_CHECKING

from benchagent.errors import AgentError
from benchagent.progress import EventFacts, Reporter
from benchagent.system.interrupts import OURS, held

from .job import Job, JobLost, NoAnswer, ProgressReport, Queue

if TYPE_CHECKING:
    from typing import Unpack  # novm # only the type checker reads it

CANCELLED = "It was cancelled."
TAKEN = "The server gave the job to another agent."


class JobProgress:
    """A reporter that records the progress and passes events on."""

    def __init__(self, tell: Reporter) -> None:
        self._tell, self._lock = tell, threading.Lock()
        self._now: ProgressReport = {}
        self.campaign_id: str | None = None

    def event(self, kind: str, **facts: Unpack[EventFacts]) -> None:
        with self._lock:
            if kind == "announced":
                self.campaign_id = facts["campaign_id"]
            elif kind == "point_started":
                self._now.update({"point": facts["point"], "round": facts["round"]})
            elif kind == "point_finished":
                self._now["points_done"] = self._now.get("points_done", 0) + 1
            elif kind == "round_finished":
                self._now.update({"points_done": 0, "rounds_done": self._now.get("rounds_done", 0) + 1})
        self._tell.event(kind, **facts)

    def tick(self, left: float | None, share: float) -> None:
        with self._lock:
            self._now.update({"left": left, "share": min(max(share, 0.0), 1.0)})
        self._tell.tick(left, share)

    def snapshot(self) -> ProgressReport:
        """The current progress, in the form of the server's API."""
        with self._lock:
            return self._now.copy()


class Reporting(threading.Thread):
    """Reports while its block runs. If the server cancels the job, a signal of the agent's own stops the main thread.

    `why` is then the reason, otherwise None. The end of the block does not wait for a report in progress.
    """

    def __init__(self, queue: Queue, job: Job, progress: JobProgress) -> None:
        super().__init__(daemon=True)
        self._queue, self._job, self._progress = queue, job, progress
        self._ended, self._lock = threading.Event(), threading.Lock()
        self.why: str | None = None

    def run(self) -> None:
        while not self._ended.wait(self._job.report_every):
            try:
                go_on = self._queue.report(self._job, self._progress.snapshot(), self._progress.campaign_id)
            except JobLost:
                return self._stop_main(TAKEN)
            except (NoAnswer, AgentError) as error:
                # The measurement is more important than the report; the next report renews the lease.
                self._progress.event("unreported", why=str(error))
                continue
            if not go_on:
                return self._stop_main(CANCELLED)
        return None

    def _stop_main(self, why: str) -> None:
        with self._lock:
            if self._ended.is_set():
                return  # the plan has ended in the meantime
            self.why = why
            self._progress.event("cancelled", why=why)
            os.kill(os.getpid(), OURS)

    def __enter__(self) -> Reporting:
        with held:
            self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with held, self._lock:
            self._ended.set()
