"""A component against others of its kind: which runs are pairs, and their ratios."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.support.comparing.comparisons import compared_runs
from tests.support.comparing.components import measured, on_disk, on_raid, page_of
from tests.support.documents import GIB, KIB, MIB, environment, result, target
from tests.support.store import store_run


def test_a_pair_has_the_ratio_and_interval_of_the_comparison(client: Client, owner: User) -> None:
    ext4, xfs, _ = compared_runs(owner)

    page = page_of(client, "/file-systems/ext4/")

    rows = {row[0].text: [cell.text for cell in row] for row in page.tables["Against xfs"][1:]}
    assert rows["Write throughput ↑"] == ["Write throughput ↑", "16.7 % slower", "", "16.2 % to 17.1 %", "1"]
    assert page.links["Table of the newest pair"].startswith("/compare/?run=")
    address = f"/compare/?run={xfs.pk}&run={ext4.pk}"
    assert address in [attributes.get("href") for _, attributes in page.elements]
    assert "16.7 % slower" in page_of(client, address).text


def test_several_pairs_have_the_mean_over_pairs(client: Client, owner: User) -> None:
    for number, factor in enumerate((1.1, 1.2, 1.3)):
        machine = {"name": f"m{number}", "machine_id": f"{number}a" * 32}
        compared_runs(owner, {"ext4": 100 * MIB, "xfs": factor * 100 * MIB}, machine=machine)

    page = page_of(client, "/file-systems/xfs/")

    assert "ext4 3 pairs on 3 machines" in page.text
    row = [cell.text for cell in page.tables["Against ext4"][1]]
    assert row == ["Write throughput ↑", "+20 %", "", "−3 % to +47 %", "3"]


def test_only_runs_that_are_equal_in_everything_else_are_pairs(client: Client, owner: User) -> None:
    store_run(owner, rounds=6, results=measured(("write", 100.0 * MIB)))
    other_memory = environment()
    other_memory["memory"]["total"] = 4 * GIB
    plain = {"tool": "iozone", "tool_version": "3.489", "command": ["iozone"], "parameters": {"file_size": GIB}}
    sync = target("xfs")
    sync["mount"]["options"] = ["rw", "sync"]
    for sections in (
        {"environment": other_memory},
        {"machine": {"name": "epyc-2", "machine_id": "6b" * 32}},
        {"workload": plain},
        {"labels": {"plan": "tests", "patch": "with"}},
        {"state_before": {"size": 100 * GIB, "used": 80 * GIB, "fill": 0.8}},
        {"target": sync},
        {"target": on_disk("ST8000", "xfs")},
        {"visibility": "private"},
        {"visibility": "unlisted"},
    ):
        store_run(owner, **{"file_system": "xfs", "rounds": 6, "results": measured(("write", 9e9)), **sections})

    page = page_of(client, "/file-systems/ext4/")

    assert "Against xfs" not in page.tables
    assert "No run of another file system is equal in everything else" in page.text
    assert "left out" not in page.text


def test_settings_that_follow_from_the_component_may_differ(client: Client, owner: User) -> None:
    store_run(owner, rounds=6, results=measured(("write", 100.0 * MIB)))
    btrfs = {**target("btrfs"), "read_ahead": 4 * MIB}
    btrfs["mount"]["options"] = ["rw", "noatime", "space_cache=v2"]
    btrfs["file_system"] |= {"block_size": 16 * KIB, "mkfs_command": ["mkfs.btrfs", "-f"]}
    parameters = {"file_size": GIB, "record_size": MIB, "directory": "/mnt/b", "seed": 7}
    workload = {"tool": "iozone", "tool_version": "3.489", "command": ["iozone"], "parameters": parameters}
    other = {"labels": {"plan": "another"}, "workload": workload}
    store_run(owner, target=btrfs, **other, rounds=6, results=measured(("write", 50.0 * MIB)))

    assert page_of(client, "/file-systems/ext4/").tables["Against btrfs"][1][1].text == "2.00× faster"


def test_a_side_with_several_settings_is_left_out(client: Client, owner: User) -> None:
    for block_size in (1024, 4096):
        storage = target("ext4")
        storage["file_system"]["block_size"] = block_size
        store_run(owner, target=storage, rounds=6, results=measured(("write", 100.0 * MIB)))
    store_run(owner, file_system="xfs", rounds=6, results=measured(("write", 50.0 * MIB)))

    page = page_of(client, "/file-systems/xfs/")

    assert "Against ext4" not in page.tables
    assert "1 workload left out: one side was measured with several settings" in page.text


def test_pairs_of_single_rounds_have_no_interval(client: Client, owner: User) -> None:
    for name, mean in (("ext4", 1e8), ("xfs", 2e8)):
        results = [result([mean], file_size=GIB, record_size=MIB)]
        store_run(owner, file_system=name, rounds=1, results=results)

    row = page_of(client, "/file-systems/ext4/").tables["Against xfs"][1]

    assert [cell.text for cell in row][1:] == ["2× slower", "", "none: one round each", "1"]


@pytest.mark.parametrize(
    ("address", "other", "table"),
    [
        ("/kernels/6.1.0-28-amd64/", "6.12", "rows=kernel"),
        ("/disks/ST4000NM0035/", "Samsung 980", "rows=disk"),
        ("/raid/raid6-128K/", "RAID 6, 64 KiB chunk", "rows=raid_level,raid_chunk"),
    ],
)
def test_kernels_disks_and_raid_layouts_have_neighbours(
    client: Client, owner: User, address: str, other: str, table: str
) -> None:
    newer = environment()
    newer["kernel"]["release"] = "6.12"
    storage = {"target": on_disk("Samsung 980")}, {"target": on_raid("raid6", 64 * KIB)}
    for sections, mean in zip(({}, {"environment": newer}, *storage), (1e8, 2e8, 3e8, 4e8), strict=True):
        store_run(owner, rounds=6, results=measured(("write", mean)), **sections)

    page = page_of(client, address)

    assert {name for name in page.tables if name.startswith("Against")} == {f"Against {other}"}
    assert page.tables[f"Against {other}"][1][1].text.endswith("× slower")
    assert page.links["Table of the newest pair"].endswith(table)
    page_of(client, page.links["Table of the newest pair"])


def test_a_tool_is_not_compared(client: Client, owner: User) -> None:
    compared_runs(owner)
    assert "Against" not in page_of(client, "/tools/iozone/").text
