"""`/machines/`: the inventory, for readers who may list a run of a machine."""

from hashlib import sha256
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.catalog.models import Machine
from benchdb.machines.inventory import PAGE
from benchdb.runs.models import Run
from tests.support.campaigns import make_machine
from tests.support.documents import GIB, environment
from tests.support.html import Page, read
from tests.support.store import make_user, store_run


def listed(client: Client, status: int = 200, **query: Any) -> Page:
    return read(client.get("/machines/", query), status)


def names(page: Page) -> list[str]:
    return [row[0].text for row in page.tables.get("machines", [])[1:]]


def on(owner: User, name: str, *, memory: int = 8 * GIB, cpu: str = "EPYC", kernel: str = "6.1", **fields: Any) -> Run:
    """A run on a machine of this name."""
    facts = environment()
    facts["cpu"] |= {"model": cpu}
    facts["memory"] |= {"total": memory, "usable": None}
    facts["kernel"] |= {"release": kernel}
    return store_run(
        owner, machine={"name": name, "machine_id": sha256(name.encode()).hexdigest()}, environment=facts, **fields
    )


def test_an_empty_inventory_says_how_to_fill_it(client: Client, db: None) -> None:
    page = listed(client)

    assert "No machines yet" in page.text
    assert (page.links["Measure a machine"], page.links["Sign in to see your own machines"]) == ("/agent/", "/login/")


def test_a_row_says_what_the_machine_is(client: Client, owner: User) -> None:
    run = on(owner, "epyc-2")
    on(owner, "epyc-2")

    page = listed(client)

    assert [cell.text for cell in page.tables["machines"][1]] == [
        "epyc-2",
        "EPYC 32 threads",
        "8 GiB",
        "4 × ST4000NM0035 3.64 TiB",
        "6.1 Debian GNU/Linux 12 (bookworm)",
        "2",
        "20 Nov 2026 20:01 UTC",
    ]
    assert page.links["epyc-2"] == f"/machines/{run.machine_id}/"
    assert page.links["2"] == f"/runs/?machine={run.machine_id}"


def test_a_machine_shows_only_through_runs_that_may_be_listed(client: Client, owner: User) -> None:
    on(owner, "hidden", visibility="private")
    on(owner, "by-address", visibility="unlisted")
    on(owner, "open", cpu="public CPU")
    on(owner, "open", cpu="private CPU", visibility="private")

    for user in (None, make_user("eve")):
        if user is not None:
            client.force_login(user)
        page = listed(client)
        assert names(page) == ["open"]
        assert page.tables["machines"][1][1].text.startswith("public CPU")
        assert page.tables["machines"][1][5].text == "1"
        assert "private CPU" not in client.get("/machines/").content.decode()
    client.force_login(owner)
    assert set(names(listed(client))) == {"hidden", "by-address", "open"}


def test_ones_own_machines_without_a_run_stand_apart(client: Client, owner: User) -> None:
    machine = make_machine(owner, "waiting-1")

    assert "waiting-1" not in listed(client).text
    client.force_login(owner)
    assert listed(client).links["waiting-1"] == f"/machines/{machine.pk}/"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"q": "xeon"}, ["b"]),
        ({"q": "st4000"}, ["b", "a"]),
        ({"q": "6.12 xeon"}, ["b"]),
        ({"cpu": "Xeon"}, ["b"]),
        ({"kernel": "6.1"}, ["a"]),
        ({"cpu": "Xeon", "kernel": "6.1"}, []),
        ({"q": "%"}, []),
    ],
)
def test_filters(client: Client, owner: User, query: dict[str, str], expected: list[str]) -> None:
    on(owner, "a")
    on(owner, "b", cpu="Xeon", kernel="6.12")

    page = listed(client, **query)

    assert names(page) == expected
    assert expected or "No machine matches" in page.text


def test_menus_count_what_the_other_filters_leave(client: Client, owner: User) -> None:
    on(owner, "a")
    on(owner, "b")
    on(owner, "c", cpu="Opteron")
    on(owner, "d", cpu="Xeon", kernel="6.12")

    text = listed(client, kernel="6.1").text

    assert "any EPYC (2) Opteron (1) kernel any 6.1 (3) 6.12 (1)" in text


@pytest.mark.parametrize(
    ("sort", "expected"),
    [("", ["c", "B", "a"]), ("name", ["a", "B", "c"]), ("memory", ["B", "c", "a"]), ("runs", ["a", "c", "B"])],
)
def test_orders_and_their_pages(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch, sort: str, expected: list[str]
) -> None:
    monkeypatch.setattr("benchdb.machines.inventory.PAGE", 1)
    on(owner, "a", memory=GIB)
    on(owner, "a", memory=GIB)
    on(owner, "B", memory=4 * GIB)
    on(owner, "c", memory=2 * GIB)

    page = listed(client, sort=sort)
    seen = names(page)
    while "More machines →" in page.links:
        page = read(client.get(page.links["More machines →"]))
        seen += names(page)

    # With equal numbers of runs, the machine that was added last comes first.
    assert seen == expected
    assert page.links["First page"] == (f"/machines/?sort={sort}" if sort else "/machines/")


def test_they_stand_in_the_order_of_the_time_that_they_show(client: Client, owner: User) -> None:
    on(owner, "now")
    on(owner, "long-ago", started_at="2009-05-31T00:00:00Z", finished_at="2009-05-31T00:00:00Z")  # imported later

    assert names(listed(client)) == ["now", "long-ago"]


def test_heads_sort_and_say_how_it_is_sorted(client: Client, owner: User) -> None:
    on(owner, "a")

    page = listed(client, q="a", sort="name")

    assert page.links["Memory"] == "/machines/?q=a&sort=memory"
    assert [attributes["aria-sort"] for _, attributes in page.elements if "aria-sort" in attributes] == ["ascending"]


@pytest.mark.parametrize("query", [{"sort": "luck"}, {"after": "x"}, {"q": "\x00"}, {"colour": "red"}])
def test_a_filter_that_cannot_be_read_is_said(client: Client, owner: User, query: dict[str, str]) -> None:
    on(owner, "a")

    page = listed(client, 400, **query)

    assert "Nothing is listed" in page.text
    assert names(page) == []


def test_names_are_shown_as_text(client: Client, owner: User) -> None:
    on(owner, "<script>alert(1)</script>", cpu="<img src=x>", kernel='"><b>')

    html = client.get("/machines/").content.decode()

    for hostile in ("<script>alert", "<img", "<b>"):
        assert hostile not in html


def test_many_machines_take_no_more_queries(client: Client, owner: User) -> None:
    first = on(owner, "m0")
    with CaptureQueriesContext(connection) as few:
        listed(client)
    for i in range(1, 6):
        on(owner, f"m{i}", cpu=f"CPU {i}")
    with CaptureQueriesContext(connection) as many:
        assert len(names(listed(client))) == 6

    assert len(few) == len(many) == 5  # the newest runs, the page, and one query for each menu
    assert Machine.objects.filter(pk=first.machine_id).exists()
    assert PAGE >= 6
