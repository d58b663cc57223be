"""`/api/v1/queue`: people and programs queue plans for machines and cancel them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema, Status

from benchdb.api.auth import TokenAuth, TokenRequest, reader
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.api.text_types import BodyText, NameText
from benchdb.api.throttle import AccountThrottle
from benchdb.catalog.models import Machine
from benchdb.http.requests import Reader
from benchdb.ingest.contract import Fault
from benchdb.ingest.models import Scope, Token
from benchdb.plans import queue
from benchdb.plans.models import Job
from benchdb.plans.plan_texts import FaultyPlan, read_plan
from benchdb.runs.models import Visibility

router = Router(tags=["queue"])


class QueueIn(Schema):
    """A plan, and the names of the machines that it waits for."""

    plan: BodyText
    machines: Annotated[list[NameText], Field(min_length=1, max_length=100)]
    visibility: Literal["private", "unlisted", "public"] | None = None


class JobOut(Schema):
    """Where a queued plan stands on one machine; `version` changes whenever anything does that its page shows."""

    id: UUID
    url: str
    machine: str
    plan: str
    state: str
    version: str
    reason: str | None
    progress: dict[str, object] | None
    campaign_id: UUID | None
    queued_at: datetime
    ended_at: datetime | None


class JobsOut(Schema):
    """One job a machine."""

    jobs: list[JobOut]


def job_out(request: HttpRequest, job: Job) -> JobOut:
    """The answer about a job."""
    return JobOut(
        id=job.pk,
        url=request.build_absolute_uri(job.get_absolute_url()),
        machine=job.machine.name,
        plan=job.plan_name,
        state=job.state,
        version=job.version,
        reason=job.reason or None,
        progress=job.progress,
        campaign_id=job.campaign_id,
        queued_at=job.queued_at,
        ended_at=job.ended_at,
    )


@router.post(
    "",
    auth=TokenAuth(Scope.QUEUE),
    throttle=[AccountThrottle()],
    response={201: JobsOut, frozenset({400, 401, 403, 409, 413, 422, 429, 503, 507}): ErrorOut},
)
def post_job(request: TokenRequest, body: QueueIn) -> Status[JobsOut]:
    """Queue a plan for machines of the token's owner: for all of them, or not at all with every fault."""
    token = request.auth
    machines, faults = _machines(token, body.machines)
    try:
        read = read_plan(body.plan)
    except FaultyPlan as error:
        faults += [Fault("/plan", None, expected) for expected in error.faults]
    if faults:
        raise ApiError(422, "faulty_plan", "Nothing was queued. Correct the faults and send it again.", faults)
    try:
        visibility = Visibility(body.visibility or token.default_visibility)
        jobs = queue.queue_plan(token.owner, read, machines, visibility)
    except queue.QueueFull as error:
        message = f"Nothing was queued: {queue.MOST_WAITING} plans wait for {error} already."
        raise ApiError(409, "queue_full", message) from None
    return Status(201, JobsOut(jobs=[job_out(request, job) for job in jobs]))


@router.get(
    "/{uuid:job_id}",
    url_name="job_state",
    response={200: JobOut, frozenset({401, 403, 404, 429, 503}): ErrorOut},
)
def get_job(request: HttpRequest, job_id: UUID) -> JobOut:
    """A job of one's own."""
    return job_out(request, _own(reader(request, Scope.QUEUE), job_id))


@router.post(
    "/{uuid:job_id}/cancel",
    auth=TokenAuth(Scope.QUEUE),
    response={200: JobOut, frozenset({401, 403, 404, 429, 503}): ErrorOut},
)
def cancel_job(request: TokenRequest, job_id: UUID) -> JobOut:
    """Take a job out of the queue, or stop its agent at the next report. Harmless where it is over."""
    return job_out(request, queue.cancel(_own(request.auth.owner, job_id)))


def _own(user: Reader, job_id: UUID) -> Job:
    owner = user.pk if user.is_authenticated else None
    job = Job.objects.select_related("machine").filter(pk=job_id, owner=owner).first()
    if job is None:
        raise Http404
    return job


def _machines(token: Token, names: list[str]) -> tuple[list[Machine], list[Fault]]:
    """The machines of these names, and a fault for each name that is not that of one machine."""
    known: dict[str, list[Machine]] = {}
    for machine in Machine.objects.filter(owner=token.owner, name__in=names):
        known.setdefault(machine.name, []).append(machine)
    faults = []
    for i, name in enumerate(names):
        pointer = f"/machines/{i}"
        if name not in known:
            faults.append(Fault(pointer, name, "the name of a machine that measured or asked for work"))
        elif len(known[name]) > 1:
            faults.append(Fault(pointer, name, "a name that only one machine has; rename one in its agent's config"))
        elif name in names[:i]:
            faults.append(Fault(pointer, name, "each machine once"))
    return [matches[0] for name in dict.fromkeys(names) if (matches := known.get(name))], faults
