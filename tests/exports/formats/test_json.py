"""JSON: the content itself, with its address."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.content_json import to_json
from benchdb.compare.permalinks.services import share
from benchdb.exports.formats import FORMATS
from tests.support.comparing.comparisons import SPREAD, compared_runs, ids
from tests.support.comparing.exported import FROZEN, a_table
from tests.support.documents import MIB


def test_it_is_the_table_itself(client: Client, owner: User) -> None:
    answer = client.get(f"/compare/table.json?{ids(compared_runs(owner))}")

    assert answer["Content-Type"] == "application/json; charset=utf-8"
    table = answer.json()
    assert table["schema"] == "benchdb.table/3"
    assert table["address"].startswith("http://testserver/compare/?run=")
    assert table["frozen"] is False
    cell = table["groups"][0]["rows"][1]["cells"][0]
    assert (cell["mean"], cell["verdict"]["kind"]) == (pytest.approx(120 * MIB), "better")
    assert cell["values"] == [120 * MIB * share for share in SPREAD]


def test_a_permalink_gives_what_was_frozen(client: Client, owner: User) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))

    content = client.get(f"/c/{link.id}.json").json()

    address = {"address": f"http://testserver/c/{link.id}/", "frozen": True}
    assert content == {**link.content, **address}


def test_every_digit_of_a_figure_is_in_it(owner: User) -> None:
    table = a_table(owner)

    assert json.loads(FORMATS["json"].export(table, FROZEN)) == {
        "address": FROZEN.address,
        "frozen": True,
        **to_json(table),
    }
