"""The list of runs shows in what its runs differ."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.runs.listing.test_table import listed, variants
from tests.support.comparing.comparisons import compared_runs
from tests.support.documents import bonnie_document, document, environment, target
from tests.support.html import Page, read
from tests.support.store import make_user, store_run


def heads(page: Page) -> list[str]:
    return [cell.text for cell in page.tables["Runs"][0]]


def test_a_filtered_facet_is_a_column_if_rows_differ(client: Client, owner: User) -> None:
    variants(owner)

    assert "Memory" in heads(listed(client, "?memory=4G&memory=8G"))
    assert "Memory" not in heads(listed(client, "?memory=8G"))
    assert "Memory" in heads(listed(client, "?memory_max=8G"))
    assert "Labels" in heads(listed(client, "?label=plan%3Dtests&label=plan%3Dlate"))
    assert heads(listed(client, "?memory=4G&memory=8G&column=cpu")) == ["Workload", "CPU"]


def test_columns_with_one_value_are_said_once(client: Client, owner: User) -> None:
    store_run(owner)
    assert "In every row" not in listed(client).text
    store_run(owner, document(target=target("xfs"), visibility="public"))
    assert heads(listed(client)) == ["Workload", "File system", "Headline", "Results", "Rounds", "Started"]

    page = listed(client, "?file_system=ext4")
    store_run(owner, bonnie_document(visibility="public"))
    both = listed(client, "?file_system=ext4")

    assert "Machine" in heads(page)  # one row is complete
    assert heads(both) == ["Workload", "Headline", "Results", "Rounds", "Started"]
    assert "In every row: ext4, RAID 6 of 4 disks · epyc-2, 6.1.0-28-amd64" in both.text


def test_rows_name_the_settings_in_which_neighbours_differ(client: Client, owner: User) -> None:
    sync, little = target(), environment()
    sync["mount"]["options"] = [*sync["mount"]["options"], "sync"]
    sync["read_ahead"] = 131072
    little["memory"]["total"] = 4 * 2**30
    store_run(owner)
    store_run(owner, target=sync)
    store_run(owner, environment=little, protocol={**document()["protocol"], "cache": "warm"})
    store_run(owner, target=target("xfs"))  # has no neighbours

    xfs, warm, synced, plain = [" | ".join(cell.text for cell in row) for row in listed(client).tables["Runs"][1:]]

    assert "RAID 6 of 4 disks · sync, read-ahead 128 KiB |" in synced
    assert "4 GiB memory |" in warm
    assert warm.startswith("iozone warm caches · file size")
    assert plain.startswith("iozone cold caches · file size")
    assert "sync" not in plain
    assert "ext4 RAID 6 of 4 disks · read-ahead" in plain
    assert "xfs RAID 6 of 4 disks |" in xfs
    assert "noatime" not in synced  # all of them have it


def test_a_row_begins_with_what_tells_it_from_its_neighbours(client: Client, owner: User) -> None:
    for sync in ("none", "dsync"):
        parameters = {"directory": "/mnt/test", "record_sizes": [65536], "repetitions": 1, "sync": sync}
        command = ["fsload", "sweep", "--directory", "/mnt/test", "--repetitions", "1", "--sync", sync]
        store_run(
            owner, workload={"tool": "fsload", "tool_version": None, "command": command, "parameters": parameters}
        )
    store_run(owner, workload={"tool": "iozone", "tool_version": None, "command": ["iozone", "-a"], "parameters": {}})

    page = listed(client)

    assert [row[0].text for row in page.tables["Runs"][1:]] == [
        "iozone -a",
        "fsload sync dsync · record sizes 64 KiB",
        "fsload sync none · record sizes 64 KiB",
    ]
    labels = [run["label"] for run in client.get("/runs/all.json").json()["runs"]]
    assert labels == [
        "iozone on ext4, epyc-2",
        "fsload on ext4, sync dsync, epyc-2",
        "fsload on ext4, sync none, epyc-2",
    ]


def test_two_machines_of_one_name_are_told_apart(client: Client, owner: User) -> None:
    own, forged = store_run(owner), store_run(make_user("bob"), document(visibility="public"))

    rows = [" | ".join(cell.text for cell in row) for row in listed(client).tables["Runs"][1:]]

    for row, run in zip(rows, (forged, own), strict=True):
        assert f"epyc-2 6.1.0-28-amd64 · machine {run.machine_id}" in row
        assert f"Added by {run.runstate.owner.username}" in read(client.get(run.get_absolute_url())).text


@pytest.mark.parametrize(
    "name",
    [
        *("EPYC-2", "epyc-2 ", "epyc-2\N{ZERO WIDTH SPACE}", "epyc\N{NON-BREAKING HYPHEN}2", "ep\N{SOFT HYPHEN}yc-2"),
        *("\N{CYRILLIC SMALL LETTER IE}pyc-2", "epyc-\N{FULLWIDTH DIGIT TWO}", "x (machine 12)", "x [Mach1ne I2]"),
    ],
)
def test_names_that_look_alike_or_told_apart_have_an_id(client: Client, owner: User, name: str) -> None:
    own, bob, machine = store_run(owner), make_user("bob"), {"name": name, "machine_id": "6b" * 32}
    forged, *_ = [store_run(bob, document(machine=machine, visibility="public")), *compared_runs(bob, machine=machine)]

    together, alone, first = [" | ".join(cell.text for cell in row) for row in listed(client).tables["Runs"][1:]]

    assert f"(machine {forged.machine_id})" in together
    assert f"· machine {forged.machine_id}" in alone
    assert (f"· machine {own.machine_id}" in first) == (name[0] != "x")
