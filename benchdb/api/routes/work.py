"""`/api/v1/queue`, the agent's side: claim a queued plan, report its progress, finish it."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from django.conf import settings
from ninja import Field, Router, Schema, Status

from benchdb.api.auth import TokenAuth, TokenRequest
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.api.text_types import NameText, Words
from benchdb.api.throttle import AccountThrottle
from benchdb.catalog.models import Machine
from benchdb.ingest.models import Scope, Token
from benchdb.ingest.tokens import belongs_to
from benchdb.plans import queue
from benchdb.plans.offers import StoredOffer

router = Router(tags=["queue"])
ERRORS = {frozenset({400, 401, 403, 422, 429, 503}): ErrorOut}
Share = Annotated[float, Field(ge=0, le=1)]
TargetCount = Annotated[int, Field(ge=0, le=10_000)]
Names = Annotated[list[Annotated[str, Field(pattern=r"^[a-z0-9+_.-]{1,32}$")]], Field(max_length=100)]
RoundCount = Annotated[int, Field(ge=0, le=1_000_000)]


class OfferIn(Schema):
    """What an agent allows and can use; `directories` and `devices` are numbers."""

    root: bool
    images: bool
    directories: TargetCount
    devices: TargetCount
    tools: Names
    file_systems: Names

    def stored(self) -> StoredOffer:
        """The offer as it is stored."""
        return {
            "root": self.root,
            "images": self.images,
            "directories": self.directories,
            "devices": self.devices,
            "tools": self.tools,
            "file_systems": self.file_systems,
        }


class ClaimIn(Schema):
    """Who asks for work, and what its config file allows."""

    machine_id: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    machine_name: NameText
    agent_version: NameText
    offer: OfferIn | None = None


class ClaimOut(Schema):
    """A job: its plan, and how to keep it."""

    job_id: UUID
    lease: UUID
    plan: str
    files: dict[str, str]
    visibility: str
    report_every: int


class Progress(Schema):
    """How far the agent is. Times in seconds."""

    point: NameText | None = None
    round: NameText | None = None
    rounds_done: RoundCount | None = None
    points_done: RoundCount | None = None
    share: Share | None = None
    left: Annotated[float, Field(ge=0, le=1e9)] | None = None


class ReportIn(Schema):
    """What the agent says while it works."""

    lease: UUID
    campaign_id: UUID | None = None
    progress: Progress


class ReportOut(Schema):
    """Whether it shall go on."""

    go_on: bool
    report_every: int


class FinishIn(Schema):
    """How it went; `given_back` means that the plan shall be tried again."""

    lease: UUID
    outcome: Literal["finished", "failed", "refused", "given_back"]
    reason: Words = ""
    campaign_id: UUID | None = None


class FinishOut(Schema):
    """What became of the job."""

    state: str


@router.post(
    "/claim",
    auth=TokenAuth(Scope.SERVE),
    throttle=[AccountThrottle()],
    response={200: ClaimOut, 204: None, **ERRORS, 507: ErrorOut},
)
def post_claim(request: TokenRequest, body: ClaimIn) -> Status[ClaimOut | None]:
    """Take the plan that has waited longest for this machine; 204 while none does."""
    job = queue.claim(_machine(request.auth, body))
    if job is None:
        return Status(204, None)
    assert job.lease is not None  # as long as a job is claimed
    answer = ClaimOut(
        job_id=job.pk,
        lease=job.lease,
        plan=job.plan_text,
        files=job.files,
        visibility=job.visibility,
        report_every=settings.REPORT_SECONDS,
    )
    return Status(200, answer)


@router.post(
    "/{uuid:job_id}/report",
    auth=TokenAuth(Scope.SERVE),
    response={200: ReportOut, frozenset({400, 401, 403, 404, 409, 422, 429, 503}): ErrorOut},
)
def post_report(request: TokenRequest, job_id: UUID, body: ReportIn) -> ReportOut:
    """Keep the job, and hear whether to go on."""
    try:
        progress = body.progress.model_dump(exclude_none=True)
        go_on = queue.report(request.auth.owner, job_id, body.lease, progress, body.campaign_id)
    except queue.LeaseLost:
        raise _lost() from None
    return ReportOut(go_on=go_on, report_every=settings.REPORT_SECONDS)


@router.post(
    "/{uuid:job_id}/finish",
    auth=TokenAuth(Scope.SERVE),
    response={200: FinishOut, frozenset({400, 401, 403, 404, 409, 422, 429, 503}): ErrorOut},
)
def post_finish(request: TokenRequest, job_id: UUID, body: FinishIn) -> FinishOut:
    """Say how the job went. Saying it again is harmless."""
    try:
        job = queue.finish(request.auth.owner, job_id, body.lease, body.outcome, body.reason, body.campaign_id)
    except queue.LeaseLost:
        raise _lost() from None
    return FinishOut(state=job.state)


def _lost() -> ApiError:
    return ApiError(
        409,
        "lease_lost",
        "This job was given to another agent: stop it. Results that were measured are still accepted.",
    )


def _machine(token: Token, asking: ClaimIn) -> Machine:
    """The machine that asks, if the token is its own. Raises ApiError."""
    machine = token.machine
    if machine is None or machine.machine_id == asking.machine_id:
        offer = asking.offer.stored() if asking.offer else None
        machine = queue.listen(token.owner, asking.machine_id, asking.machine_name, asking.agent_version, offer)
        if belongs_to(token, machine):
            return machine
    raise ApiError(403, "another_machine", "This token serves another machine. Make one for this machine.")
