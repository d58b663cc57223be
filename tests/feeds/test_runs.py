"""The feed of runs: its order, its pages, what enters it and what leaves it."""

from collections.abc import Callable
from email.utils import parsedate_to_datetime
from xml.etree.ElementTree import fromstring

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from benchdb.feeds import runs as feed_of_runs
from benchdb.runs.changes import number_changes
from benchdb.runs.models import Run, RunChange, Visibility
from benchdb.runs.services import delete_run, edit, limit_visibility, reinstate, withdraw
from benchdb.runs.store.summaries import adopt_parse
from benchdb.wording.clean import clean
from tests.feeds.read import ATOM, feed
from tests.support.comparing.exported import HOSTILE
from tests.support.documents import target
from tests.support.html import read
from tests.support.store import store_run

FEED = "/runs/feed.atom"


def ids(parsed: feed) -> list[str]:
    return [entry.id for entry in parsed.entries]


def test_the_newest_change_comes_first(client: Client, owner: User) -> None:
    first, second = store_run(owner), store_run(owner, target=target("xfs"))
    number_changes()
    assert ids(feed(client, FEED)) == [second.id.urn, first.id.urn]

    edit(first, {"disk": "new"}, Visibility.PUBLIC)
    number_changes()

    parsed = feed(client, FEED)
    assert ids(parsed) == [first.id.urn, second.id.urn]
    [entry, _] = parsed.entries
    assert entry.title.startswith("iozone")
    assert entry.link == f"http://testserver/runs/{first.id}/"
    assert "disk = new" in entry.summary
    assert entry.links[1] == {
        "rel": "alternate",
        "type": "application/json",
        "href": f"http://testserver/api/v1/runs/{first.id}",
    }
    assert entry.updated > entry.published
    assert parsed.feed.id == f"http://testserver{FEED}"


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_run_that_was_never_public_leaves_no_trace(ada: Client, owner: User, visibility: str) -> None:
    run = store_run(owner, visibility=visibility)
    withdraw(run, "secret")
    edit(run, {"secret": "yes"}, Visibility.PRIVATE)
    delete_run(run)
    number_changes()

    parsed = feed(ada, FEED)
    assert (parsed.entries, parsed.gone) == ([], {})
    assert not RunChange.objects.exists()


LEAVING: dict[str, Callable[[Run], None]] = {
    "withdrawn: the disk was failing": lambda run: withdraw(run, "the disk was failing"),
    "no longer public": lambda run: edit(run, {}, Visibility.UNLISTED),
    "no longer public ": lambda run: limit_visibility([run.pk], Visibility.PRIVATE),
    "deleted": delete_run,
}


@pytest.mark.parametrize("reason", LEAVING)
def test_a_run_that_leaves_is_a_removal_with_its_reason(client: Client, owner: User, reason: str) -> None:
    run, other = store_run(owner), store_run(owner)
    number_changes()
    before, urn = client.get(FEED)["ETag"], run.id.urn

    LEAVING[reason](run)

    # It has left at once, before the change has a number.
    assert urn not in ids(feed(client, FEED))
    number_changes()
    parsed = feed(client, FEED)
    assert ids(parsed) == [other.id.urn]
    assert parsed.gone == {urn: reason.strip()}
    assert client.get(FEED)["ETag"] != before
    # A filtered feed has entries only.
    filtered = feed(client, f"{FEED}?tool=iozone")
    assert (ids(filtered), filtered.gone) == ([other.id.urn], {})


def test_a_withdrawal_of_a_hidden_run_is_not_explained(client: Client, owner: User) -> None:
    run = store_run(owner)
    withdraw(run, "secret")
    edit(run, {}, Visibility.PRIVATE)
    number_changes()

    assert feed(client, FEED).gone == {run.id.urn: "no longer public"}


def test_what_is_done_with_a_run_that_left_is_not_told(owner: User) -> None:
    run, other = store_run(owner), store_run(owner, visibility="private")

    def number() -> int | None:
        number_changes()
        return RunChange.objects.get().number

    edit(run, {}, Visibility.PRIVATE)
    left = number()
    edit(run, {"secret": "yes"}, Visibility.UNLISTED)
    withdraw(run, "secret")
    reinstate(run)
    limit_visibility([run.pk, other.pk], Visibility.PRIVATE)
    adopt_parse(run.pk, 1, 1)
    assert left == number()
    delete_run(run)
    assert number() != left


def test_a_reinstated_run_comes_back(client: Client, owner: User) -> None:
    run = store_run(owner)
    withdraw(run, "a mistake")
    reinstate(run)
    number_changes()

    parsed = feed(client, FEED)
    assert (ids(parsed), parsed.gone) == ([run.id.urn], {})


def test_pages_lead_to_every_change_once(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_of_runs, "PAGE", 2)
    runs = [store_run(owner) for _ in range(5)]
    number_changes()
    seen: list[str] = []
    address: str | None = f"{FEED}?tool=iozone"
    while address is not None:
        parsed = feed(client, address)
        links = {link.rel: link.href for link in parsed.feed.links}
        assert links["first"] == f"http://testserver{FEED}?tool=iozone"
        seen += ids(parsed)
        address = links.get("next")
    assert seen == [run.id.urn for run in reversed(runs)]


def test_filters_are_those_of_the_list(client: Client, owner: User) -> None:
    ext4, _ = store_run(owner), store_run(owner, target=target("xfs"))
    number_changes()

    parsed = feed(client, f"{FEED}?file_system=ext4")
    assert ids(parsed) == [ext4.id.urn]
    assert parsed.feed.title == "Runs · ext4"
    page = read(client.get("/runs/?file_system=ext4"))
    [linked] = [found["href"] for tag, found in page.elements if tag == "link" and found.get("rel") == "alternate"]
    assert linked == page.links["Feed of these runs"] == f"{FEED}?file_system=ext4"
    refused = client.get(f"{FEED}?colour=red")
    assert (refused.status_code, refused["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert client.get(f"{FEED}?before=x").status_code == 404


def test_a_reader_that_has_it_gets_304(client: Client, owner: User) -> None:
    empty = client.get(FEED)
    assert not empty.has_header("Last-Modified")
    store_run(owner)
    number_changes()
    answer = client.get(FEED)
    assert client.get(FEED, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert parsedate_to_datetime(answer["Last-Modified"])
    assert client.get(FEED, headers={"If-None-Match": empty["ETag"]}).status_code == 200
    assert answer["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("query", ["", "?tool=iozone"])
def test_as_many_queries_for_one_run_as_for_several(client: Client, owner: User, query: str) -> None:
    def queries() -> int:
        number_changes()
        with CaptureQueriesContext(connection) as captured:
            client.get(FEED + query)
        return len(captured)

    withdraw(store_run(owner), "x")
    store_run(owner)
    queries()  # which reads the rows of facets that the process keeps
    few = queries()
    for _ in range(3):
        withdraw(store_run(owner), "x")
        store_run(owner)
    assert queries() == few <= 7


def test_hostile_words_stay_words(client: Client, owner: User) -> None:
    words = [text.replace("\x00", "") for text in HOSTILE]  # which PostgreSQL refuses
    edit(store_run(owner), {f"said {i}": text for i, text in enumerate(words)}, Visibility.PUBLIC)
    for text in words:
        withdraw(store_run(owner), text)
    number_changes()

    parsed = feed(client, FEED)

    [entry] = parsed.entries
    summary = str(fromstring(client.get(FEED).content).findtext(f"{ATOM}entry/{ATOM}summary"))
    labels = [escape(clean(f"said {i} = {text}")) for i, text in enumerate(words)]
    assert [label for label in labels if label not in summary] == []
    assert "<script" not in entry.summary
    assert sorted(parsed.gone.values()) == sorted(clean(f"withdrawn: {text}") for text in words)
