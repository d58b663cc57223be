"""`/api/v1/campaigns`: announce a campaign and its end, and read its state."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Router, Schema, Status

from benchdb.api.auth import TokenAuth, TokenRequest, reader
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.api.throttle import AccountThrottle
from benchdb.ingest.contract import CheckedCampaign, FaultyDocument, validate_campaign
from benchdb.ingest.models import Scope
from benchdb.ingest.request_body import RefusedBody
from benchdb.plans.queries import CampaignStatus, PointStatus, campaign_status, in_short
from benchdb.plans.services import CampaignConflict, keep_campaign
from benchdb.plans.stored import Announcement
from benchdb.runs.models import Visibility

from .runs import PUT_ERRORS, sent_body

router = Router(tags=["campaigns"])
ERRORS = {frozenset({status for status in next(iter(PUT_ERRORS)) if status != 410}): ErrorOut}
MOST_INFLATED = 16 * 1024 * 1024  # bytes; ten thousand points with long names and reasons
READ_ERRORS = {frozenset({401, 403, 404, 429, 503}): ErrorOut}


class CampaignOut(Schema):
    """Where a campaign is, and how far its agent says it is."""

    campaign_id: UUID
    url: str
    state: str


class StateOut(Schema):
    """`version` changes whenever anything does that the campaign's page shows."""

    state: str
    version: str


class PointOut(Schema):
    """One point of the campaign's matrix; `run` where it was measured and the reader may see it."""

    id: str
    target: str
    workload: str
    state: str
    reason: str | None
    run: str | None
    rounds: int
    failed_rounds: int


class CampaignDetail(CampaignOut):
    """A campaign with all its points; what an older agent did not announce is null."""

    plan: str | None
    plan_text: str | None
    machine: str | None
    started_at: datetime | None
    settings: dict[str, object] | None
    targets: list[dict[str, object]]
    workloads: list[dict[str, object]]
    ended: dict[str, object] | None
    progress: dict[str, object] | None
    tally: dict[str, int]
    points: list[PointOut]


@router.put(
    "/{uuid:campaign_id}",
    auth=TokenAuth(Scope.UPLOAD),
    throttle=[AccountThrottle()],
    response={200: CampaignOut, 201: CampaignOut, **ERRORS},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "/api/v1/schemas/campaign/1"}}},
        }
    },
)
def put_campaign(request: TokenRequest, campaign_id: UUID) -> Status[CampaignOut]:
    """Announce a campaign, and send it again with how it ended. The same document again is harmless."""
    token = request.auth
    try:
        announced = announcement(validate_campaign(sent_body(request, MOST_INFLATED), campaign_id))
        campaign, new = keep_campaign(token.owner, campaign_id, announced, Visibility(token.default_visibility))
    except RefusedBody as error:
        raise ApiError(error.status, error.code, error.message) from None
    except FaultyDocument as error:
        message = f"{error} Correct the document and send it again."
        raise ApiError(422, "faulty_document", message, error.faults) from None
    except CampaignConflict:
        raise ApiError(409, "conflict", "Another campaign is stored under this id. Nothing was changed.") from None
    answer = CampaignOut(campaign_id=campaign_id, url=_url(request, campaign_id), state=campaign.state)
    return Status(201 if new else 200, answer)


def announcement(checked: CheckedCampaign) -> Announcement:
    """The document as it is stored."""
    document = checked.document
    columns = document.model_dump(mode="json", include={"settings", "targets", "workloads", "points", "ended"})
    return Announcement(
        machine_id=document.machine.machine_id,
        machine_name=document.machine.name,
        agent_version=document.agent.version,
        visibility=document.visibility,
        plan_name=document.plan.name,
        plan_text=document.plan.text,
        plan_sha256=document.plan.sha256,
        started_at=document.started_at,
        digest=checked.digest,
        document_bytes=checked.size,
        **columns,
    )


@router.get("/{uuid:campaign_id}", response={200: CampaignDetail, **READ_ERRORS})
def get_campaign(request: HttpRequest, campaign_id: UUID) -> CampaignDetail:
    """A campaign: its plan, its settings, and how every point stands."""
    status = _seen(campaign_status(campaign_id, reader(request)))
    campaign = status.campaign
    return CampaignDetail(
        campaign_id=campaign_id,
        url=_url(request, campaign_id),
        state=status.state,
        plan=campaign.plan_name if campaign else None,
        plan_text=campaign.plan_text if campaign else None,
        machine=campaign.machine.name if campaign else None,
        started_at=campaign.started_at if campaign else None,
        settings=campaign.settings if campaign else None,
        targets=campaign.targets if campaign else [],
        workloads=campaign.workloads if campaign else [],
        ended=campaign.ended if campaign else None,
        progress=status.job.progress if status.job and not status.job.is_over else None,
        tally=status.tally,
        points=[_point_out(request, point) for point in status.points],
    )


@router.get("/{uuid:campaign_id}/state", url_name="campaign_state", response={200: StateOut, **READ_ERRORS})
def get_campaign_state(request: HttpRequest, campaign_id: UUID) -> StateOut:
    """Only whether anything is new."""
    status = _seen(in_short(campaign_id, reader(request)))
    return StateOut(state=status.state, version=status.version)


def _seen(status: CampaignStatus | None) -> CampaignStatus:
    if status is None:
        raise Http404
    return status


def _url(request: HttpRequest, campaign_id: UUID) -> str:
    return request.build_absolute_uri(reverse("campaign", args=[campaign_id]))


def _point_out(request: HttpRequest, point: PointStatus) -> PointOut:
    run = request.build_absolute_uri(reverse("run", args=[point.run_id])) if point.run_id else None
    return PointOut(
        id=point.id,
        target=point.target,
        workload=point.workload,
        state=point.state,
        reason=point.reason or None,
        run=run,
        rounds=point.rounds,
        failed_rounds=point.failed_rounds,
    )
