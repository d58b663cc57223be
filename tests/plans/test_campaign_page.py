"""`/campaigns/` and `/campaigns/ID/`: every point is listed for readers who may see it."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.plans import queue
from benchdb.plans.listing import PAGE
from benchdb.plans.matrix import MOST_CELLS, MOST_COLUMNS
from benchdb.plans.models import Campaign
from tests.support.campaigns import campaign_document, ended, of_point, queue_tiny, skipped, store_campaign
from tests.support.comparing.responses import results_at
from tests.support.documents import document, result, round_
from tests.support.html import Page, read
from tests.support.store import make_user, store_run
from tests.texts import missing_in

F2FS = "mkfs.f2fs is not installed (Debian package: f2fs-tools)"


def page_of(client: Client, campaign: Campaign, status: int = 200) -> Page:
    return read(client.get(f"/campaigns/{campaign.pk}/"), status)


def cells(page: Page) -> dict[tuple[str, str], str]:
    """(target, workload) → the text of its cell."""
    heads, *rows = [[cell.text for cell in row] for row in page.tables["points"]]
    return {
        (row[0].split(" ")[0], head.split(" ")[0]): text
        for row in rows
        for head, text in zip(heads[1:], row[1:], strict=True)
    }


def failed_run(rounds: int, failures: int) -> dict[str, Any]:
    """Rounds, the first of them failed, and their results."""
    made = [round_(i) for i in range(rounds)]
    for failed in made[:failures]:
        failed |= {"status": "failed", "error": "No space left on device"}
    words = {"status": "failed", "error": "No space left on device"} if failures == rounds else {}
    values = [None if i < failures else 1e6 for i in range(rounds)]
    return {"results": [result(values, **words)], "rounds": made}


def store_point(
    owner: User, campaign: Campaign, point: str, *, rounds: int = 3, failures: int = 0, **sections: Any
) -> Any:
    made = failed_run(rounds, failures)
    content = document(rounds=rounds, results=made["results"], campaign=of_point(campaign.pk, point), **sections)
    content["rounds"] = made["rounds"]
    content.setdefault("visibility", "public")
    return store_run(owner, content)


def test_every_point_of_a_campaign_that_is_over_is_accounted_for(client: Client, owner: User) -> None:
    sent = skipped(campaign_document(["ext4", "xfs", "f2fs"], ["mkfs", "iozone"]), 4, F2FS)
    sent = skipped(sent, 5, F2FS)
    sent["targets"][1]["notes"] = ["barrier=0 is written nobarrier on xfs"]
    campaign = store_campaign(owner, sent)
    run = store_point(owner, campaign, "ext4/mkfs")
    store_point(owner, campaign, "ext4/iozone", failures=1)
    store_point(owner, campaign, "xfs/mkfs", failures=3)
    store_campaign(owner, ended(sent, "stopped", reason="Stopped by SIGTERM."))

    page = page_of(client, campaign)

    assert cells(page) == {
        ("ext4", "mkfs"): "finished 3 rounds",
        ("ext4", "iozone"): "failed 1 of 3 rounds",
        ("xfs", "mkfs"): "failed 3 of 3 rounds",
        ("xfs", "iozone"): "missing",
        ("f2fs", "mkfs"): "skipped reason 1",
        ("f2fs", "iozone"): "skipped reason 1",
    }
    assert not missing_in(
        page.text,
        f"{F2FS} 2 points",
        "6 points 1 finished 2 failed 2 skipped 1 missing",
        "barrier=0 is written nobarrier on xfs",
        "It stopped before its end on 20 Nov 2026 21:01 UTC Stopped by SIGTERM.",
    )
    assert page.links["finished"] == f"/runs/{run.pk}/"
    assert page.links["Compare its runs"] == f"/compare/?campaign={campaign.pk}"
    (button,) = [attributes for _, attributes in page.elements if "data-tray-add" in attributes]
    assert (button["data-tray-add"], button["data-tray-as"]) == (str(campaign.pk), "campaign")
    assert button["data-label"] == "tiny, 3 runs"
    assert 'kind = "directory"' in page.text
    assert not [1 for _, attributes in page.elements if "data-poll" in attributes]


def test_a_campaign_of_several_tools_has_a_comparison_for_each(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, campaign_document(["ext4"], ["iozone", "fio"]))
    store_point(owner, campaign, "ext4/iozone")
    fio = document(rounds=1, results=[result([1e8], test) for test in ("write", "read")])
    fio |= {"campaign": of_point(campaign.pk, "ext4/fio"), "visibility": "public"}
    store_run(owner, {**fio, "workload": {**fio["workload"], "tool": "fio"}})

    links = page_of(client, campaign).links

    address = f"/compare/?campaign={campaign.pk}&tool="
    assert [href for href in links.values() if href.startswith(address)] == [f"{address}fio", f"{address}iozone"]
    assert {"Compare its fio runs", "Compare its iozone runs"} <= set(links)


def test_a_campaign_of_rising_load_leads_to_its_response_curves(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, campaign_document(["ext4"], ["one", "two", "four"]))
    for threads, name in ((1, "one"), (2, "two")):
        levels = {"results": results_at(threads, 2), "campaign": of_point(campaign.pk, f"ext4/{name}")}
        store_run(owner, document(rounds=6, **levels, visibility="public"))
    assert "Response curves" not in page_of(client, campaign).links

    last = {"results": results_at(4, 2), "campaign": of_point(campaign.pk, "ext4/four")}
    store_run(owner, document(rounds=6, **last, visibility="public"))
    assert "knee" in read(client.get(page_of(client, campaign).links["Response curves"])).text


def test_a_campaign_that_runs_waits_and_polls(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    store_point(owner, campaign, "ext4/mkfs")

    page = page_of(client, campaign)

    assert cells(page)["ext4", "mkfs"].startswith("finished")
    assert cells(page)["xfs", "iozone"] == "waiting"
    (polled,) = [attributes for _, attributes in page.elements if "data-poll" in attributes]
    state = client.get(polled["data-poll"]).json()
    assert (state["state"], state["version"]) == ("running", polled["data-state"])


def test_what_its_agent_reports_shows(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    queue_tiny(campaign.machine)
    job = queue.claim(campaign.machine)
    assert job is not None
    assert job.lease is not None
    progress = {"point": "xfs/iozone", "round": "3", "share": 0.25, "left": 282.0, "points_done": 2}
    queue.report(owner, job.pk, job.lease, progress, campaign.pk)

    page = page_of(client, campaign)

    assert cells(page)["xfs", "iozone"] == "running"
    assert "25 % round 3, xfs/iozone 2 points done in this round about 4 m 42 s left" in page.text


def test_a_private_campaign_is_its_owners_alone(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, visibility="private")

    page_of(client, campaign, 404)
    client.force_login(make_user("eve"))
    page_of(client, campaign, 404)
    assert "tiny" not in read(client.get("/campaigns/")).text
    client.force_login(owner)
    page_of(client, campaign)
    assert "tiny" in read(client.get("/campaigns/")).text


def test_a_private_run_of_a_public_campaign_is_not_named(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    hidden = [
        store_point(owner, campaign, "ext4/mkfs", visibility="private"),
        store_point(owner, campaign, "ext4/iozone", visibility="unlisted"),
    ]

    page = page_of(client, campaign)
    html = client.get(f"/campaigns/{campaign.pk}/").content.decode()

    assert (cells(page)["ext4", "mkfs"], cells(page)["ext4", "iozone"]) == ("private", "private")
    assert not [run for run in hidden if str(run.pk) in html]
    client.force_login(owner)
    assert cells(page_of(client, campaign))["ext4", "mkfs"] == "finished 3 rounds"


def test_a_newer_private_run_hides_no_public_one_of_its_point(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    shown, hidden = (store_point(owner, campaign, "ext4/mkfs", visibility=each) for each in ("public", "private"))

    assert page_of(client, campaign).links["finished"] == f"/runs/{shown.pk}/"
    client.force_login(owner)
    assert page_of(client, campaign).links["finished"] == f"/runs/{hidden.pk}/"


def test_an_unlisted_campaign_shows_its_unlisted_runs_to_whoever_has_its_address(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, visibility="unlisted")
    store_point(owner, campaign, "ext4/mkfs", visibility="unlisted")
    hidden = store_point(owner, campaign, "ext4/iozone", visibility="private")

    page = cells(page_of(client, campaign))
    assert (page["ext4", "mkfs"], page["ext4", "iozone"]) == ("finished 3 rounds", "private")
    assert str(hidden.pk) not in client.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "tiny" not in read(client.get("/campaigns/")).text


def test_a_public_run_leads_nobody_to_the_unlisted_runs_of_its_campaign(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, visibility="unlisted")
    public = store_point(owner, campaign, "ext4/mkfs")
    hidden = store_point(owner, campaign, "ext4/iozone", visibility="unlisted")
    other = store_point(owner, campaign, "xfs/mkfs", file_system="xfs")
    query = f"?run={public.pk}&run={other.pk}&rows=campaign&columns=campaign_point"
    compared = (f"/compare/table.json{query}", f"/compare/{query}")
    pages = (f"/runs/{public.pk}/", f"/runs/{public.pk}/again/", "/", "/runs/", "/compare/")
    of_run = (*pages, f"/api/v1/runs/{public.pk}", f"/api/v1/runs/{public.pk}/document")
    of_campaign = (f"/campaigns/{campaign.pk}/", f"/api/v1/campaigns/{campaign.pk}")

    def naming(word: object, addresses: tuple[str, ...]) -> list[str]:
        return [address for address in addresses if str(word) in client.get(address).content.decode()]

    assert naming(campaign.pk, of_run) == naming(campaign.pk, compared) == naming("xfs/mkfs", compared[:1]) == []
    assert naming(hidden.pk, of_campaign) == [], "a signed document may name the campaign, and cannot change"
    assert naming(public.pk, of_campaign) == [*of_campaign]
    assert naming(campaign.pk, (f"/runs/{hidden.pk}/",)), "a run as hidden as the campaign"
    client.force_login(owner)
    assert (naming(campaign.pk, pages), naming(hidden.pk, of_campaign[:1])) == ([*pages], [of_campaign[0]])
    assert naming(campaign.pk, compared) == naming("xfs/mkfs", compared) == [*compared]
    client.logout()
    assert naming(campaign.pk, compared) == [], "kept for readers who may know it"


def test_what_somebody_else_adds_is_not_in_it(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    store_point(make_user("eve"), campaign, "ext4/mkfs")

    assert cells(page_of(client, campaign))["ext4", "mkfs"] == "waiting"


def test_runs_of_an_older_agent_make_a_page_too(client: Client, owner: User) -> None:
    campaign_id = uuid4()
    for point in ("ext4/iozone", "xfs/iozone"):
        store_run(owner, campaign=of_point(campaign_id, point))
    store_run(owner, campaign=of_point(campaign_id, "btrfs/iozone"), visibility="private")

    page = read(client.get(f"/campaigns/{campaign_id}/"))

    assert set(cells(page)) == {("ext4", "iozone"), ("xfs", "iozone")}
    assert "did not announce the campaign" in page.text
    read(client.get(f"/campaigns/{uuid4()}/"), 404)


def test_a_run_leads_to_its_campaign(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    run = store_point(owner, campaign, "ext4/mkfs")

    assert f"/campaigns/{campaign.pk}/" in read(client.get(f"/runs/{run.pk}/")).links.values()
    assert read(client.get("/runs/")).links["Campaigns"] == "/campaigns/"


def test_a_run_leads_to_no_campaign_that_its_reader_may_not_see(client: Client, owner: User) -> None:
    hidden = store_campaign(owner, visibility="private")
    run = store_point(owner, hidden, "ext4/mkfs")
    unlisted = store_run(owner, visibility="unlisted", campaign=of_point(uuid4(), "ext4/mkfs"))  # never announced

    for shown in (run, unlisted):
        links = read(client.get(f"/runs/{shown.pk}/")).links.values()
        assert f"/campaigns/{shown.campaign_id}/" not in links
        assert client.get(f"/campaigns/{shown.campaign_id}/").status_code == 404
    client.force_login(owner)
    for shown in (run, unlisted):
        assert f"/campaigns/{shown.campaign_id}/" in read(client.get(f"/runs/{shown.pk}/")).links.values()


def test_campaigns_tell_whose_they_are(client: Client, owner: User) -> None:
    alike = {"machine": {"name": "EPYC\u20112", "machine_id": "6b" * 32}}
    campaigns = [store_campaign(owner), store_campaign(make_user("bob"), campaign_document(**alike))]
    store_campaign(make_user("eve"), visibility="private")  # not seen
    unannounced = store_run(owner, document(visibility="public", campaign=of_point(uuid4(), "p")))

    rows = read(client.get("/campaigns/")).tables["Campaigns"][:0:-1]

    for row, campaign in zip(rows, campaigns, strict=True):
        assert row[1].text == f"{campaign.machine.name} (machine {campaign.machine_id})"
        assert f"Added by {campaign.owner.username}" in page_of(client, campaign).text
        assert row[1].text in read(client.get(f"/campaigns/?machine={campaign.machine_id}")).text
    assert "Added by ada" in read(client.get(f"/campaigns/{unannounced.campaign_id}/")).text


def test_many_points_take_no_more_queries(client: Client, owner: User) -> None:
    def queries(campaign: Campaign) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            page_of(client, campaign)
        return len(captured)

    one = store_campaign(owner, campaign_document(["ext4"], ["iozone"]))
    store_point(owner, one, "ext4/iozone")
    many = store_campaign(owner, campaign_document([f"t{i}" for i in range(20)], [f"w{i}" for i in range(20)]))
    for i in range(20):
        store_point(owner, many, f"t{i}/w{i}")

    assert queries(one) == queries(many) == 6  # campaign, its runs, visible ones, job, what they measured, repetitions


def test_the_list_goes_on_by_pages_with_the_same_queries(client: Client, owner: User) -> None:
    first = store_campaign(owner, campaign_document(["ext4"], ["iozone"]))
    store_point(owner, first, "ext4/iozone")
    with CaptureQueriesContext(connection) as few:
        page = read(client.get("/campaigns/"))
    assert [cell.text for cell in page.tables["Campaigns"][1]] == [
        "tiny",
        "epyc-2",
        "1",
        "1",
        "20 Nov 2026 20:01 UTC",
        "running",
    ]
    for _ in range(PAGE):
        store_campaign(owner, campaign_document(["ext4"], ["iozone"]))
    with CaptureQueriesContext(connection) as many:
        newest = read(client.get("/campaigns/"))
    assert len(few) == len(many) == 3
    assert len(newest.tables["Campaigns"]) == PAGE + 1
    oldest = read(client.get(newest.links["Older campaigns →"]))
    assert oldest.tables["Campaigns"][1][0].href == f"/campaigns/{first.pk}/"
    assert oldest.links["Newest campaigns"] == "/campaigns/"


@pytest.mark.parametrize("after", ["x", "\x00", "7" * 40])
def test_a_page_that_cannot_be_is_not_found(client: Client, db: None, after: str) -> None:
    read(client.get("/campaigns/", {"after": after}), 404)


def test_a_hostile_announcement_is_shown_as_text(client: Client, owner: User) -> None:
    sent = skipped(campaign_document(["<script>", "xfs"], ['"><img src=x>', "b"]), 0, "<script>alert(1)</script>")
    sent["targets"][0] |= {"notes": ["<b>"], "summary": "</td>"}
    campaign = store_campaign(owner, {**sent, "plan": {**sent["plan"], "name": "<i>", "text": "</pre><script>"}})

    html = client.get(f"/campaigns/{campaign.pk}/").content.decode()

    for hostile in ("<script>alert", "<img", "<b>", "<i>", "</pre><script>"):
        assert hostile not in html


def test_a_matrix_that_is_nearly_empty_is_a_list(client: Client, owner: User) -> None:
    number = MOST_COLUMNS
    sent = campaign_document([f"t{i}" for i in range(number)], [f"w{i}" for i in range(number)])
    sent["points"] = [point for point in sent["points"] if point["target"][1:] == point["workload"][1:]]
    campaign = store_campaign(owner, skipped(sent, 0, "why"))

    rows = page_of(client, campaign).tables["points"]

    assert len(rows) == number + 1
    assert {len(row) for row in rows} == {2}
    assert [cell.text for cell in rows[1]] == ["t0/w0", "skipped reason 1"]


def test_the_points_of_one_state_stand_alone(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    store_point(owner, campaign, "ext4/mkfs")
    store_point(owner, campaign, "xfs/iozone", failures=1)

    page = page_of(client, campaign)
    failed = read(client.get(page.links["1 failed"].partition("#")[0]))

    assert cells(failed) == {("xfs", "iozone"): "failed 1 of 3 rounds"}
    assert failed.links["all 4 points"] == f"/campaigns/{campaign.pk}/"
    assert "1 finished" in failed.links
    read(client.get(f"/campaigns/{campaign.pk}/?state=lost"), 404)


def test_ten_thousand_points_come_by_pages(client: Client, owner: User) -> None:
    sent = campaign_document([f"ext4-{i:04d}" for i in range(500)], [f"w{i}" for i in range(20)])
    campaign = store_campaign(owner, sent)

    answer = client.get(f"/campaigns/{campaign.pk}/")
    page = read(answer)

    assert not missing_in(page.text, "10\u202f000 points 10\u202f000 waiting", "rows 1 to 50 of 500")
    assert len(page.tables["points"]) == 51
    assert len(answer.content) < 300_000
    seen = [row[0].text for row in page.tables["points"][1:]]
    while "More rows →" in page.links:
        page = read(client.get(page.links["More rows →"].partition("#")[0]))
        seen += [row[0].text for row in page.tables["points"][1:]]
    assert [label.split(" ")[0] for label in seen] == [f"ext4-{i:04d}" for i in range(500)]
    assert "rows 451 to 500 of 500" in page.text
    assert page.links["← Rows before"] == f"/campaigns/{campaign.pk}/?row=400#points"


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, MOST_COLUMNS), (2, MOST_COLUMNS + 1), (MOST_CELLS, 2)])
def test_no_page_of_a_matrix_is_larger_than_it_may(client: Client, owner: User, rows: int, columns: int) -> None:
    sent = campaign_document([f"t{i}" for i in range(rows)], [f"w{i}" for i in range(columns)])

    table = page_of(client, store_campaign(owner, sent)).tables["points"]

    assert sum(len(row) - 1 for row in table[1:]) == min(rows * columns, MOST_CELLS)


@pytest.mark.parametrize("row", ["x", "-1", "9" * 40, "\u0663"])
def test_a_row_that_cannot_be_is_not_found(client: Client, owner: User, row: str) -> None:
    read(client.get(f"/campaigns/{store_campaign(owner).pk}/", {"row": row}), 404)


def test_the_list_of_one_machine(client: Client, owner: User) -> None:
    here = store_campaign(owner)
    other = {"name": "old-1", "machine_id": "6b" * 32}
    store_campaign(owner, campaign_document(machine=other))
    store_point(owner, here, "ext4/mkfs")

    page = read(client.get("/campaigns/", {"machine": here.machine_id}))

    assert "Campaigns of epyc-2" in page.text
    heads, *rows = page.tables["Campaigns"]
    assert [head.text for head in heads] == ["Plan", "Points", "Runs", "Started", "State"]
    assert [row[0].href for row in rows] == [here.get_absolute_url()]
    assert page.links["epyc-2"] == f"/machines/{here.machine_id}/"
    assert page.links["Campaigns of all machines"] == "/campaigns/"
    nobody = read(client.get("/campaigns/", {"machine": 2**40}))
    assert "No campaign yet of this machine" in nobody.text
    assert nobody.links["Run a plan on your machine"] == "/agent/"
