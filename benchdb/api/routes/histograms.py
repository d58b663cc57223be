"""`/api/v1/runs/{run_id}/histograms`: the distributions of latencies of one result."""

from __future__ import annotations

from base64 import b64encode
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema

from benchdb.api.errors import ErrorOut
from benchdb.runs.distributions.reading import ordinals_with_distributions, packed_rounds
from benchdb.runs.models import Run

from .runs import READ_ERRORS, readable

router = Router(tags=["runs"])


class HistogramsOut(Schema):
    """The distribution of each round of a result as in documents, and the results of the run that have some."""

    run_id: UUID
    ordinal: int
    ordinals: list[int]
    histograms: list[str | None]


@router.get("/{uuid:run_id}/histograms", response={200: HistogramsOut, 422: ErrorOut, **READ_ERRORS})
def get_histograms(request: HttpRequest, run_id: UUID, ordinal: int | None = None) -> HistogramsOut:
    """The distributions of one result, by default of the first that has some."""
    run = readable(request, Run.objects.only("id"), run_id)
    ordinals = ordinals_with_distributions(run)
    chosen = ordinal if ordinal is not None else next(iter(ordinals), 0)
    packed = packed_rounds(run, chosen) if chosen in ordinals else []
    texts = [None if each is None else b64encode(each).decode() for each in packed or ()]
    return HistogramsOut(run_id=run.pk, ordinal=chosen, ordinals=ordinals, histograms=texts)
