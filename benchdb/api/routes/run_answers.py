"""The answers about a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from uuid import UUID

import orjson
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from ninja import Schema
from ninja.responses import NinjaJSONEncoder

from benchdb.api.auth import reader
from benchdb.plans.queries import is_there
from benchdb.runs.costs import before_results
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured, ValuePlace, results_in_turn, results_of
from benchdb.wording.times import known_start, read_start

MOST_AT_ONCE = 2_000  # results of an answer that is made whole, so that an error of the database is a 503
RESULTS_A_PIECE = 500


class RunOut(Schema):
    """Where a run stands: `received → computing → ready`, or `failed` with the reason."""

    run_id: UUID
    url: str
    state: str
    failure: str = ""


class StoredRunOut(RunOut):
    """The answer to an upload; `machine` is the name that the server has for the run's machine now."""

    machine: str


class ArtifactOut(Schema):
    """Raw output of a tool; `url` gives it byte for byte."""

    name: str
    media_type: str
    size: int
    sha256: str
    url: str


class RunDetail(RunOut):
    """A run as its document said, with the statistics of its results, in base units."""

    document_schema: str
    agent_version: str
    tool: str
    tool_version: str | None
    command: list[str]
    parameters: dict[str, object]
    clock_resolution: float | None
    machine: str
    started_at: datetime | None
    finished_at: datetime | None
    dated: str
    campaign: dict[str, object] | None
    continues: UUID | None
    look: int
    labels: dict[str, str]
    visibility: str
    withdrawn: dict[str, object] | None
    environment: dict[str, object]
    target: dict[str, object]
    state_before: dict[str, object]
    protocol: dict[str, object]
    rounds: list[dict[str, object]]
    results: list[dict[str, object]]
    artifacts: list[ArtifactOut]
    extra: dict[str, object]


def state_out(request: HttpRequest, run: Run) -> RunOut:
    """The answer about the state of a run."""
    return RunOut(run_id=run.id, url=run_url(request, run), state=run.runstate.state, failure=run.runstate.failure)


def detail_answer(request: HttpRequest, run: Run) -> HttpResponseBase:
    """The answer about a run as JSON; at most seven queries beside the one that found it. Raises MustWait.

    Of a large run, results are read, written and freed piece by piece while the answer is sent.
    """
    before_results([run])
    detail = json.dumps(_detail(request, run).model_dump(exclude={"results"}), cls=NinjaJSONEncoder).encode()
    content_type = "application/json; charset=utf-8"
    if run.runstate.result_count <= MOST_AT_ONCE:
        return HttpResponse(_pieces(detail, iter(results_of(run))), content_type=content_type)
    return StreamingHttpResponse(_pieces(detail, results_in_turn(run)), content_type=content_type)


def _pieces(detail: bytes, results: Iterator[Measured]) -> Iterator[bytes]:
    yield detail[:-1] + b', "results": ['
    comma = b""
    while piece := list(islice(results, RESULTS_A_PIECE)):
        yield comma + orjson.dumps([_result(result) for result in piece])[1:-1]
        comma = b","
    yield b"]}"


def _detail(request: HttpRequest, run: Run) -> RunDetail:
    """Everything but the results."""
    user = reader(request)
    earlier = Run.objects.named_to(user).filter(pk=run.continues).only("pk").first() if run.continues else None
    dated = known_start(run.started_at, run.finished_at)
    exact = isinstance(read_start(dated), datetime)
    return RunDetail(
        run_id=run.id,
        url=run_url(request, run),
        state=run.runstate.state,
        failure=run.runstate.failure,
        document_schema=run.schema,
        agent_version=run.agent_version,
        tool=run.tool,
        tool_version=run.tool_version,
        command=run.command,
        parameters=run.parameters,
        clock_resolution=run.clock_resolution,
        machine=run.machine.name,
        started_at=run.started_at if exact else None,
        finished_at=run.finished_at if exact else None,
        dated=dated,
        campaign={"id": str(run.campaign_id), "point": run.campaign_point}
        if run.campaign_id and is_there(run.campaign_id, run, user)
        else None,
        continues=earlier.pk if earlier else None,
        look=run.look,
        labels=run.runstate.labels,
        visibility=run.runstate.visibility,
        withdrawn=_withdrawn(run),
        environment=run.environment.facts,
        target=run.target.facts,
        state_before=run.state_before,
        protocol=run.protocol,
        rounds=run.rounds,
        results=[],
        artifacts=_artifacts(request, run),
        extra=run.extra,
    )


def run_url(request: HttpRequest, run: Run) -> str:
    """The address of the page of a run."""
    return request.build_absolute_uri(run.get_absolute_url())


def _withdrawn(run: Run) -> dict[str, object] | None:
    state = run.runstate
    return {"at": state.withdrawn_at, "reason": state.withdrawn_reason} if state.withdrawn_at else None


def _result(result: Measured) -> dict[str, object]:
    return {**result.as_dict(), "source": _as_sent(result.source) if result.source else None}


def _as_sent(places: Sequence[ValuePlace | None]) -> dict[str, list[str | int | None]]:
    """The places of values in the form of documents."""
    return {f"{key}s": [place and place[key] for place in places] for key in ("artifact", "line")}


def _artifacts(request: HttpRequest, run: Run) -> list[ArtifactOut]:
    rows = run.artifacts.order_by("ordinal").values_list("name", "media_type", "size", "sha256")
    return [
        ArtifactOut(
            name=name,
            media_type=media_type,
            size=size,
            sha256=bytes(sha256).hex(),
            url=request.build_absolute_uri(reverse("api-1:artifact", args=[run.pk, name])),
        )
        for name, media_type, size, sha256 in rows
    ]
