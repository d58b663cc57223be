"""`/api/v1/runs`: the list of runs, found as on its page."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Router, Schema

from benchdb.api.auth import reader
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.ingest.contract import Fault
from benchdb.runs.listing.counting import count
from benchdb.runs.listing.filters import FACETS, RANGES
from benchdb.runs.listing.query import read
from benchdb.runs.listing.search import listed, page
from benchdb.runs.listing.table import labels_of
from benchdb.runs.models import Run
from benchdb.wording.times import known_start, read_start

from .run_answers import run_url

router = Router(tags=["runs"])

_SIZE = "a size such as `64K` or `8G`"
_TEXTS = {
    **{
        facet.name: f"The {facet.label}; repeat it for either of several, `{facet.word}` for none."
        for facet in FACETS.values()
    },
    **{
        f"{name}_{end}": f"The {end}imum of the {FACETS[name].label}: {_SIZE}."
        for name in RANGES
        for end in ("min", "max")
    },
    "since": "Only runs that began on this day (UTC) or later.",
    "until": "Only runs that began on this day (UTC) or earlier.",
    "campaign": "Id of a campaign.",
    "q": "Words that must all occur in models, kernel, distribution, file system, layers, machine or tool.",
    "sort": "`oldest`, or a column, with a minus sign for descending order. Without it the newest come first.",
}
FILTERS: dict[str, Any] = {
    "parameters": [
        {
            "name": name,
            "in": "query",
            "required": False,
            "schema": {"type": "array", "items": {"type": "string"}},
            "description": text,
        }
        for name, text in _TEXTS.items()
    ]
}


class ListedRunOut(Schema):
    """A run of a list: what it measured, where, and when."""

    run_id: UUID
    url: str
    label: str = Field(description="Tool, file system and machine, as in the tray.")
    state: str
    tool: str
    tool_version: str | None
    file_system: str | None
    machine: str
    kernel: str | None
    started_at: datetime | None
    dated: str
    labels: dict[str, str]


class RunsOut(Schema):
    """One page of the list. `next` is the query string of the following page, or null."""

    runs: list[ListedRunOut]
    next: str | None
    total: int


@router.get(
    "",
    response={200: RunsOut, frozenset({401, 403, 422, 429, 503}): ErrorOut},
    openapi_extra=FILTERS,
)
def get_runs(request: HttpRequest) -> RunsOut:
    """The runs that the reader may list and that match every filter, 50 at once. `total` counts those of all pages."""
    list_query, faults = read(request.GET)
    if faults:
        found = [Fault("", None, fault) for fault in faults]
        raise ApiError(422, "impossible_selection", "These runs cannot be listed.", found)
    owner = reader(request)
    states = listed(owner, list_query)
    counted = count(states, list_query, owner)
    run_page = page(states, list_query, counted, owner)
    labels = labels_of(run_page.runs)
    return RunsOut(
        runs=[_listed(request, run, labels[run.id]) for run in run_page.runs],
        next=run_page.next_query or None,
        total=counted.total,
    )


def _listed(request: HttpRequest, run: Run, label: str) -> ListedRunOut:
    dated = known_start(run.started_at, run.finished_at)
    return ListedRunOut(
        run_id=run.id,
        url=run_url(request, run),
        label=label,
        state=run.runstate.state,
        tool=run.tool,
        tool_version=run.tool_version,
        file_system=run.target.file_system,
        machine=run.machine.name,
        kernel=run.environment.kernel_release,
        started_at=run.started_at if isinstance(read_start(dated), datetime) else None,
        dated=dated,
        labels=run.runstate.labels,
    )
