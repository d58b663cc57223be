"""The agent's side of the queue: claim a plan, report, finish. docs/agents.md, "Scheduled work"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict
from uuid import UUID

from benchagent import __version__
from benchagent.errors import QueueRefused, SpoolError
from benchagent.inventory import MachineIdentity
from benchagent.server.answers import Delay, NotNow, judge
from benchagent.server.client import Client
from benchagent.server.exchange import NoReply, Reply
from benchagent.system.atomic_files import make_folders, write_whole

from .offer import Offer

FINISHED, FAILED, REFUSED, GIVEN_BACK = "finished", "failed", "refused", "given_back"
LONGEST_REASON = 4000  # characters
VISIBILITIES = ("private", "unlisted", "public")
LEASE_LOST = 409
REPORT_EVERY = (1.0, 60.0)  # seconds; the limits of the interval that a server may request


class NoAnswer(Exception):
    """The server did not decide, for the reason in the text. Retry after at least `not_before` seconds."""

    def __init__(self, why: str, not_before: float = 0.0) -> None:
        super().__init__(why)
        self.not_before = not_before


class JobLost(Exception):
    """The job has ended, or another agent has it."""


@dataclass(frozen=True)
class Job:
    """A plan that this agent has claimed. `files` holds texts by their names in the plan."""

    job_id: str
    lease: str
    plan: str
    files: Mapping[str, str]
    visibility: str
    report_every: float


class ProgressReport(TypedDict, total=False):
    """The progress of a job as its server gets it; `left` in seconds, None if unknown, `share` from 0 to 1."""

    point: str
    round: str
    points_done: int
    rounds_done: int
    left: float | None
    share: float


@dataclass(frozen=True)
class JobOutcome:
    """The outcome of a job: FINISHED, FAILED, REFUSED or GIVEN_BACK, with a reason, which may be empty."""

    outcome: str
    reason: str = ""
    campaign_id: str | None = None


class Queue:
    """The queue of one server for one machine. Raises NoAnswer, JobLost, and QueueRefused if only a person can help."""

    def __init__(self, client: Client, machine: MachineIdentity, offer: Offer | None = None) -> None:
        self.client, self._machine, self._offer = client, machine, offer

    def claim(self) -> Job | None:
        """Claim the next plan for this machine; None if there is none."""
        request = {
            "machine_id": self._machine["machine_id"],
            "machine_name": self._machine["name"],
            "agent_version": __version__,
            "offer": self._offer,
        }
        reply = self._post("queue/claim", request)
        return None if reply.status == 204 else _job(_decided(self.client, reply))

    def report(self, job: Job, progress: ProgressReport, campaign_id: str | None) -> bool:
        """Report the progress of a job. Returns whether to continue."""
        request = {"lease": job.lease, "campaign_id": campaign_id, "progress": progress}
        return _decided(self.client, self._post(f"queue/{job.job_id}/report", request)).get("go_on") is not False

    def finish(self, job_id: str, lease: str, outcome: JobOutcome) -> None:
        """Report the outcome of a job."""
        request = {"lease": lease, **asdict(outcome), "reason": outcome.reason[:LONGEST_REASON]}
        _decided(self.client, self._post(f"queue/{job_id}/finish", request))

    def _post(self, path: str, body: Mapping[str, object]) -> Reply:
        try:
            return self.client.post(path, body)
        except NoReply as error:
            raise NoAnswer(f"{self.client.server} {error}") from None


class HeldJob:
    """The claimed job on disk, so that the next start after a kill gives it back or reports its outcome."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def take(self, job: Job) -> None:
        self._write({"job_id": job.job_id, "lease": job.lease, "outcome": None})

    def settle(self, job: Job, outcome: JobOutcome) -> None:
        """Store the outcome of a job, which is to be reported to the server."""
        self._write({"job_id": job.job_id, "lease": job.lease, "outcome": asdict(outcome)})

    def read(self) -> tuple[str, str, JobOutcome | None] | None:
        """Job id, lease and the outcome if there is one; None if no job is stored or the file is damaged."""
        try:
            stored = json.loads(self._path.read_bytes())
            outcome = stored["outcome"]
            return stored["job_id"], stored["lease"], JobOutcome(**outcome) if outcome else None
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

    def _write(self, facts: Mapping[str, object]) -> None:
        try:
            make_folders([self._path.parent])
            write_whole(self._path, json.dumps(facts).encode("utf-8", "replace"))
        except OSError as error:
            raise SpoolError(self._path, error.strerror) from error


def _decided(client: Client, reply: Reply) -> Mapping[str, object]:
    """The body of a 200 answer. Raises NoAnswer, JobLost, QueueRefused."""
    if reply.status == LEASE_LOST:
        raise JobLost
    try:
        answer = judge(reply, {})
    except NotNow as why:
        raise QueueRefused(f"{client.server} {why}") from None
    if isinstance(answer, Delay):
        raise NoAnswer(f"{client.server} {answer.why}", answer.not_before)
    if not answer.stored:
        raise QueueRefused(f"{client.server} answered {answer.status}: {answer.message}")
    return answer.body


def _job(body: Mapping[str, object]) -> Job:
    """The job in a claim's answer, after validation. Raises QueueRefused."""
    try:
        every = max(REPORT_EVERY[0], min(REPORT_EVERY[1], _number(body["report_every"])))  # 60 s for NaN
        visibility = _text(body["visibility"])
        if visibility not in VISIBILITIES:
            raise ValueError
        return Job(
            job_id=str(UUID(_text(body["job_id"]))),
            lease=str(UUID(_text(body["lease"]))),
            plan=_text(body["plan"]),
            files=_texts(body["files"]),
            visibility=visibility,
            report_every=every,
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        raise QueueRefused("The server answered a job that no BenchDB server sends.") from None


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError


def _texts(value: object) -> dict[str, str]:
    if isinstance(value, dict):
        return {_text(name): _text(text) for name, text in value.items()}
    raise TypeError


def _number(value: object) -> float:
    if isinstance(value, (int, float, str)):
        return float(value)
    raise TypeError
