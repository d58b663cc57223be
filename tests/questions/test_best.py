"""`/questions/best/`: configurations that may be the best for a workload on similar hardware."""

import csv
from math import exp
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run
from tests.questions.simulated import configurations, measured, on_machine, storage
from tests.support.comparing.components import page_of
from tests.support.documents import GIB
from tests.support.store import store_run
from tests.texts import missing_in

EFFECTS = {"ext4": 0.0, "xfs": 0.3, "btrfs": -0.5}


def rows_of(page: Any, group: str) -> dict[str, list[str]]:
    """The lines of a group by configuration."""
    return {row[0].text: [cell.text for cell in row[1:]] for row in page.tables.get(group, [])[1:]}


def answer(client: Client, query: str = "") -> dict[str, Any]:
    """The answer as JSON, with the configurations by their file system."""
    found: dict[str, Any] = client.get(f"/questions/best.json?{query}").json()["answer"]
    found["by_name"] = {row["parts"][0]["value"]: row for row in found["configurations"] if row["parts"]}
    return found


def test_the_best_configuration_leads_and_the_others_are_worse(client: Client, owner: User) -> None:
    configurations(owner, 4, EFFECTS)

    page = page_of(client, "/questions/best/")

    assert list(rows_of(page, "Maybe the best")) == ["xfs file system"]
    assert list(rows_of(page, "Worse than another one")) == ["ext4 file system", "btrfs file system"]
    assert not missing_in(page.text, "xfs is better than each of the others", "24 runs on 4 machines")
    change, _, interval, machines, runs, link = rows_of(page, "Maybe the best")["xfs file system"]
    assert change.startswith("2.")  # against btrfs, the first of those on the most machines
    assert " to " in interval
    assert (machines, runs, link) == ("4 of 4", "8", "table")
    page_of(client, page.links["table"])
    found = answer(client)["by_name"]["xfs"]
    assert found["low"] < exp(0.8) < found["high"]


def test_for_times_the_smallest_is_the_best(client: Client, owner: User) -> None:
    for run in range(2):
        for number in range(4):
            for file_system, seconds in (("ext4", 10.0), ("xfs", 20.0)):
                values = [seconds * (1 + number) + 0.01 * run * number] * 3
                results = [{"test": "mkfs", "metric": "elapsed", "unit": "s", "values": values}]
                store_run(owner, results=results, target=storage(file_system=file_system), **on_machine(number))

    found = answer(client)

    assert [row["standing"] for row in found["configurations"]] == ["maybe_best", "worse"]
    assert found["configurations"][0]["parts"][0]["value"] == "ext4"


def test_with_two_machines_the_answer_is_about_these(client: Client, owner: User) -> None:
    configurations(owner, 2, EFFECTS, runs=3)

    page = page_of(client, "/questions/best/")

    assert "The answer is about these machines only" in page.text
    assert list(rows_of(page, "Maybe the best")) == ["xfs file system"]
    assert answer(client)["similar"] is False


def test_runs_that_differ_in_anything_else_are_not_compared(client: Client, owner: User) -> None:
    configurations(owner, 3, {"ext4": 0.0})
    configurations(owner, 3, {"xfs": 9.0}, memory=4 * GIB)

    page = page_of(client, "/questions/best/")

    assert not missing_in(
        page.text,
        "No two configurations were measured under equal conditions",
        "2 configurations never measured beside another one",
    )
    assert "Maybe the best" not in page.tables


def test_a_configuration_of_one_machine_is_not_comparable(client: Client, owner: User) -> None:
    configurations(owner, 4, {"ext4": 0.0, "xfs": 0.3})
    configurations(owner, 1, {"zfs": 5.0})

    page = page_of(client, "/questions/best/")

    assert list(rows_of(page, "Not comparable")) == ["zfs file system"]
    assert "zfs" not in " ".join(rows_of(page, "Maybe the best"))
    assert answer(client)["by_name"]["zfs"]["p_best"] is None


@pytest.mark.parametrize(
    ("query", "machines"),
    [
        ("", 5),
        ("near_memory=8G", 3),
        ("near_memory=16G", 5),
        ("near_threads=64", 3),
        ("near_threads=100", 0),
        ("disk_kind=ssd", 3),
        ("disk_kind=rotational", 2),
        ("disk_kind=nvme", 0),
        ("disk_kind=ssd&near_memory=64G", 0),
    ],
)
def test_similar_hardware(client: Client, owner: User, query: str, machines: int) -> None:
    mixed(owner)

    page = page_of(client, f"/questions/best/?{query}")

    assert (f"on {machines} machines" in page.text) == (machines > 0)
    assert ("No run matches" in page.text) == (machines == 0)


def test_hardware_like_that_of_a_machine(client: Client, owner: User) -> None:
    small, large = mixed(owner)

    page = page_of(client, f"/questions/best/?like={small.machine_id}")
    assert not missing_in(
        page.text, "12 runs on 3 machines", "similar hardware: SSD, 4 GiB to 16 GiB of memory, 16 to 64 CPU threads"
    )
    assert "8 runs on 2 machines" in page_of(client, f"/questions/best/?like={large.machine_id}").text


def mixed(owner: User) -> tuple[Run, Run]:
    """Three machines with 8 GiB, 32 threads and an SSD, two with 32 GiB, 16 threads and a rotational disk.

    Returns a run of each kind.
    """
    small = configurations(owner, 3, {"ext4": 0.0, "xfs": 0.1}, disk={"rotational": False, "transport": "sata"})
    for number in (7, 8):
        for file_system in ("ext4", "xfs"):
            for run in range(2):
                place = storage(file_system=file_system)
                place["stack"][1] |= {"rotational": True, "transport": "sata"}
                sections = on_machine(number, memory=32 * GIB, threads=16)
                rng = np.random.default_rng([number, run])
                large = store_run(owner, rounds=3, results=measured(0.0, rng), target=place, **sections)
    return small[0], large


def test_a_chosen_part_compares_within_equal_other_parts(client: Client, owner: User) -> None:
    rng = np.random.default_rng(3)
    for number in range(4):
        for options, effect in ((["noatime"], 0.2), (["relatime"], 0.0)):
            for file_system in ("ext4", "xfs"):
                for _ in range(2):
                    log = effect + rng.normal(0, 0.01) + (1.0 if file_system == "xfs" else 0.0)
                    place = storage(file_system=file_system, options=options)
                    store_run(owner, rounds=3, results=measured(log, rng), target=place, **on_machine(number))

    page = page_of(client, "/questions/best/?vary=mount_option")

    assert list(rows_of(page, "Maybe the best")) == ["noatime mount option"]
    assert list(rows_of(page, "Worse than another one")) == ["relatime mount option"]
    assert "rw" in page.text  # what all have


def test_names_are_text_and_csv_starts_no_formula(client: Client, owner: User) -> None:
    configurations(owner, 3, {"=1+1<script>alert(1)</script>": 0.0, "xfs": 0.1})

    page = client.get("/questions/best/")
    lines = list(csv.DictReader(client.get("/questions/best.csv").content.decode().splitlines()))

    assert b"<script>alert" not in page.content
    assert {line["file_system"][0] for line in lines} == {"'", "x"}
    assert [line["reference"] for line in lines].count("True") == 1
