"""`/runs/`: filters, headline results and pages."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdb.catalog.models import Machine
from benchdb.runs import views
from benchdb.runs.listing import search as browse
from benchdb.runs.listing import table as listing
from benchdb.runs.listing.filter_panel import MANY
from benchdb.runs.listing.search import PAGE
from benchdb.runs.models import RunState
from tests.runs.listing.variants import variants
from tests.support.comparing.comparisons import campaign, compared_runs
from tests.support.documents import document, environment, result
from tests.support.html import Page, read
from tests.support.store import make_user, store_run


def listed(client: Client, query: str = "", status: int = 200) -> Page:
    return read(client.get(f"/runs/{query}"), status)


def ids_of(page: Page) -> list[str]:
    return page.fields.get("run", [])


def test_an_empty_database_says_how_to_fill_it(client: Client, db: None) -> None:
    page = listed(client)

    assert "No runs yet" in page.text
    assert (page.links["Measure a machine"], page.links["Sign in to see your own runs"]) == ("/agent/", "/login/")


def test_where_nothing_is_stored_there_is_nothing_to_filter(client: Client, owner: User) -> None:
    assert "filters" not in {found.get("id") for _, found in listed(client).elements}
    store_run(owner)
    assert "filters" in {found.get("id") for _, found in listed(client, "?q=zfs").elements}


def test_filters_that_nothing_matches_say_what_to_do(client: Client, owner: User) -> None:
    store_run(owner)

    page = listed(client, "?q=zfs")

    assert "No run matches" in page.text
    assert page.links["Show all runs"] == "/runs/"


def test_a_row_says_what_where_and_how_well(client: Client, owner: User) -> None:
    run = store_run(owner)

    page = listed(client)

    cells = [cell.text for cell in page.tables["Runs"][1]]
    assert cells[0] == "iozone file size 1 GiB · record size 1 MiB"
    assert cells[1:4] == [
        "ext4 RAID 6 of 4 disks",
        "epyc-2 6.1.0-28-amd64",
        "Write 106.77770 ± 0.00035 MiB/s Rewrite failed",
    ]
    assert cells[4:6] == ["3", "3"]
    assert len(cells) == 7  # without a state: the run is ready
    assert (page.links["iozone"], ids_of(page)) == (f"/runs/{run.id}/", [str(run.id)])


def test_the_headline_is_the_largest_file_of_a_write_and_a_read(client: Client, owner: User) -> None:
    sizes = [(test, size) for test in ("fwrite", "read", "write") for size in (1, 3, 2)]
    store_run(owner, results=[result([size * 2.0**20] * 3, test, file_size=size << 20) for test, size in sizes])

    assert "Write 3.000 ± 0.000 MiB/s Read 3.000 ± 0.000 MiB/s" in listed(client).text


def test_the_headline_is_of_the_largest_file_that_could_be_measured(client: Client, owner: User) -> None:
    fast = result(None, file_size=4 << 20, status="unmeasurable")
    store_run(owner, results=[result([2.0**20] * 3, file_size=1 << 20), fast])

    assert "Write 1.000 ± 0.000 MiB/s" in listed(client).text


def test_a_run_that_waits_cannot_be_chosen(client: Client, owner: User) -> None:
    RunState.objects.filter(pk=store_run(owner).id).update(state="computing")

    page = listed(client)

    (box,) = [attributes for tag, attributes in page.elements if tag == "input" and attributes.get("name") == "run"]
    assert "disabled" in box
    assert "computing" in page.text
    assert [each["data-state"] for _, each in page.elements if "data-poll" in each] == ["computing"]


def test_each_filter_finds_what_it_names(client: Client, owner: User) -> None:
    runs = variants(owner)
    without_raid = str(runs["raid_level"])
    queries = {
        "?file_system=xfs": ["file_system"],
        "?tool=bonnie%2B%2B": ["tool"],
        f"?machine={Machine.objects.get(name='nuc-1').pk}": ["machine"],
        "?kernel=6.18.0-1-amd64": ["kernel"],
        "?q=wd40": ["raid_level"],
        "?q=debian+6.18": ["kernel"],
        "?label=plan%3Dlate": ["label"],
        "?memory_max=4G": ["memory"],
        "?memory_max=8G&memory_min=1G&cpu=Xeon": ["cpu"],
        "?file_system=xfs&file_system=zfs&file_system=btrfs": ["file_system"],
        "?file_system=xfs&kernel=6.18.0-1-amd64": [],
        "?test=seq_create&test=block_read": ["tool"],
        "?raid_chunk=none": ["raid_level"],
        "?mount_option=noatime&mount_option=sync&raid_level=none": ["raid_level"],
        "?disk=WD40EFRX&scheduler=mq-deadline": ["raid_level"],
        "?until=2026-10-31": ["date"],
        "?since=2026-09-30&until=2026-10-01": ["date"],
    }

    for query, names in queries.items():
        assert ids_of(read(client.get(f"/runs/{query}"))) == [runs[name] for name in names], query
    assert without_raid not in ids_of(listed(client, "?raid_level=raid6"))
    assert set(ids_of(listed(client, "?raid_level=raid6"))) == set(runs.values()) - {without_raid}


def options(client: Client, query: str = "") -> dict[tuple[str, str], str]:
    """The number of runs beside each value of each facet, with a mark before it if the value is checked."""
    matches = re.findall(
        r'<input class="form-check-input" type="checkbox" name="(\w+)" value="([^"]*)" data-at-once( checked)?> '
        r'<span>[^<]*</span> <span class="runs">([^<]*)</span>',
        client.get(f"/runs/{query}").content.decode(),
    )
    return {(name, value): f"{'✓' if checked else ''}{runs}" for name, value, checked, runs in matches}


def test_counts_of_a_facet_respect_all_filters_but_its_own(client: Client, owner: User) -> None:
    variants(owner)

    free = options(client)
    chosen = options(client, "?file_system=xfs")
    both = options(client, "?file_system=xfs&kernel=6.18.0-1-amd64")

    assert (free["file_system", "ext4"], free["file_system", "xfs"]) == ("10", "1")
    assert (chosen["file_system", "ext4"], chosen["file_system", "xfs"]) == ("10", "✓1")
    assert ("kernel", "6.18.0-1-amd64") not in chosen
    assert (both["file_system", "ext4"], both["file_system", "xfs"]) == ("1", "✓0")
    assert (both["kernel", "6.1.0-28-amd64"], both["kernel", "6.18.0-1-amd64"]) == ("1", "✓0")
    assert (free["test", "write"], free["test", "seq_create"]) == ("10", "1")


def test_a_range_counts_as_the_filter_of_its_facet(client: Client, owner: User) -> None:
    variants(owner)

    page = listed(client, "?memory_max=4G")
    counts = options(client, "?memory_max=4G")

    assert (counts["memory", "8G"], counts["memory", "4G"]) == ("10", "1")
    assert (set(page.fields["memory_max"]), page.links["memory at most 4 GiB ✕"]) == ({"4G"}, "/runs/")
    assert "1 run" in page.text


def test_filters_in_force_can_be_taken_away_one_by_one(client: Client, owner: User) -> None:
    variants(owner)

    page = listed(client, "?q=amd&file_system=ext4&file_system=xfs")

    assert "amd" in page.fields["q"]
    assert page.links["file system xfs ✕"] == "/runs/?q=amd&file_system=ext4"
    assert (page.links["“amd” ✕"], page.links["Clear"]) == ("/runs/?file_system=ext4&file_system=xfs", "/runs/")


def test_empty_fields_are_not_part_of_an_address(client: Client, db: None) -> None:
    answer = client.get("/runs/?q=&file_system=xfs&since=&memory_min=&sort=")

    assert (answer.status_code, answer.headers["Location"]) == (302, "/runs/?file_system=xfs")


def test_the_columns_are_those_that_are_asked_for_and_stay_while_filters_change(client: Client, owner: User) -> None:
    variants(owner)

    page = listed(client, "?column=memory&column=labels&file_system=xfs&sort=memory")

    assert [cell.text for cell in page.tables["Runs"][0]] == ["Workload", "Memory ↑", "Labels"]
    assert [cell.text for cell in page.tables["Runs"][1]][1:] == ["8 GiB", "plan tests"]
    assert page.links["file system xfs ✕"] == "/runs/?sort=memory&column=memory&column=labels"
    assert page.links["Memory ↑"] == "/runs/?file_system=xfs&sort=-memory&column=memory&column=labels"
    hidden = [field["value"] for tag, field in page.elements if tag == "input" and field.get("type") == "hidden"]
    assert hidden.count("memory") == 2  # of the filters, and as the order among the fields around the columns


def test_what_is_each_readers_own_is_told_apart(client: Client, owner: User) -> None:
    private = store_run(owner, visibility="private")
    other = store_run(make_user("eve"))
    assert "owner" not in listed(client).fields

    client.force_login(owner)
    counts = options(client)

    assert (counts["owner", "me"], counts["visibility", "private"]) == ("1", "1")
    assert ids_of(listed(client, "?owner=me")) == [str(private.id)]
    assert ids_of(listed(client, "?owner=others")) == [str(other.id)]
    assert ids_of(listed(client, "?visibility=private&state=ready")) == [str(private.id)]
    assert ids_of(listed(client, "?label=none")) == []


def test_a_label_is_found_whatever_equals_signs_it_has(client: Client, owner: User) -> None:
    run = store_run(owner, labels={"a=b": "c=d", "e": "f"})
    store_run(owner, labels={"a": "b"})

    for query in ("?label=a%3Db%3Dc%3Dd", "?label=e%3Df", "?label=x%3Dy&label=e%3Df"):
        assert ids_of(listed(client, query)) == [str(run.id)]
    assert options(client)["label", "a=b=c=d"] == "1"


def test_labels_of_nothing_but_equals_signs_are_no_work(client: Client, owner: User) -> None:
    store_run(owner)
    query = "&".join(f"label={i:03}{'%3D' * 397}" for i in range(20))

    with CaptureQueriesContext(connection) as captured:
        listed(client, f"?{query}")

    assert max(len(statement["sql"]) for statement in captured) < 200_000


def test_more_filters_than_anybody_chooses_make_no_page_of_megabytes(client: Client, owner: User) -> None:
    store_run(owner)
    query = "&".join(f"kernel={i:03}{'%3D' * 397}" for i in range(100))

    answer = client.get(f"/runs/?{query}")

    assert "The filters have 40000 characters together; 8000 is the most." in read(answer, 400).text
    assert len(answer.content) < 300_000


def test_runs_of_a_campaign_and_tool_are_one_row(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse, "PAGE", 2)
    older, *compared = store_run(owner), *compared_runs(owner)
    alone = str(store_run(owner, campaign=campaign()).id)
    query = urlencode([("campaign", compared[0].campaign_id), ("tool", "iozone")])

    page = listed(client)

    assert ids_of(page) == [alone]
    assert page.links["Compare 3 runs"] == f"/compare/?{query}"
    assert "ext4, xfs" in page.text
    assert set(ids_of(listed(client, page.links["Show them"].removeprefix("/runs/")))) < {
        str(run.id) for run in compared
    }
    assert ids_of(listed(client, page.links["Older runs →"].removeprefix("/runs/"))) == [str(older.id)]


def test_rows_of_campaigns_need_no_more_queries(client: Client, owner: User) -> None:
    def queries() -> int:
        listed(client)  # keeps what the page shows of runs
        with CaptureQueriesContext(connection) as captured:
            listed(client)
        return len(captured)

    store_run(owner)
    compared_runs(owner)
    few = queries()
    for _ in range(3):
        compared_runs(owner)

    assert queries() == few


def test_a_campaign_stays_while_other_filters_change(client: Client, owner: User) -> None:
    belongs = campaign()
    run = store_run(owner, campaign=belongs)
    store_run(owner)

    page = listed(client, f"?campaign={belongs['id']}")

    assert (ids_of(page), set(page.fields["campaign"])) == ([str(run.id)], {belongs["id"]})


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("?since=yesterday", "The filter “from” cannot be “yesterday”. It is a date such as 2026-11-20."),
        ("?after=x", "It is the id of a run."),
        ("?campaign=1", "It is the id of a campaign."),
        ("?fs=ext4", "There is no filter fs."),
        ("?memory_min=much", "The filter “memory min” cannot be “much”. It is a size such as 64K or 8G."),
        ("?cpu_threads=many", "The filter “cpu threads” cannot be “many”."),
        ("?sort=colour", "Possible are oldest, tool,"),
        ("?column=colour", "Possible are file_system,"),
        ("?sort=memory&at=x&after=01a1fffd-dd22-7678-8b62-0c7947362926", "It comes with the link to the next page."),
        ("?sort=started&after=01a1fffd-dd22-7678-8b62-0c7947362926", "It comes with the link to the next page."),
        (f"?kernel={'x' * 401}", "It has more than 400 characters."),
        ("?q=%00", "Null characters are not allowed."),
        (f"?q={'+'.join('abcdefghijk')}", "The search has 11 different words; 10 is the most."),
    ],
)
def test_a_filter_that_cannot_be_is_400_with_its_fault(client: Client, owner: User, query: str, fault: str) -> None:
    store_run(owner)

    page = listed(client, query, status=400)

    assert fault in page.text
    assert ids_of(page) == []


def test_faults_are_escaped(client: Client, db: None) -> None:
    html = client.get("/runs/?since=%3Cscript%3Ealert(1)%3C/script%3E").content.decode()

    assert "alert(1)" in html
    assert "<script>alert" not in html


def test_only_what_the_reader_may_see_is_listed(client: Client, owner: User) -> None:
    seen = {name: str(store_run(owner, visibility=name).id) for name in ("public", "unlisted", "private")}
    withdrawn = store_run(owner)
    RunState.objects.filter(pk=withdrawn.id).update(withdrawn_at=withdrawn.started_at)

    assert ids_of(listed(client)) == [seen["public"]]
    client.force_login(make_user("eve"))
    assert ids_of(listed(client)) == [seen["public"]]
    client.force_login(owner)
    assert set(ids_of(listed(client))) == set(seen.values())


def test_menus_give_away_nothing_of_private_runs(client: Client, owner: User) -> None:
    store_run(owner, visibility="private", machine={"name": "secret-1", "machine_id": "6b" * 32})

    assert "secret-1" not in listed(client).text


def test_results_of_finished_runs_are_read_for_their_first_reader_only(client: Client, owner: User) -> None:
    def look() -> tuple[int, str]:
        with CaptureQueriesContext(connection) as captured:
            page = listed(client)
        return len(captured), page.text

    run = store_run(owner)
    listed(client, "?tool=none")  # reads the row of `Facets`, and no results
    first, second = look(), look()
    RunState.objects.filter(pk=run.pk).update(statistics_version=run.runstate.statistics_version + 1)
    recomputed = look()
    RunState.objects.filter(pk=run.pk).update(state="computing")
    computing = [look(), look()]

    assert second == (first[0] - 1, first[1])
    assert "MiB/s" in second[1]
    assert (recomputed[0], [queries for queries, _ in computing]) == (first[0], [first[0], first[0]])


def test_pages_follow_each_other_with_as_many_queries_for_any_number_of_runs(client: Client, owner: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            listed(client, "?tool=iozone")
        return len(captured)

    stored = [store_run(owner)]
    listed(client, "?tool=none")  # reads the row of `Facets`, and no results
    alone = queries()
    stored += [store_run(owner) for _ in range(PAGE + 9)]
    assert queries() == alone

    first = listed(client, "?tool=iozone&q=ext4")
    following = first.links["Older runs →"]
    assert parse_qs(urlsplit(following).query).keys() == {"tool", "q", "after"}
    second = read(client.get(following))
    assert ids_of(first) + ids_of(second) == [str(run.id) for run in reversed(stored)]
    assert "Older runs →" not in second.links
    assert second.links["Newest runs"] == "/runs/?q=ext4&tool=iozone"


def test_what_came_long_after_its_end_says_when(client: Client, owner: User) -> None:
    now = timezone.now()
    times = {"late": now - timedelta(days=400), "soon": now - timedelta(hours=2)}
    for name, at in times.items():
        store_run(owner, started_at=at.isoformat(), finished_at=at.isoformat(), labels={"name": name})

    page = listed(client, "?column=labels&column=started")

    text_by_name = {row[2].text: row[1].text for row in page.tables["Runs"][1:]}
    assert f"added {now:%-d %b %Y}" in text_by_name["name late"]
    assert "added" not in text_by_name["name soon"]
    assert "aria-sort" not in {name for _, attributes in page.elements for name in attributes}


def test_after_the_last_run_there_is_a_way_back(client: Client, owner: User) -> None:
    run = store_run(owner)

    page = listed(client, f"?after={run.id}")

    assert "No older runs" in page.text
    assert page.links["Newest runs"] == "/runs/"


def test_runs_are_newest_first_by_the_agents_time(client: Client, owner: User) -> None:
    sent: list[dict[str, Any]] = [document(visibility="public") for _ in range(3)]
    for each in (sent[1], sent[2], sent[0]):
        store_run(owner, each)

    assert ids_of(listed(client)) == [each["run_id"] for each in reversed(sent)]


def test_all_runs_of_a_list_of_several_pages_are_compared_or_gathered_at_once(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browse, "PAGE", 2)
    stored = [str(store_run(owner, file_system=name).id) for name in ("ext4", "xfs", "btrfs")]
    waits, hidden = store_run(owner), store_run(owner, visibility="private")
    store_run(owner, machine={"name": "nuc-1", "machine_id": "6b" * 32})
    RunState.objects.filter(pk=waits.pk).update(state="computing")

    query_of_machine = f"?machine={waits.machine_id}"
    page = listed(client, query_of_machine)

    assert page.links["Compare all 4"] == f"/runs/all/{query_of_machine}"
    assert parse_qs(urlsplit(client.get(f"/runs/all/{query_of_machine}")["Location"]).query) == {"run": stored[::-1]}
    with CaptureQueriesContext(connection) as queries:
        all_runs = client.get(f"/runs/all.json{query_of_machine}").json()["runs"]
    assert len(queries) <= 4
    assert all_runs[0] == {
        "id": stored[2],
        "label": "iozone on btrfs, epyc-2",
    }
    assert str(hidden.id) not in client.get("/runs/all.json").content.decode()
    RunState.objects.filter(pk=stored[1]).update(labels={"plan": "a"})
    assert [run["id"] for run in client.get("/runs/all.json?label=plan%3Da").json()["runs"]] == [stored[1]]
    assert "Compare all 1" not in listed(client, "?file_system=xfs").links  # they fit on one page


def test_more_runs_than_a_comparison_takes_are_not_offered_together(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browse, "PAGE", 1)
    for module in (views, listing):
        monkeypatch.setattr(module, "MOST_CHOSEN", 1)
    store_run(owner)
    store_run(owner)

    assert "runs/all" not in client.get("/runs/").content.decode()
    assert client.get("/runs/all/?tool=iozone")["Location"] == "/runs/?tool=iozone"
    assert client.get("/runs/all.json").json() == {"runs": []}
    assert client.get("/runs/all/?memory_min=much")["Location"] == "/runs/?memory_min=much"


def test_a_long_facet_is_searched(client: Client, owner: User) -> None:
    for number in range(MANY + 1):
        facts = environment()
        facts["kernel"]["release"] = f"6.{number}.0-amd64"
        store_run(owner, environment=facts)

    kernels = {value for name, value in options(client) if name == "kernel"}
    matching = {value for name, value in options(client, "?find_kernel=6.1&kernel=6.3.0-AMD64") if name == "kernel"}
    page = listed(client, "?find_kernel=6.1")

    assert len(kernels) == MANY + 1
    assert matching == {"6.1.0-amd64", *(f"6.{number}.0-amd64" for number in range(10, MANY + 1)), "6.3.0-AMD64"}
    assert set(page.fields["find_kernel"]) == {"6.1"}  # also in the form of the columns
    assert len(ids_of(page)) == MANY + 1  # it filters values, not runs
    assert "No match" in listed(client, "?find_kernel=nothing").text
    assert options(client, "?find_test=RANDOM+read&find_memory=8+gib&find_kernel=%25") is not None


def test_a_search_in_a_facet_counts_as_the_filters_say(client: Client, owner: User) -> None:
    variants(owner)

    counted = options(client, "?find_kernel=6.18&kernel=6.1.0-28-amd64&file_system=ext4")

    assert counted["kernel", "6.18.0-1-amd64"] == "1"
    assert counted["kernel", "6.1.0-28-amd64"].startswith("✓")


def test_ids_of_the_future_come_after_all_others(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody could hold the first places for ever."""
    late = [f"7fffffff-ffff-7fff-8fff-{number:012}" for number in range(3)]
    for run_id in late:
        store_run(owner, document(visibility="public") | {"run_id": run_id})
    now = [str(store_run(owner).id) for _ in range(2)]
    newest = [*now[::-1], *late[::-1]]

    assert read(client.get("/runs/")).fields["run"] == read(client.get("/runs/?tool=iozone")).fields["run"] == newest
    assert read(client.get("/runs/?sort=oldest")).fields["run"] == newest[1::-1] + late
    monkeypatch.setattr(browse, "PAGE", 1)
    seen, query = list[str](), "tool=iozone"
    while query:
        answer = client.get(f"/api/v1/runs?{query}").json()
        seen, query = [*seen, *(run["run_id"] for run in answer["runs"])], answer["next"]
    assert seen == newest
