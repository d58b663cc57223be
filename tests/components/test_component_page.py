"""`/file-systems/ext4/` and the pages of the other components."""

from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdb.publications.data_files import read as read_article
from benchdb.publications.services import load
from benchdb.runs.models import RunState
from tests.support.comparing.comparisons import compared_runs, values
from tests.support.comparing.components import measured, on_disk, on_raid, page_of
from tests.support.documents import GIB, KIB, MIB, environment, result
from tests.support.html import read
from tests.support.many import copy_run
from tests.support.store import make_user, store_run
from tests.texts import missing_in

HOSTILE = "<script>alert('x')</script> a/b\\c?d#e%f"


def test_it_shows_what_was_measured_with_it(client: Client, owner: User) -> None:
    [run, *_] = compared_runs(owner)
    store_run(owner, machine={"name": "nas", "machine_id": "6b" * 32}, target=on_raid("raid1", None))

    page = page_of(client, "/file-systems/ext4/")

    assert not missing_in(page.text, "ext4 file system", "2 runs on 2 machines with 1 tool")
    assert page.links["epyc-2"] == f"/machines/{run.machine_id}/"
    assert page.links["6.1.0-28-amd64"] == "/kernels/6.1.0-28-amd64/"
    assert page.links["ST4000NM0035"] == "/disks/ST4000NM0035/"
    assert page.links["RAID 6, 128 KiB chunk"] == "/raid/raid6-128K/"
    assert page.links["RAID 1"] == "/raid/raid1/"
    assert page.links["iozone"] == "/tools/iozone/"
    assert page.links["Runs"] == "/runs/"  # the masthead has the same word
    assert "/runs/?file_system=ext4" in [attributes.get("href") for _, attributes in page.elements]
    assert page.links["All file systems"] == "/file-systems/"
    assert len(page.tables["Runs"]) == 3  # a head and both runs
    for address in {page.links[name] for name in ("6.1.0-28-amd64", "RAID 1", "iozone", "All file systems")}:
        page_of(client, address)


def test_machines_of_one_name_are_two_machines(client: Client, owner: User) -> None:
    first = store_run(owner)
    second = store_run(make_user("eve"))

    page = page_of(client, "/tools/iozone/")

    assert "on 2 machines" in page.text
    hrefs = [attributes.get("href") for _, attributes in page.elements]
    assert {f"/machines/{run.machine_id}/" for run in (first, second)} <= set(hrefs)


def test_the_distribution_has_the_mean_of_each_run_at_its_largest_file_and_record(client: Client, owner: User) -> None:
    for number, mean in enumerate((100 * MIB, 300 * MIB, 200 * MIB)):
        small = result(values(9 * MIB), file_size=GIB, record_size=4 * KIB)
        machine = {"name": f"m{number}", "machine_id": f"{number}a" * 32}
        store_run(owner, rounds=6, results=[small, *measured(("write", mean))], machine=machine)
    store_run(owner, rounds=6, results=measured(("read", 1e9)), visibility="private")

    page = page_of(client, "/file-systems/ext4/")

    _, [test, median, lowest, _, highest, runs] = page.tables["Distribution of results"]
    assert (test.text, runs.text) == ("Write throughput, MiB/s ↑", "3")
    assert (lowest.text, median.text, highest.text) == ("100.0", "200.0", "300.0")
    assert "logarithmic" not in page.text
    (dots,) = [attributes["d"] for tag, attributes in page.elements if attributes.get("class") == "dots"]
    assert dots == "M5 9h0M120 9h0M235 9h0"


def test_figures_of_several_magnitudes_have_a_logarithmic_axis(client: Client, owner: User) -> None:
    for mean in (1.0, 100.0, 10_000.0):
        store_run(owner, rounds=6, results=measured(("write", mean * MIB)))

    page = page_of(client, "/file-systems/ext4/")

    assert "logarithmic" in page.text
    (dots,) = [attributes["d"] for tag, attributes in page.elements if attributes.get("class") == "dots"]
    assert dots == "M5 9h0M120 9h0M235 9h0"


def test_articles_with_figures_are_listed(client: Client, db: None) -> None:
    load(read_article("iozone-2009"))

    page = page_of(client, "/file-systems/ext3/")

    assert "/articles/iozone-2009/" in page.links.values()
    runs = [href for href in page.links.values() if "article=iozone-2009" in href]
    assert runs
    assert not missing_in(runs[0], "article=iozone-2009", "file_system=ext3")
    page_of(client, runs[0])


@pytest.mark.parametrize("name", [HOSTILE, "two words", "ends with /", "unknown", "é" * 200, "%2F", "."])
def test_any_name_has_a_page(client: Client, owner: User, name: str) -> None:
    store_run(owner, target=on_disk(name))

    answer = client.get(f"/disks/{quote(name)}/")

    assert name in read(answer).text
    assert b"<script>alert" not in answer.content
    page_of(client, page_of(client, "/disks/").links[name])


def test_runs_that_do_not_say_what_they_ran_on_have_pages(client: Client, owner: User) -> None:
    storage = on_disk(None)
    storage["file_system"]["type"], storage["stack"] = None, []
    unknown = environment()
    unknown["kernel"]["release"] = None
    store_run(owner, target=storage, environment=unknown)

    for address in ("/file-systems/unknown/", "/kernels/unknown/", "/disks/unknown/"):
        assert "unknown" in page_of(client, address).text
    assert "no RAID" in page_of(client, "/raid/none/").text
    assert page_of(client, "/file-systems/").links["unknown"] == "/file-systems/unknown/"


@pytest.mark.parametrize(
    "address",
    [
        *("/file-systems/nothing/", "/kernels/%00/", "/raid/raid6-/", "/raid/-128K/", "/raid/raid6-12X/", "/raid/6-/"),
        *("/raid/raid6-9999999999999999999P/", "/tools/IOZONE/", "/disks/unknown/", "/nothing/ext4/"),
    ],
)
def test_an_unknown_component_is_not_there(client: Client, owner: User, address: str) -> None:
    store_run(owner)
    assert "There is nothing at this address that you may see" in page_of(client, address, 404).text


@pytest.mark.parametrize("visibility", ["private", "unlisted", "withdrawn"])
def test_only_listed_runs_count(client: Client, owner: User, visibility: str) -> None:
    run = store_run(owner, visibility="public" if visibility == "withdrawn" else visibility)
    if visibility == "withdrawn":
        RunState.objects.filter(run=run).update(withdrawn_at=timezone.now())

    for reader in (None, make_user("eve")):
        if reader:
            client.force_login(reader)
        page_of(client, "/file-systems/ext4/", 404)
        assert "ext4" not in page_of(client, "/file-systems/").links
    client.force_login(owner)
    page_of(client, "/file-systems/ext4/", 404 if visibility == "withdrawn" else 200)


def test_the_facts_of_a_run_lead_to_its_components(client: Client, owner: User) -> None:

    page = page_of(client, store_run(owner).get_absolute_url())

    assert (page.links["ext4"], page.links["6.1.0-28-amd64"]) == ("/file-systems/ext4/", "/kernels/6.1.0-28-amd64/")
    assert (page.links["ST4000NM0035"], page.links["md0 RAID 6"]) == ("/disks/ST4000NM0035/", "/raid/raid6-128K/")
    assert page.links["iozone"] == "/tools/iozone/"
    for name in ("ext4", "6.1.0-28-amd64", "ST4000NM0035", "md0 RAID 6", "iozone"):
        page_of(client, page.links[name])


def test_a_run_that_lists_do_not_show_leads_to_no_component(client: Client, owner: User) -> None:
    page = page_of(client, store_run(owner, visibility="unlisted").get_absolute_url())
    assert not {"ext4", "6.1.0-28-amd64", "md0 RAID 6", "iozone"} & page.links.keys()
    hidden = store_run(owner, visibility="private")
    client.force_login(owner)
    page = page_of(client, hidden.get_absolute_url())
    page_of(client, page.links["ext4"])


def test_more_runs_take_no_more_queries(client: Client, owner: User) -> None:
    def queries(address: str) -> int:
        page_of(client, address)  # reads the facets and overviews that a process keeps
        with CaptureQueriesContext(connection) as captured:
            page_of(client, address)
        return len(captured)

    addresses = ("/file-systems/", "/file-systems/ext4/", "/kernels/6.1.0-28-amd64/", "/tools/iozone/")
    compared_runs(owner)
    few = [queries(address) for address in addresses]
    for number in range(3):
        newer = environment()
        newer["kernel"]["release"] = f"6.{number}"
        compared_runs(owner, environment=newer, machine={"name": "m", "machine_id": f"{number}a" * 32})
        compared_runs(owner, machine={"name": "m", "machine_id": f"{number}b" * 32}, target=on_raid("raid1", None))
    assert [queries(address) for address in addresses] == few


def test_thousands_of_runs_are_counted_and_the_newest_are_drawn(client: Client, owner: User) -> None:
    [run, *_] = compared_runs(owner)
    with connection.cursor() as cursor:
        copy_run(cursor, run.pk, 3_000)

    page = page_of(client, "/file-systems/ext4/")

    assert not missing_in(page.text, "3\u202f001 runs on 1 machine", "of the newest 1\u202f000 runs")
    assert page.tables["Distribution of results"][1][-1].text == "1000"
