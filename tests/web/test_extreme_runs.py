"""Runs with the smallest and largest figures of the contract are in nobody's way: no page and no file answers 500."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.exports.formats import FORMATS
from benchdb.ingest.contract.field_types import MAX_INTEGER, MAX_QUANTITY
from benchdb.ingest.contract.result import MAX_INT
from benchdb.ingest.contract.series import LONGEST_ROUND, SHORTEST_STEP
from benchdb.runs.models import Result, Run
from tests.support.documents import GIB, MIB, document, result, round_, series
from tests.support.made import make_all
from tests.support.store import store_run

SMALLEST = 5e-324
VALUES = ([SMALLEST] * 3, [1e-300, 1e-300, 1.1e-300], [0.0] * 3, [0.0, SMALLEST, MAX_QUANTITY])
LINK = re.compile(r'(?:href|src)="(/[^"#]*)')
NO_PAGE = re.compile(r"/(static|docs|agent|articles|login|sign-up|api/docs)")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[?].*|[0-9]+")
OF_EACH_KIND = 2  # addresses that differ in ids, numbers and queries only


def extreme(values: list[float], number: int) -> dict[str, Any]:
    """A run of the same workload as others, on another machine."""
    results = [
        result(values, file_size=GIB, record_size=MIB),
        result(values, "read", "latency_mean", "s", file_size=MAX_INTEGER, record_size=1, threads=1_000_000),
        result(None, "rewrite", summary={"n": MAX_INT, "mean": values[0], "sd": values[-1], "step": SMALLEST}),
    ]
    own = {"name": "operations", "source": "x", "scale": SMALLEST}
    of_time = [
        series([0] * 20 + [1] * 20, test="write", start=LONGEST_ROUND - 1, step=SHORTEST_STEP, **own),
        series([1, 2, 10**17], test="read", start=0.0, step=LONGEST_ROUND / 3, **{**own, "scale": 1}),
    ]
    times = {"started_at": "1970-01-01T00:00:00+00:00", "finished_at": "9998-12-31T23:59:59+00:00"}
    place = {"machine": {"name": "extreme", "machine_id": "c" * 64}, "file_system": ("ext4", "xfs")[number % 2]}
    rounds = [round_(position) | {"position": MAX_INTEGER} for position in range(3)]
    sent = document(results=results, artifacts=[], series=of_time, visibility="public", **place)
    return sent | times | {"rounds": rounds}


@pytest.fixture
def runs(owner: User) -> list[Run]:
    """Two ordinary runs, and extreme ones of their workload and components."""
    ordinary = [store_run(owner, file_system=name) for name in ("ext4", "xfs")]
    sent = [extreme(values, number) for number, values in enumerate(VALUES)]
    stored = [*ordinary, *(store_run(owner, each) for each in sent)]
    # As an earlier contract allowed.
    Result.objects.exclude(given=None).update(given={"n": MAX_INTEGER, "mean": SMALLEST, "sd": MAX_QUANTITY})
    return stored


def begun(runs: list[Run]) -> Iterator[str]:
    """The addresses of these runs, and of what compares them."""
    yield from ("/", "/runs/feed.atom", "/runs/all/", "/search/?q=ext4", "/questions/best/", "/questions/facts/")
    yield from ("/api/v1/runs", "/api/v1/changes", "/status/")
    for run in runs:
        yield from (f"/runs/{run.pk}/{page}" for page in ("", "others/", "published/", "again/", "panels"))
        yield from (f"/runs/{run.pk}/{page}" for page in ("inside/", "inside.csv", "inside.svg", "results/0/"))
        yield from (f"/api/v1/runs/{run.pk}{part}" for part in ("", "/state", "/document", "/results", "/series"))
    for chosen in ([runs[0], runs[2]], runs):
        query = "&".join(f"run={run.pk}" for run in chosen)
        for metric in ("&test=write", "&metric=latency_mean"):
            yield from (f"/{path}/?{query}{metric}" for path in ("compare", "surface", "trend", "response"))
    yield from (f"/compare/table.{form}?{query}" for form in FORMATS)
    yield from (f"/trend/trend.{form}?run={runs[2].pk}&test=write" for form in FORMATS)


@pytest.mark.django_db
def test_extreme_figures_are_in_nobody_s_way(runs: list[Run], client: Client) -> None:
    client.raise_request_exception = False
    waiting, seen, kinds, failed = deque(begun(runs)), set[str](), Counter[str](), list[str]()
    while waiting:
        path = waiting.popleft()
        seen.add(path)
        answer = client.get(path)
        if answer.status_code == HTTPStatus.ACCEPTED:
            make_all()
            answer = client.get(path)
        if answer.status_code >= 500:
            failed.append(path)
        elif "html" in answer.headers.get("Content-Type", "") and not answer.streaming:
            for link in map(unescape, LINK.findall(answer.content.decode())):
                kind = ID.sub("", link)
                if link not in seen and not NO_PAGE.match(link) and kinds[kind] < OF_EACH_KIND:
                    kinds[kind] += 1
                    waiting.append(link)
    assert failed == []
