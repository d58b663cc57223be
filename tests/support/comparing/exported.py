"""Tables and surfaces to export, and texts that do harm if a format does not escape them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import User

from benchdb.compare.content import Content
from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.query.selection import Selection
from benchdb.compare.response.evaluate import evaluate_response
from benchdb.compare.response.selection import ResponseSelection
from benchdb.compare.surface.evaluate import SurfaceSelection, evaluate_surface
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.trend.evaluate import evaluate_trend
from benchdb.compare.trend.selection import TrendSelection
from benchdb.exports.origin import Origin
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.comparing.responses import response_runs
from tests.support.comparing.trends import upgraded
from tests.support.documents import KIB, MIB, result
from tests.support.store import store_run

ADDRESS = "http://testserver/c/abcdefgh23456723/"
FROZEN = Origin(ADDRESS, frozen=True)
LIVE = Origin("http://testserver/compare/?run=1&run=2", frozen=False)

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    r"\input{/etc/passwd}",
    r"\\ & % $ # _ { } ~ ^ -- `x' [1]",
    "$\\frac{1}{0}$",
    "[url=http://evil.example]x[/url][/td]",
    "[x](javascript:alert(1)) | `b` **c** www.evil.example",
    "| --- |",
    "a\x00b\x1bc\u202ed",
    "naïve Ångström 文件系统 🐘",
    "{best} {0} %s",
    "tab\tand\nbreak\r\nhere",
    "- list",
    "1. list",
    " " * 5 + "+1",
]


Kind = Callable[[User], Content]


def once(kind: Kind) -> Kind:
    """Evaluate a content for the first test that uses it."""
    evaluated: list[Content] = []

    @wraps(kind)
    def kept(owner: User) -> Content:
        if not evaluated:
            evaluated.append(kind(owner))
        return evaluated[0]

    return kept


@once
def a_table(owner: User) -> Content:
    """Three file systems, two tests, two record sizes: a better, an equivalent, a best."""
    return evaluate(Selection.parse(ids(compared_runs(owner, record_sizes=(64 * KIB, MIB)))), owner)[0]


@once
def a_table_with_failures(owner: User) -> Content:
    """One run with a failed test, one that was too fast, and one value that measured memory."""
    results = [
        result([None], status="failed", error="No space left on device"),
        result([None], "read", status="unmeasurable"),
        result([1e8], "rewrite", file_size=64 * KIB),
    ]
    run = store_run(owner, rounds=1, results=results)
    return evaluate(Selection.parse(f"run={run.id}&columns=test&split=file_size"), owner)[0]


@once
def a_surface(owner: User) -> Content:
    """A surface with a hole, a failed cell and one that was too fast."""
    return evaluate_surface(SurfaceSelection.parse(f"run={surface_run(owner).id}"), owner)[0]


@once
def two_surfaces(owner: User) -> Content:
    """Two surfaces with their ratio."""
    runs = [surface_run(owner, rounds=4, file_system=name) for name in ("ext4", "xfs")]
    return evaluate_surface(SurfaceSelection.parse(ids(runs)), owner)[0]


@once
def a_trend(owner: User) -> Content:
    """Sixteen runs with a change of kernel and of level in between."""
    run = upgraded(owner)[0]
    return evaluate_trend(TrendSelection.parse(f"run={run.id}&test=random_write"), owner)[0]


@once
def a_response(owner: User) -> Content:
    """Curves of two file systems, each with a knee."""
    return evaluate_response(ResponseSelection.parse(ids(response_runs(owner))), owner)[0]


KINDS: list[Kind] = [a_table, a_table_with_failures, a_surface, two_surfaces, a_trend, a_response]


def saying(content: Content, words: str) -> Content:
    """The content with these words in all texts that can come from users, machines or tools."""
    return from_json(_saying(to_json(content), words))


def _saying(changed: dict[str, Any], words: str) -> dict[str, Any]:
    changed["title"] = changed["subtitle"] = words
    changed["notes"] = [words]
    changed["differences"] = [
        {"name": "x", "label": words, "severe": True, "inside": [], "values": [{"value": words, "where": [words]}] * 2}
    ]
    if "groups" not in changed:
        for surface in changed.get("surfaces") or changed.get("curves") or changed["series"]:
            surface["label"] = words
        return changed
    changed["baseline"] = words
    for head in changed["heads"][:1]:
        head["label"] = words
    for group in changed["groups"]:
        group["label"] = words + group["label"]
        group["rows"][0]["label"] = words
        for cell in group["rows"][-1]["cells"][-1:]:
            if cell is not None:
                cell |= {"status": "failed", "error": words, "mean": None, "sd": None, "low": None, "high": None}
                cell["text"] = {"mean": "", "sd": "", "shown": "", "beneath": ""}
    return changed
