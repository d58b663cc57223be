"""The panels of a row of a table, live and frozen, with the permissions of the page."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.permalinks.services import revoke, share
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.comparing.panels import panel_address, panels_of
from tests.support.documents import KIB, MIB, result
from tests.support.html import read
from tests.support.store import store_run


def test_a_row_has_the_panels_of_its_cells_and_no_others(client: Client, owner: User) -> None:
    runs = compared_runs(owner, record_sizes=(64 * KIB, MIB))

    panels = client.get(f"/compare/panels?{ids(runs)}&row=1-1").json()

    assert (list(panels), panels["c1-1-1"]["title"]) == (["c1-1-0", "c1-1-1"], "xfs · Read · 1 MiB records")
    assert len(panels["c1-1-1"]["values"]) == 6


def test_a_panel_has_the_tools_own_name_of_its_test(client: Client, owner: User) -> None:
    def of_tool(tool: str) -> Run:
        work = {"tool": tool, "tool_version": None, "command": [tool], "parameters": {}}
        return store_run(owner, workload=work, results=[result([1e8, 1.1e8, 1.2e8], "flowops")])

    runs = [of_tool(tool) for tool in ("filebench", "fsload")]

    first, second = (client.get(f"/compare/panels?{ids(runs)}&row=0-{row}").json()[f"c0-{row}-0"] for row in (0, 1))

    assert first["facts"][0] == ["named by filebench", "IO Summary"]
    assert second["facts"][0] == ["named by fsload", "wml"]
    page = read(client.get(f"/runs/{runs[0].id}/results/0/"))
    assert "named by filebench IO Summary" in page.text


def test_a_permalink_has_the_same_panels_without_surfaces(client: Client, owner: User) -> None:
    runs = [surface_run(owner), surface_run(owner, file_system="xfs", factor=2)]
    link = share(owner, "table", ids(runs))[0].get_absolute_url()
    live, frozen = read(client.get(f"/compare/?{ids(runs)}")), read(client.get(link))

    assert panel_address(frozen) == f"{link}panels"
    of_live, of_frozen = panels_of(client, live), panels_of(client, frozen)
    assert "surface" in of_live["c0-1-0"]["views"]
    for panel in (*of_live.values(), *of_frozen.values()):
        panel["views"] = {}
    assert of_frozen == of_live


def test_hostile_names_stay_data(client: Client, owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "<script>alert(1)</script>": 120 * MIB})

    answer = client.get(f"/compare/panels?{ids(runs)}&row=0-1")

    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("application/json", "nosniff")
    assert json.loads(answer.content)["c0-1-0"]["title"].startswith("<script>")


@pytest.mark.parametrize("row", ["", "9-0", "0", "0-1-1", "<script>", "0-0&row="])
def test_another_row_is_not_found(client: Client, owner: User, row: str) -> None:
    query = ids(compared_runs(owner))
    link = share(owner, "table", query)[0].get_absolute_url()

    assert client.get(f"/compare/panels?{query}&row={row}").status_code == 404
    assert client.get(f"{link}panels?row={row}").status_code == 404


def test_strangers_get_no_panels_of_private_runs(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner, visibility="private"))

    assert client.get(f"/compare/panels?{query}&row=0-0").status_code == 404
    client.force_login(owner)
    assert client.get(f"/compare/panels?{query}&row=0-0").status_code == 200


def test_an_impossible_selection_is_refused_with_its_faults(client: Client, owner: User) -> None:
    answer = client.get(f"/compare/panels?{ids(compared_runs(owner))}&test=nonsense&row=0-0")

    assert (answer.status_code, answer["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert "nonsense" in answer.content.decode()


def test_a_permalink_that_is_gone_or_no_table_has_none(client: Client, owner: User) -> None:
    runs = [surface_run(owner), surface_run(owner, file_system="xfs")]
    table, surface = (share(owner, kind, ids(runs))[0] for kind in ("table", "surface"))

    assert client.get(f"{surface.get_absolute_url()}panels?row=0-0").status_code == 404
    assert client.get("/c/aaaaaaaaaaaa/panels?row=0-0").status_code == 404
    revoke(owner, table.id)
    assert client.get(f"{table.get_absolute_url()}panels?row=0-0").status_code == 410


def test_a_reader_with_a_copy_gets_no_second_one(client: Client, owner: User) -> None:
    link = share(owner, "table", ids(compared_runs(owner)))[0].get_absolute_url()
    tag = client.get(f"{link}panels?row=0-0")["ETag"]

    assert client.get(f"{link}panels?row=0-0", headers={"If-None-Match": tag}).status_code == 304
    assert client.get(f"{link}panels?row=0-1", headers={"If-None-Match": tag}).status_code == 200
