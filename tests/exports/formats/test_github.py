"""The JSON of github-action-benchmark, one direction a file."""

import json

import pytest
from django.contrib.auth.models import User

from benchdb.compare.content import Content
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.exports.formats import FORMATS
from tests.support.comparing.comparisons import SPREAD, values
from tests.support.comparing.exported import FROZEN, a_table
from tests.support.documents import result
from tests.support.store import store_run


def entries(table: Content, form: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(FORMATS[form].export(table, FROZEN))
    return found


def test_figures_of_which_more_is_better_are_in_one_file(owner: User) -> None:
    table = a_table(owner)

    [write] = [entry for entry in entries(table, "bigger") if entry["name"] == "xfs · Write · 1 MiB, throughput"]

    assert (write["unit"], write["extra"]) == ("MiB/s", f"n = 6\n{FROZEN.address}")
    assert write["value"] == pytest.approx(120)
    assert str(write["range"]).startswith("± 0.5")
    assert entries(table, "smaller") == []


def test_figures_of_which_less_is_better_are_in_the_other(owner: User) -> None:
    run = store_run(owner, rounds=len(SPREAD), results=[result(values(2.0), "mkfs", "elapsed", "s")])
    table = evaluate(Selection.parse(f"run={run.id}"), owner)[0]

    assert [(entry["value"], entry["unit"]) for entry in entries(table, "smaller")] == [(pytest.approx(2), "s")]
    assert entries(table, "bigger") == []
