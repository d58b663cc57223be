"""The agent's side of the queue: claim a plan, report, finish. docs/agents.md, "Scheduled work"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from benchagent import __version__
from benchagent.errors import QueueRefused, SpoolError
from benchagent.server.answers import Delay, NotNow, judge
from benchagent.server.client import Client
from benchagent.server.exchange import NoReply, Reply
from benchagent.system.atomic_files import make_folders, write_whole

FINISHED, FAILED, REFUSED, GIVEN_BACK = "finished", "failed", "refused", "given_back"
LONGEST_REASON = 4000  # characters
LEASE_LOST = 409
REPORT_EVERY = (1.0, 60.0)  # seconds: what a server may ask for


class NoAnswer(Exception):
    """The server did not decide; the text says why. It is to be asked again, after `not_before` seconds at least."""

    def __init__(self, why: str, not_before: float = 0.0) -> None:
        super().__init__(why)
        self.not_before = not_before


class JobLost(Exception):
    """The job is somebody else's now, or over."""


@dataclass(frozen=True)
class Job:
    """A plan that this agent holds. `files` are texts by the names that the plan has for them."""

    job_id: str
    lease: str
    plan: str
    files: Mapping[str, str]
    visibility: str
    report_every: float


@dataclass(frozen=True)
class JobOutcome:
    """How a job went: FINISHED, FAILED, REFUSED or GIVEN_BACK, with the reason where there is one to give."""

    outcome: str
    reason: str = ""
    campaign_id: str | None = None


class Queue:
    """The queue of one server for one machine. Raises NoAnswer and LeaseLost; QueueRefused where a person must help."""

    def __init__(self, client: Client, machine: Mapping[str, str]) -> None:
        self.client, self._machine = client, machine

    def claim(self) -> Job | None:
        """The next plan for this machine; None while there is none."""
        asking = {
            "machine_id": self._machine["machine_id"],
            "machine_name": self._machine["name"],
            "agent_version": __version__,
        }
        reply = self._post("queue/claim", asking)
        return None if reply.status == 204 else _job(_decided(self.client, reply))

    def report(self, job: Job, progress: Mapping[str, Any], campaign_id: str | None) -> bool:
        """Whether to go on."""
        said = {"lease": job.lease, "campaign_id": campaign_id, "progress": dict(progress)}
        return _decided(self.client, self._post(f"queue/{job.job_id}/report", said)).get("go_on") is not False

    def finish(self, job_id: str, lease: str, outcome: JobOutcome) -> None:
        """Say how it went."""
        said = {"lease": lease, **asdict(outcome), "reason": outcome.reason[:LONGEST_REASON]}
        _decided(self.client, self._post(f"queue/{job_id}/finish", said))

    def _post(self, path: str, body: Mapping[str, Any]) -> Reply:
        try:
            return self.client.post(path, body)
        except NoReply as error:
            raise NoAnswer(f"{self.client.server} {error}") from None


class HeldJob:
    """The job that this agent holds, on disk: a killed agent's next start gives it back, or says how it went."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def take(self, job: Job) -> None:
        self._write({"job_id": job.job_id, "lease": job.lease, "outcome": None})

    def settle(self, job: Job, outcome: JobOutcome) -> None:
        """The job is over; the server is to hear of it."""
        self._write({"job_id": job.job_id, "lease": job.lease, "outcome": asdict(outcome)})

    def read(self) -> tuple[str, str, JobOutcome | None] | None:
        """Job, lease and, if it came to that, the outcome; None where nothing is held, or what is there is damaged."""
        try:
            found = json.loads(self._path.read_bytes())
            outcome = found["outcome"]
            return found["job_id"], found["lease"], JobOutcome(**outcome) if outcome else None
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SpoolError(self._path, error.strerror) from error
        except (ValueError, KeyError, TypeError):
            return None

    def clear(self) -> None:
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise SpoolError(self._path, error.strerror) from error

    def _write(self, facts: dict[str, Any]) -> None:
        try:
            make_folders([self._path.parent])
            write_whole(self._path, json.dumps(facts).encode("utf-8", "replace"))
        except OSError as error:
            raise SpoolError(self._path, error.strerror) from error


def _decided(client: Client, reply: Reply) -> Mapping[str, Any]:
    """The body of an answer 200. Raises NoAnswer, LeaseLost, QueueRefused."""
    if reply.status == LEASE_LOST:
        raise JobLost
    try:
        answer = judge(reply, {})
    except NotNow as why:
        raise QueueRefused(f"{client.server} {why}") from None
    if isinstance(answer, Delay):
        raise NoAnswer(f"{client.server} {answer.why}", answer.not_before)
    if not answer.stored:
        error = answer.body.get("error")
        raise QueueRefused(f"{client.server} answered {answer.status}: {error.get('message') if error else ''}")
    return answer.body


def _job(body: Mapping[str, Any]) -> Job:
    """What the server said, believed only in the form it has to have. Raises QueueRefused."""
    try:
        job_id, lease = str(UUID(body["job_id"])), str(UUID(body["lease"]))
        plan, files, visibility = body["plan"], body["files"], body["visibility"]
        every = max(REPORT_EVERY[0], min(REPORT_EVERY[1], float(body["report_every"])))  # 60 s where it is no number
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise QueueRefused("The server answered a job that no BenchDB server sends.") from None
    texts = isinstance(files, dict) and all(isinstance(text, str) for text in (*files, *files.values()))
    if not (isinstance(plan, str) and texts and visibility in ("private", "unlisted", "public")):
        raise QueueRefused("The server answered a job that no BenchDB server sends.")
    return Job(job_id, lease, plan, files, visibility, every)
