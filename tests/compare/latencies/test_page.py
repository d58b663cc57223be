"""The page that draws distributions of rivals over each other: its curves, its table, its links, and its readers."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.runs.models import Run
from tests.compare.verdicts.test_tails import compared, measured
from tests.support.html import parse

pytestmark = pytest.mark.django_db


def address(runs: list[Run], key: str) -> str:
    return f"/compare/latencies/?{'&'.join(f'run={run.id}' for run in runs)}&cell={key}"


def three(owner: User, *tests: str) -> list[Run]:
    slow = (5_000_000, 16_000_000, 5_100_000)
    return compared(owner, *([each for test in tests for each in measured(of_run, test)] for of_run in slow))


def test_every_rival_has_its_curves_and_a_column(ada: Client, owner: User) -> None:
    answer = ada.get(address(three(owner, "write", "read"), "0-1-1"))
    assert answer.status_code == 200
    page = answer.context

    assert [curve["label"] for curve in page["curves"]["curves"]] == ["ext4", "xfs", "btrfs"]
    assert [len(curve["rounds"]) for curve in page["curves"]["curves"]] == [6, 6, 6]
    assert page["curves"]["curves"][0]["note"] == "120 000 operations in 6 rounds".replace(" 0", "\u202f0", 1)
    assert page["others"].startswith("Read")
    assert (page["baseline"], [label for label, _ in page["verdicts"]]) == ("ext4", ["xfs", "btrfs"])
    (line,) = (line for line in page["lines"] if line["name"] == "p99.9")
    base, other, _ = line["cells"]
    assert (base["change"], other["change"]) == (None, "3.2× longer")
    assert other["change_interval"].endswith("×")
    assert base["interval"]


def test_panels_and_views_of_a_table_lead_to_the_page(ada: Client, owner: User) -> None:
    query = "&".join(f"run={run.id}" for run in three(owner, "write"))
    panels = ada.get(f"/compare/panels?{query}&row=0-1").json()
    (href,) = {panel["views"]["latencies"] for panel in panels.values()}
    assert ada.get(href).status_code == 200

    chosen = parse(ada.get(f"/compare/?{query}&cell=0-0-0").content.decode())
    assert ada.get(chosen.links["Latencies"]).context["curves"]["curves"][0]["label"] == "ext4"


@pytest.mark.parametrize("key", ["0-9-0", "", "nonsense"])
def test_other_cells_are_not_there(ada: Client, owner: User, key: str) -> None:
    assert ada.get(address(three(owner, "write"), key)).status_code == 404


def test_private_runs_are_seen_by_their_owner_only(client: Client, owner: User) -> None:
    path = address(compared(owner, measured(5_000_000), measured(16_000_000), visibility="private"), "0-0-0")
    assert client.get(path).status_code == 404
    client.force_login(owner)
    assert client.get(path).status_code == 200


def test_the_number_of_queries_does_not_grow(ada: Client, owner: User) -> None:
    def queries(*tests: str, rivals: int) -> int:
        path = address(three(owner, *tests)[:rivals], "0-1-0")
        with CaptureQueriesContext(connection) as captured:
            assert ada.get(path).status_code == 200
        return len(captured)

    queries("write", rivals=2)  # fills the caches
    assert queries("write", rivals=2) == queries("write", "read", "rewrite", rivals=3)
