"""The queue of plans for machines.

A plan waits for its machine, exactly one agent takes it, and the end of a lease gives it back. Each function is one
transaction. An agent keeps a job as long as it reports, and uploads runs as usual.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from benchdb.catalog.models import Machine
from benchdb.quotas import services as quotas
from benchdb.quotas.limits import Amount
from benchdb.runs.machine_names import keep_machine
from benchdb.runs.models import Visibility

from .models import Job, JobState, Listener
from .offers import StoredOffer
from .plan_texts import CheckedPlan

LEASE = timedelta(minutes=3)  # long enough to miss a few reports
MOST_CLAIMS = 3
MOST_WAITING = 100  # jobs of one machine
CANCELLED = "It was cancelled."
GIVEN_UP = f"Given up: an agent started it {MOST_CLAIMS} times and stopped reporting each time."


class LeaseLost(Exception):
    """The agent has lost the job and must stop."""


class QueueFull(Exception):
    """Too many plans wait for a machine; the text names the machine."""


def queue_plan(owner: User, read: CheckedPlan, machines: Iterable[Machine], visibility: Visibility) -> list[Job]:
    """A job for each of the owner's machines, all or none. Raises QueueFull and QuotaExceeded."""
    with transaction.atomic():
        jobs = []
        for machine in machines:
            if Job.objects.filter(machine=machine, state=JobState.WAITING).count() >= MOST_WAITING:
                raise QueueFull(machine.name)
            jobs.append(
                Job.objects.create(
                    owner=owner,
                    machine=machine,
                    plan_name=read.plan.name,
                    plan_text=read.text,
                    files=read.files,
                    document_bytes=read.size,
                    visibility=visibility,
                )
            )
        quotas.charge(owner, Amount(plans=len(jobs), document_bytes=len(jobs) * read.size))
    return jobs


def listen(owner: User, machine_id: str, name: str, agent_version: str, offer: StoredOffer | None = None) -> Machine:
    """Record that this machine's agent asks for work, and what it offers. Creates the machine if needed.

    Raises QuotaExceeded.
    """
    seen = {"agent_version": agent_version, "seen_at": timezone.now(), "offer": offer}
    with transaction.atomic():
        machine, is_new = keep_machine(owner, machine_id, name, Visibility.PRIVATE)
        Listener.objects.update_or_create(machine=machine, defaults=seen)
        if is_new:
            quotas.charge(owner, Amount(machines=1))
    return machine


def claim(machine: Machine) -> Job | None:
    """The job that has waited longest for this machine, leased to the caller; None without a job.

    A machine does one job at a time, because two would disturb each other's measurements.
    """
    with transaction.atomic():
        # Serializes the claims of one machine; runs of it can be stored meanwhile.
        Machine.objects.select_for_update(no_key=True).get(pk=machine.pk)
        expire(machine)
        if Job.objects.filter(machine=machine, state=JobState.RUNNING).exists():
            return None
        waiting = Job.objects.filter(machine=machine, state=JobState.WAITING).order_by("queued_at", "id")
        job = waiting.select_for_update(skip_locked=True).first()
        if job is None:
            return None
        job.state, job.claims, job.lease = JobState.RUNNING, job.claims + 1, uuid4()
        job.reason, job.progress, job.campaign_id = "", None, None
        job.lease_ends_at, job.started_at = timezone.now() + LEASE, timezone.now()
        job.save()
        return job


def report(owner: User, job_id: UUID, lease: UUID, progress: Mapping[str, object], campaign_id: UUID | None) -> bool:
    """Renew the lease and store the progress. Returns whether the agent shall continue. Raises LeaseLost.

    An agent whose lease ran out continues if no other agent has taken the job meanwhile.
    """
    with transaction.atomic():
        job = _held(owner, job_id, lease)
        if job.is_over:
            raise LeaseLost
        job.state, job.lease_ends_at, job.reason = JobState.RUNNING, timezone.now() + LEASE, ""
        job.progress, job.reports = {**progress, "at": timezone.now().isoformat()}, job.reports + 1
        job.campaign_id = campaign_id or job.campaign_id
        job.save()
        return not job.cancel


def finish(owner: User, job_id: UUID, lease: UUID, outcome: str, reason: str, campaign_id: UUID | None) -> Job:
    """The agent is done with the job: `finished`, `failed`, `refused`, or `given_back` unfinished.

    Idempotent, because an agent without an answer repeats the request. Raises LeaseLost.
    """
    with transaction.atomic():
        job = _held(owner, job_id, lease)
        if job.is_over:
            return job
        job.campaign_id = campaign_id or job.campaign_id
        if job.cancel and outcome != "finished":
            _end(job, JobState.CANCELLED, reason or CANCELLED)
        elif outcome == "given_back":
            job.lease = None  # a late report must not take the job again
            _give_back(job, reason)
        else:
            _end(job, JobState(outcome), reason)
        return job


def cancel(job: Job) -> Job:
    """End a waiting job, or stop a running one at its agent's next report. Does nothing to an ended job."""
    with transaction.atomic():
        job = Job.objects.select_for_update().get(pk=job.pk)
        if job.state == JobState.WAITING:
            _end(job, JobState.CANCELLED, CANCELLED)
        elif job.state == JobState.RUNNING and not job.cancel:
            job.cancel = True
            job.save(update_fields=["cancel"])
        return job


def expire(machine: Machine | None = None) -> int:
    """Give back the jobs whose lease ran out, of one machine or of all. Returns their number."""
    with transaction.atomic():
        overdue = Job.objects.filter(state=JobState.RUNNING, lease_ends_at__lt=timezone.now())
        if machine is not None:
            overdue = overdue.filter(machine=machine)
        jobs = list(overdue.select_for_update(skip_locked=True))
        for job in jobs:
            if job.cancel:
                _end(job, JobState.CANCELLED, f"{CANCELLED} The agent stopped reporting.")
            else:
                _give_back(job, "The agent stopped reporting.")
        return len(jobs)


def _held(owner: User, job_id: UUID, lease: UUID) -> Job:
    job = Job.objects.select_for_update().filter(pk=job_id, owner=owner, lease=lease).first()
    if job is None:
        raise LeaseLost
    return job


def _give_back(job: Job, reason: str) -> None:
    if job.claims >= MOST_CLAIMS:
        _end(job, JobState.FAILED, f"{GIVEN_UP} {reason}".strip())
        return
    job.state, job.reason, job.lease_ends_at, job.progress = JobState.WAITING, reason, None, None
    job.save()


def _end(job: Job, state: JobState, reason: str) -> None:
    job.state, job.reason, job.ended_at, job.lease_ends_at = state, reason, timezone.now(), None
    job.save()
