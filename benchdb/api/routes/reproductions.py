"""`/api/v1/campaigns/ID/reproductions`: the campaigns that a campaign repeats, and those that repeat it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Router, Schema

from benchdb.api.auth import reader
from benchdb.api.errors import ErrorOut
from benchdb.plans.queries import in_short
from benchdb.reproductions.models import Reproduction
from benchdb.reproductions.reading import reproduction, reproductions_of

router = Router(tags=["campaigns"])
READ_ERRORS = {frozenset({401, 403, 404, 429, 503}): ErrorOut}


class ReproductionOut(Schema):
    """A pair of campaigns; the numbers are those of the original's conclusions."""

    original: UUID
    repetition: UUID
    original_machine: str
    repetition_machine: str
    original_started_at: datetime
    repetition_started_at: datetime
    answer: str
    reproduced: int
    not_reproduced: int
    undecided: int
    url: str


class ReproductionDetail(ReproductionOut):
    """The same with every conclusion, every figure of like hardware, and the differences of the machines."""

    content: dict[str, object]


class ReproductionsOut(Schema):
    """The pairs of one campaign."""

    reproductions: list[ReproductionOut]


@router.get("/{uuid:campaign_id}/reproductions", response={200: ReproductionsOut, **READ_ERRORS})
def get_reproductions(request: HttpRequest, campaign_id: UUID) -> ReproductionsOut:
    """The campaigns of the same plan on other machines, with the answers."""
    user = reader(request)
    if in_short(campaign_id, user) is None:
        raise Http404
    return ReproductionsOut(
        reproductions=[_out(request, each.reproduction) for each in reproductions_of(campaign_id, user)]
    )


@router.get(
    "/{uuid:campaign_id}/reproductions/{uuid:original_id}",
    url_name="get_reproduction",
    response={200: ReproductionDetail, **READ_ERRORS},
)
def get_reproduction(request: HttpRequest, campaign_id: UUID, original_id: UUID) -> ReproductionDetail:
    """Whether a campaign shows what the original showed, conclusion by conclusion."""
    pair = reproduction(campaign_id, original_id, reader(request))
    if pair is None:
        raise Http404
    return ReproductionDetail(**_out(request, pair).model_dump(), content=dict(pair.content))


def _out(request: HttpRequest, pair: Reproduction) -> ReproductionOut:
    address = reverse("reproduction", args=[pair.repetition_id, pair.original_id])
    return ReproductionOut(
        original=pair.original_id,
        repetition=pair.repetition_id,
        original_machine=pair.original.machine.name,
        repetition_machine=pair.repetition.machine.name,
        original_started_at=pair.original.started_at,
        repetition_started_at=pair.repetition.started_at,
        answer=pair.answer,
        reproduced=pair.reproduced,
        not_reproduced=pair.not_reproduced,
        undecided=pair.undecided,
        url=request.build_absolute_uri(address),
    )
