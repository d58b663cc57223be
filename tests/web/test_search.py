"""`/search/`: one box for everything that has a name and is visible to the reader."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.permalinks.services import share
from tests.support.campaigns import campaign_document, make_machine, queue_tiny, store_campaign
from tests.support.comparing.comparisons import campaign, compared_runs, ids, unknown_id
from tests.support.documents import KIB, MIB, result
from tests.support.html import Page, read
from tests.support.store import make_user, store_run


def found(client: Client, words: str) -> Page:
    return read(client.get("/search/", {"q": words}))


def test_models_machines_and_runs_are_found_by_parts_of_their_names(client: Client, owner: User) -> None:
    [run, *_] = compared_runs(owner)
    machine, kernel = run.machine, run.environment.kernel_release
    assert found(client, kernel[:4]).links[kernel] == f"/kernels/{kernel}/"
    page = found(client, machine.name.upper())
    assert machine.name in page.links
    assert page.links["iozone on ext4"] == run.get_absolute_url()
    assert f"iozone on ext4 file size 1 GiB · record size 1 MiB, {machine.name}, {kernel}" in page.text
    assert found(client, "btrfs").links["btrfs"] == "/file-systems/btrfs/"
    assert "file system, 1 run" in found(client, "btrfs").text
    assert found(client, "raid 6").links["RAID 6, 128 KiB chunk"] == "/raid/raid6-128K/"
    assert found(client, "debian").links["Debian GNU/Linux 12 (bookworm)"].startswith("/runs/?os=Debian")


def test_every_word_must_stand_in_what_is_found(client: Client, owner: User) -> None:
    compared_runs(owner)
    assert "iozone on xfs" in found(client, "xfs iozone").links
    assert "No results for “xfs bonnie++”" in found(client, "xfs bonnie++").text


def test_more_runs_than_are_shown_are_counted_and_linked(client: Client, owner: User) -> None:
    for _ in range(10):
        store_run(owner, file_system="xfs")
    assert found(client, "xfs").links["All 10 runs that match"] == "/runs/?q=xfs"
    assert client.get("/runs/?q=xfs").status_code == 200


def test_campaigns_and_own_permalinks_are_found(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, campaign_document())
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    assert found(client, campaign.plan_name).links[campaign.plan_name] == campaign.get_absolute_url()
    title = link.content["title"]
    assert title not in found(client, title).links
    client.force_login(owner)
    assert found(client, title).links[title] == link.get_absolute_url()


def test_machines_that_look_alike_are_told_apart(client: Client, owner: User) -> None:
    other = campaign_document(machine={"name": "Epyc-2", "machine_id": "6b" * 32})
    store_run(owner, machine=other["machine"])
    store_run(owner, machine=campaign_document()["machine"])

    for made in (store_campaign(owner), store_campaign(owner, other)):
        name = f"{made.machine.name} (machine {made.machine_id})"
        assert name in found(client, "epyc").links

    assert f"on {name}" in found(client, "tiny").text


def test_articles_are_found(client: Client, db: None) -> None:
    assert "Articles" in found(client, "layton throughput").text or "No results" in found(client, "layton").text


def test_an_id_leads_to_what_it_names(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    link, _ = share(owner, "table", ids(runs))
    campaign = store_campaign(owner, campaign_document())
    for text, address in (
        (str(runs[0].id), runs[0].get_absolute_url()),
        (f"https://bench.example/runs/{runs[0].id}/#r1", runs[0].get_absolute_url()),
        (link.id, link.get_absolute_url()),
        (str(campaign.id), campaign.get_absolute_url()),
    ):
        assert client.get("/search/", {"q": text})["Location"] == address
    assert "No results" in found(client, unknown_id()).text


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_nobody_finds_what_lists_do_not_show(client: Client, owner: User, visibility: str) -> None:
    run = store_run(owner, visibility=visibility, file_system="f2fs")
    assert "No results" in found(client, "f2fs").text
    assert "No results" in found(client, run.machine.name).text
    if visibility == "private":
        assert client.get("/search/", {"q": str(run.id)}).status_code == 200
    client.force_login(make_user("eve"))
    assert "No results" in found(client, "f2fs").text
    client.force_login(owner)
    assert "f2fs" in found(client, "f2fs").links


def test_a_search_without_matches_leads_to_the_lists_of_components(client: Client, db: None) -> None:
    for page in (found(client, ""), found(client, "no such thing")):
        assert page.links["RAID layouts"] == "/raid/"


def test_labels_are_found_by_name_and_value(client: Client, owner: User) -> None:
    store_run(owner, labels={"plan": "nightly", "patch": "with 100%"})
    store_run(owner, labels={"plan": "nightly"})
    store_run(owner, labels={"plan": "secret"}, visibility="private")
    page = found(client, "nightly")
    assert page.links["plan nightly"] == "/runs/?label=plan%3Dnightly"
    assert "plan nightly 2 runs" in page.text
    assert client.get(page.links["plan nightly"]).status_code == 200
    assert found(client, "PATCH 100%").links["patch with 100%"] == "/runs/?label=patch%3Dwith+100%25"
    assert "plan=nightly" not in found(client, "plan=night").links
    assert "plan nightly" in found(client, "plan=night").links
    assert "No results" in found(client, "secret").text
    assert "No results" in found(client, "night_y").text


def test_plans_are_found_by_those_who_may_queue_them(client: Client, owner: User) -> None:
    job = queue_tiny(make_machine(owner))
    assert "Plans" not in found(client, "directory").text
    client.force_login(owner)
    assert found(client, "director").links["directory"] == "/plans/new/?plan=directory"
    assert client.get("/plans/new/?plan=directory").status_code == 200
    assert found(client, "tiny").links["tiny"] == job.get_absolute_url()
    client.force_login(make_user("eve"))
    assert job.get_absolute_url() not in found(client, "tiny").links.values()


def test_nobody_finds_accounts_but_the_own_one(client: Client, owner: User) -> None:
    store_run(owner)
    assert "No results" in found(client, owner.username).text
    client.force_login(make_user("eve"))
    assert "No results" in found(client, owner.username).text
    client.force_login(owner)
    page = found(client, owner.username.upper())
    assert "my account, 1 run" in page.text
    assert "/runs/?owner=me" in [attributes.get("href") for _, attributes in page.elements]


def test_an_admin_finds_all_accounts(client: Client, owner: User) -> None:
    admin = make_user("root", is_staff=True, is_superuser=True)
    client.force_login(admin)
    page = found(client, owner.username)
    assert page.links[owner.username] == f"/admin/auth/user/{owner.pk}/change/"
    assert client.get(page.links[owner.username]).status_code == 200


def test_staff_without_the_right_to_see_accounts_finds_none(client: Client, owner: User) -> None:
    client.force_login(make_user("helper", is_staff=True))
    assert "No results" in found(client, owner.username).text


def test_the_beginning_of_an_id_finds_what_lists_show(client: Client, owner: User) -> None:
    run, campaign = store_run(owner), store_campaign(owner, campaign_document())
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    for record in (run, campaign):
        beginning = str(record.pk)[:22]
        assert found(client, beginning.upper()).links[str(record.pk)] == record.get_absolute_url()
        assert str(record.pk) in found(client, beginning.replace("-", "")).links
    assert str(run.pk) in found(client, str(run.pk)[:4]).links
    assert "Matching ids" not in found(client, str(run.pk)[:3]).text
    assert "No results" in found(client, f"{str(run.pk)[:22]} iozone").text
    assert link.pk not in found(client, link.pk[:6]).links
    client.force_login(owner)
    assert found(client, link.pk[:6]).links[link.pk] == link.get_absolute_url()


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_nobody_guesses_an_id_by_its_beginning(client: Client, owner: User, visibility: str) -> None:
    run = store_run(owner, visibility=visibility)
    campaign = store_campaign(owner, campaign_document(), visibility=visibility)
    for reader in (None, make_user("eve")):
        if reader:
            client.force_login(reader)
        for record in (run, campaign):
            assert str(record.pk) not in found(client, str(record.pk)[:30]).links
    client.force_login(owner)
    for record in (run, campaign):
        assert str(record.pk) in found(client, str(record.pk)[:30]).links


@pytest.mark.parametrize("words", ["", "   ", "\x00", "%", "_" * 500, "'; drop table", "<script>alert(1)</script>"])
def test_anything_can_be_searched_for(client: Client, owner: User, words: str) -> None:
    compared_runs(owner)
    answer = client.get("/search/", {"q": words})
    assert read(answer).elements
    assert b"<script>alert" not in answer.content
    if words == "%":
        assert "No results" in read(answer).text


def test_names_are_shown_as_text(client: Client, owner: User) -> None:
    store_run(owner, machine={"name": "<script>x</script>", "machine_id": "7a" * 32})
    answer = client.get("/search/", {"q": "script"})
    assert b"<script>x" not in answer.content
    assert "<script>x</script>" in read(answer).links


def test_more_matches_take_no_more_queries(client: Client, owner: User) -> None:
    counts = []
    for file_systems in (["xfs"], ["xfs", "ext4", "btrfs"]):
        for name in file_systems:
            store_run(owner, file_system=name)
        with CaptureQueriesContext(connection) as queries:
            client.get("/search/?q=iozone")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_box_is_on_every_page_and_keeps_what_was_asked(client: Client, db: None) -> None:
    assert found(client, "xfs 6.1").fields["q"] == ["xfs 6.1"]
    page = read(client.get("/articles/"))
    assert ("form", "/search/") in [(tag, attributes.get("action")) for tag, attributes in page.elements]


def test_the_box_does_not_take_a_comparison_for_what_was_searched(client: Client, owner: User) -> None:
    assert read(client.get(f"/compare/?{ids(compared_runs(owner))}")).fields["q"] == [""]


def test_pages_and_headings_of_the_documentation_are_found(client: Client, db: None) -> None:
    assert found(client, "comparability GUARD").links["The comparability guard"] == "/docs/guard/"
    page = found(client, "guard ignored")
    assert page.links["Differences that are ignored"] == "/docs/guard/#differences-that-are-ignored"
    assert "The comparability guard" not in page.links


RESULTS = [
    result([1e8], test, record_size=size, params={"fsync": True} if "write" in test else {})
    for test in ("write", "read", "random_read", "random_write")
    for size in (4 * KIB, MIB)
] + [result([0.1], "read", f"latency_{name}", "s", record_size=4 * KIB) for name in ("p99", "p999")]


def links(client: Client, words: str) -> dict[str, str]:
    """The links of the section of results, which is the first."""
    page = found(client, words)
    return {
        text: href
        for text, href in page.links.items()
        if "compared" in text or "all runs" in text.lower() or "over time" in text
    }


def measured(owner: User, names: tuple[str, ...] = ("ext4", "xfs"), **sections: object) -> None:
    shared = {"campaign": campaign(), "rounds": 1, "results": RESULTS, **sections}
    for name in names:
        store_run(owner, file_system=name, **shared)


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("ext4 random write", {"test": ["random_write"]}),
        ("RANDWRITE Ext4", {"test": ["random_write"]}),
        ("xfs read 4k", {"test": ["read"], "record_size": ["4K"]}),
        ("1 MiB write", {"test": ["write"], "record_size": ["1M"]}),
        ("xfs fsync", {"params": ["fsync=true"]}),
        ("ext4 p99 latency", {"metric": ["latency_p99"]}),
        ("xfs ext4 read", {"test": ["read"], "file_system": ["xfs", "ext4"]}),
    ],
)
def test_words_lead_to_a_comparison_that_has_their_cells(
    client: Client, owner: User, words: str, chosen: dict[str, list[str]]
) -> None:
    measured(owner)
    lines = links(client, words)
    href = next(href for text, href in lines.items() if "compared" in text)
    pairs = parse_qs(urlsplit(href).query)
    assert {name: pairs[name] for name in pairs if name not in ("campaign", "tool")} == chosen
    rows = [attributes.get("class") or "" for tag, attributes in read(client.get(href)).elements if tag == "th"]
    assert sum(each.startswith("row-head of-") for each in rows) == 2  # both file systems have cells
    assert all(client.get(href).status_code == 200 for href in lines.values())


@pytest.mark.parametrize(
    "words", ["ext4", "write", "random write", "ext4 nonsense", "ext4 write 3k", "btrfs write", "4k p99"]
)
def test_nothing_leads_there_unless_all_words_make_sense(client: Client, owner: User, words: str) -> None:
    measured(owner)
    assert links(client, words) == {}


def test_repeated_campaigns_lead_to_a_trend(client: Client, owner: User) -> None:
    for _ in range(3):
        measured(owner)
    href = links(client, "ext4 read 4k")["Read, 4 KiB: ext4 over time"]
    assert client.get(href).status_code == 200


def test_only_what_lists_show_is_found_as_text_in_as_many_queries(client: Client, owner: User) -> None:
    measured(owner, labels={"plan": "<script>x</script>"})
    counts = []
    for visibility in ("private", "public"):
        measured(owner, ("ext4", "btrfs"), visibility=visibility)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get("/search/", {"q": "ext4 write"})
        counts.append(len(queries))
        assert (b"btrfs" in answer.content) == (visibility == "public")
    assert counts[0] == counts[1]
    assert b"<script>x" not in answer.content
