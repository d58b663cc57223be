"""`/machines/ID/`: a machine, its changes and performance history, and its queue for its owner."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.plans import queue
from benchdb.runs.models import Run, RunState
from tests.support.campaigns import make_machine, queue_tiny, store_campaign
from tests.support.comparing.trends import NEW, on_kernel, run_of_day, upgraded
from tests.support.documents import GIB, MIB, STARTED, environment
from tests.support.html import Page, read
from tests.support.store import make_user, store_run
from tests.texts import missing_in


def page_of(client: Client, machine: int, status: int = 200, **query: Any) -> Page:
    return read(client.get(f"/machines/{machine}/", query), status)


def changed(**sections: Any) -> dict[str, Any]:
    """The environment of most tests with other facts in these sections."""
    found = environment()
    return {**found, **{name: {**found[name], **facts} for name, facts in sections.items()}}


def test_it_says_what_the_machine_is(client: Client, owner: User) -> None:
    run = store_run(owner)

    page = page_of(client, run.machine_id)

    assert "epyc-2 · AMD EPYC 7351P" in page.text.replace(" ·", " ·") or "AMD EPYC 7351P" in page.text
    assert "8 GiB declared" in page.text  # its provenance
    assert not missing_in(
        page.text,
        "sda to sdd 4 × ST4000NM0035, 3.64 TiB",
        "md0 RAID 6 of 4 disks, chunk 128\u00a0KiB",
        "1 run of 1 tool added by ada since 20 Nov 2026",
    )
    assert page.links["its newest run"] == f"/runs/{run.pk}/"
    its_runs = f"/runs/?machine={run.machine_id}"
    assert page.links["Its runs"] == its_runs
    assert page.links["Rounds"].startswith(f"{its_runs}&sort=rounds&column=file_system&column=kernel")
    assert page.links["Over time"] == f"/trend/?run={run.pk}"
    assert not missing_in(page.text, "No workload ran at two different times yet", "no recorded change since")
    assert "Queue a plan" not in page.links


def test_disks_that_are_alike_stand_in_one_line_named_one_by_one_where_others_lie_between(
    client: Client, owner: User
) -> None:
    kinds = ({"vendor": "WD", "model": "WD_BLACK SN770"}, {"vendor": "ATA", "model": "ST8000"})
    devices = [
        {**environment()["block_devices"][0], "name": name, **kinds[number % 2]}
        for number, name in enumerate(("sda", "sdb", "sdc", "sdd", "sde", "sdf"))
    ]
    mixed = store_run(owner, environment={**environment(), "block_devices": devices, "raid_arrays": []})

    text = page_of(client, mixed.machine_id).text

    assert not missing_in(text, "sda, sdc, sde 3 × WD_BLACK SN770, 3.64 TiB", "sdb, sdd, sdf 3 × ATA ST8000, 3.64 TiB")


def test_changes_stand_at_the_run_that_shows_them_first(client: Client, owner: User) -> None:
    run_of_day(owner, 0, 100 * MIB)
    disks = [{**disk, "scheduler": "none"} for disk in environment()["block_devices"]]
    second = run_of_day(owner, 1, 100 * MIB, environment={**on_kernel(NEW), "block_devices": disks})
    disks = [{**disk, "scheduler": "bfq"} for disk in disks]
    disks[0] |= {"model": "ST8000"}
    more = {**changed(kernel={"release": NEW}, memory={"total": 64 * GIB, "usable": None}), "block_devices": disks}
    third = run_of_day(owner, 2, 100 * MIB, environment=more)

    page = page_of(client, third.machine_id)

    changes = page.text[page.text.index("What changed") :]
    assert changes.index("memory 8 GiB → 64 GiB") < changes.index("kernel 6.1.0-28-amd64 → 6.1.0-31-amd64")
    assert not missing_in(
        changes,
        "disk none → ST8000",
        "disk 4 × ST4000NM0035 3.64 TiB → 3 × ST4000NM0035 3.64 TiB",
        "scheduler of sdb none → bfq",
    )
    assert "scheduler of sda" not in changes  # another disk
    assert "first run" in changes
    runs = [attributes["href"] for tag, attributes in page.elements if attributes.get("class") == "when" and tag == "a"]
    assert runs == [f"/runs/{third.pk}/", f"/runs/{second.pk}/"]


def test_changes_go_on_by_pages(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchdb.machines.page.MOST_CHANGES", 1)
    for day in range(3):
        run = run_of_day(owner, day, 100 * MIB, environment=on_kernel(f"6.{day}"))

    page = page_of(client, run.machine_id)
    assert "6.1 → 6.2" in page.text
    assert "6.0 → 6.1" not in page.text
    older = read(client.get(page.links["Older changes →"].partition("#")[0]))
    assert "6.0 → 6.1" in older.text
    assert older.links["Newest changes"] == f"/machines/{run.machine_id}/#changes"


def test_a_history_shows_its_change_point_and_leads_to_the_trend(client: Client, owner: User) -> None:
    runs = upgraded(owner)

    page = page_of(client, runs[0].machine_id)

    assert not missing_in(
        page.text,
        "1 workload ran more than once",
        "Write throughput, 32 GiB file, 1 MiB records",
        "▼ 12",
        "changed there: kernel 6.1.0-30-amd64 → 6.1.0-31-amd64",
    )
    trend = page.links["iozone · ext4"]
    query = "file_size=32G&record_size=1M"  # of the chart, which is also in the trend
    assert trend == f"/trend/?run={runs[-1].pk}&test=write&metric=throughput&{query}"
    assert "▼" in read(client.get(trend)).text
    assert len([1 for tag, _ in page.elements if tag == "circle"]) == len(runs)


def test_workloads_differ_by_parameters_file_system_and_settings(client: Client, owner: User) -> None:
    for day in range(2):
        run_of_day(owner, day, 100 * MIB)
        run_of_day(owner, day, 100 * MIB, file_system="xfs")
    other = run_of_day(owner, 3, 100 * MIB, file_system="btrfs")  # once

    page = page_of(client, other.machine_id)

    assert {"iozone · ext4", "iozone · xfs"} <= page.links.keys()
    assert "iozone · btrfs" not in page.links
    assert "2 workloads ran more than once" in page.text
    assert "Too few" not in page.text


def test_histories_go_on_by_pages(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchdb.machines.history.PAGE", 1)
    for day in range(2):
        run_of_day(owner, day, 100 * MIB)
        run = run_of_day(owner, day, 100 * MIB, file_system="xfs")

    first = page_of(client, run.machine_id)
    second = read(client.get(first.links["More workloads →"].partition("#")[0]))

    shown = {name for page in (first, second) for name in page.links if name.startswith("iozone ·")}
    assert shown == {"iozone · ext4", "iozone · xfs"}
    assert second.links["First workloads"] == f"/machines/{run.machine_id}/#history"


def test_private_runs_are_in_nothing_that_others_see(client: Client, owner: User) -> None:
    public = run_of_day(owner, 0, 100 * MIB)
    hidden = run_of_day(owner, 1, 100 * MIB, environment=on_kernel("6.66-secret"), visibility="private")
    unlisted = run_of_day(owner, 2, 100 * MIB, environment=on_kernel("6.77-secret"), visibility="unlisted")

    html = client.get(f"/machines/{public.machine_id}/").content.decode()

    assert "1 run of 1 tool" in read(client.get(f"/machines/{public.machine_id}/")).text
    for secret in ("secret", str(hidden.pk), str(unlisted.pk)):
        assert secret not in html
    client.force_login(owner)
    assert "6.66-secret" in page_of(client, public.machine_id).text


@pytest.mark.parametrize("visibility", ["private", "unlisted", "withdrawn"])
def test_a_machine_none_of_whose_runs_is_listed_is_not_there(client: Client, owner: User, visibility: str) -> None:
    run = store_run(owner, visibility="public" if visibility == "withdrawn" else visibility)
    if visibility == "withdrawn":
        RunState.objects.filter(run=run).update(withdrawn_at=STARTED)

    page_of(client, run.machine_id, 404)
    client.force_login(make_user("eve"))
    page_of(client, run.machine_id, 404)
    client.force_login(owner)
    page_of(client, run.machine_id)
    page_of(client, 2**40, 404)
    page_of(client, 10**30, 404)


def test_its_owner_sees_its_queue_and_agent(ada: Client, owner: User) -> None:
    machine = queue.listen(owner, "5a" * 32, "epyc-2", "0.2.0")
    job = queue_tiny(machine)
    store_run(owner)

    page = page_of(ada, machine.pk)

    assert page.links["Queue a plan"] == f"/plans/new/?machine={machine.pk}"
    assert page.links["tiny"] == f"/plans/{job.pk}/"
    assert not missing_in(page.text, "online", "Queue tiny waiting")
    form = read(ada.get(page.links["Queue a plan"]))
    (box,) = [attributes for _, attributes in form.elements if attributes.get("name") == "machines"]
    assert "checked" in box
    assert form.links["demo"] == f"/plans/new/?plan=demo&machine={machine.pk}"
    ada.force_login(make_user("eve"))
    assert "tiny" not in page_of(ada, machine.pk).text


def test_a_machine_without_runs_says_what_to_do(ada: Client, owner: User) -> None:

    page = page_of(ada, make_machine(owner).pk)

    assert "This machine has no stored runs yet" in page.text
    assert "Queue a plan" in page.links
    assert "Start the agent on this machine" in page.text


def test_its_campaigns_and_newest_runs(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    run = store_run(owner)
    store_campaign(owner, visibility="private")

    page = page_of(client, run.machine_id)

    assert campaign.machine_id == run.machine_id
    assert page.links["tiny"] == f"/campaigns/{campaign.pk}/"
    assert len(page.tables["Campaigns"]) == 2
    assert page.links["All its campaigns"] == f"/campaigns/?machine={run.machine_id}"
    assert len(page.tables["Runs"]) == 2


@pytest.mark.parametrize("query", [{"before": "x"}, {"before": "2026-11-20"}, {"workload": "x"}, {"workload": "-1"}])
def test_a_part_that_cannot_be_is_not_found(client: Client, owner: User, query: dict[str, str]) -> None:
    page_of(client, store_run(owner).machine_id, 404, **query)


def test_what_a_machine_says_of_itself_is_shown_as_text(client: Client, owner: User) -> None:
    hostile = "<script>alert(1)</script>"
    disks = [{**environment()["block_devices"][0], "name": hostile, "model": hostile}]
    facts = {**changed(cpu={"model": hostile}, kernel={"release": hostile}), "block_devices": disks}
    machine = {"name": hostile, "machine_id": "5a" * 32}
    run_of_day(owner, 0, 100 * MIB, machine=machine)
    run = run_of_day(owner, 1, 100 * MIB, environment=facts, machine=machine)

    assert "<script>alert" not in client.get(f"/machines/{run.machine_id}/").content.decode()


def test_many_runs_and_workloads_take_no_more_queries(client: Client, owner: User) -> None:
    def queries(machine: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            page_of(client, machine)
        return len(captured)

    for day in range(2):
        run: Run = run_of_day(owner, day, 100 * MIB, environment=on_kernel(f"6.{day}"))
    few = queries(run.machine_id)
    for day in range(2, 12):
        run_of_day(owner, day, 100 * MIB, environment=on_kernel(f"6.{day}"))
        run_of_day(owner, day, 100 * MIB, file_system="xfs")
    assert queries(run.machine_id) == few


def test_figures_of_one_date_have_no_order(client: Client, owner: User) -> None:
    run_of_day(owner, 0, 100 * MIB)
    run = run_of_day(owner, 0, 100 * MIB, environment=on_kernel(NEW))

    page = page_of(client, run.machine_id)

    assert "→" not in page.text[page.text.index("What changed") :]
    assert not missing_in(
        page.text, "runs of the same time show it in different states", "No workload ran at two different times yet"
    )
