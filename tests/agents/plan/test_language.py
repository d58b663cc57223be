"""Targets, memory and precision in a plan; hostile texts are refused without other effects."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.errors import PlanError
from benchagent.filesystems import planned
from benchagent.plan.model import Plan, Target
from benchagent.plan.reading import ASSUMED_RAM, load
from benchagent.tools.fsload.options import COMMANDS
from tests.agents.tools.parameters import PARAMETERS

GIB, MIB = 2**30, 2**20
TREE = '[[workloads]]\ntool = "fsload"\ncommand = "tree"\n'
DIRECTORY = '[[targets]]\nkind = "directory"\n'
IMAGE = '[[targets]]\nkind = "image"\nsize = "1 GiB"\nfile_system = "ext4"\n'
DISK = "/dev/disk/by-id/ata-ST3500641AS_3PM0XYZ1"
DEVICE = f'[[targets]]\nkind = "device"\npath = "{DISK}"\nfile_system = "xfs"\n'


def plan(targets: str = DIRECTORY, head: str = "", workloads: str = TREE, ram: int | None = None) -> Plan:
    return load(f'name = "p"\n{head}\n{targets}\n{workloads}', ram)


def target(text: str) -> Target:
    [found] = plan(text).targets
    return found


def faults(*texts: str) -> str:
    with pytest.raises(PlanError) as caught:
        plan(*texts)
    return str(caught.value)


def test_a_device_is_named_by_its_stable_id() -> None:
    assert target(DEVICE) == Target("xfs", "device", path=DISK, file_system="xfs")
    assert target(DEVICE + "wipe = true").wipe


def test_everything_an_image_can_have() -> None:
    text = (
        IMAGE
        + """
        mkfs_options = ["-E", "stride=32,stripe-width=320"]
        tune2fs = ["-c", "0", "-i", "0"]
        mount_options = []
        read_ahead = "8 MiB"
        scheduler = "mq-deadline"
        nr_requests = 256
        [targets.age]
        profile = "developer"
        fullness = 0.7
    """
    )
    assert target(text) == Target(
        "ext4",
        "image",
        size=GIB,
        file_system="ext4",
        mkfs_options=("-E", "stride=32,stripe-width=320"),
        tune2fs=("-c", "0", "-i", "0"),
        read_ahead=8 * MIB,
        scheduler="mq-deadline",
        nr_requests=256,
        age={"profile": "developer", "fullness": 0.7},
    )


def test_read_ahead_may_be_switched_off() -> None:
    assert target(IMAGE + "read_ahead = 0").read_ahead == 0
    assert target(IMAGE).read_ahead is None


def test_a_directory_has_tunables_too() -> None:
    found = target(DIRECTORY + 'read_ahead = "1 MiB"\nscheduler = "none"\nnr_requests = 64')
    assert (found.read_ahead, found.scheduler, found.nr_requests) == (MIB, "none", 64)


def test_what_is_asked_of_a_target_stands_with_its_preparation() -> None:
    text = IMAGE + 'tune2fs = ["-r", "1"]\nread_ahead = 0\nscheduler = "none"\nage = {fullness = 0.5}'
    assert plan(text).points()[0].workload.parameters == {
        "size": GIB,
        "mkfs_options": [],
        "mount_options": [],
        "tune2fs": ["-r", "1"],
        "read_ahead": 0,
        "scheduler": "none",
        "age_fullness": 0.5,
    }
    assert "size" not in plan(DEVICE).points()[0].workload.parameters


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (DEVICE.replace(DISK, "/dev/sdb"), "path is '/dev/sdb'; expected a stable name"),
        (DEVICE.replace(DISK, "/dev/disk/by-id/../../sda"), "a stable name"),
        (DEVICE.replace(DISK, "/dev/disk/by-id/.."), "a stable name"),
        (DEVICE + 'size = "1 GiB"', "size is '1 GiB'; expected one of"),
        (DEVICE + "age = {}", "age is {}; expected one of"),
        (DEVICE + 'wipe = "yes"', "true or false"),
        (IMAGE + "wipe = true", "wipe is True; expected one of"),
        (IMAGE + "read_ahead = 1000", "a whole number of KiB"),
        (IMAGE + "nr_requests = 0", "a whole number from 1"),
        (IMAGE + 'scheduler = "../x"', "a name of up to 64"),
        (IMAGE + "age = 3", "targets[0].age; expected a table"),
        (IMAGE + 'age = {size_distribution = "x"}', "targets[0].age.size_distribution is 'x'; expected one of"),
        (IMAGE + "age = {fullness = 2}", "targets[0].age.fullness is 2; expected a number from 0 to 1"),
        (IMAGE + 'mkfs_options = ["-J", "device=UUID=123"]', "name no device"),
        (IMAGE + 'mount_options = ["noatime,journal_dev=0x801"]', "name no device"),
        (IMAGE + 'mkfs_options = ["-l", "logdev=sdb"]', "name no device"),
        (IMAGE + 'tune2fs = ["/dev/sda"]', "without a slash"),
        (DIRECTORY + "mount_options = []", "mount_options is []; expected one of"),
        (IMAGE.replace('"ext4"', '["ext4", "ext4"]'), "holds nothing twice"),
    ],
)
def test_refuses_targets(text: str, fault: str) -> None:
    assert fault in faults(text)


@pytest.mark.parametrize(
    ("head", "bounds"),
    [
        ("precision = 0.02", (30, 3, None)),
        ('precision = "2 %"\nrounds = 50', (50, 3, None)),
        ('precision = 0.02\ntime_budget = "1 h"', (None, 3, 3600.0)),
        ("precision = 0.02\nmin_rounds = 5", (30, 5, None)),
    ],
)
def test_a_precision_makes_rounds_the_most(head: str, bounds: tuple[int | None, int, float | None]) -> None:
    found = plan(head=head)
    assert found.precision == 0.02
    assert (found.rounds, found.min_rounds, found.time_budget) == bounds


def test_a_precise_plan_ends_when_its_results_are_known_well_enough() -> None:
    precise = plan(head="precision = 0.02\nrounds = 10")
    assert not precise.is_over(2, 1.0, precise=True)
    assert precise.is_over(3, 1.0, precise=True)
    assert not precise.is_over(9, 1.0)
    assert precise.is_over(10, 1.0)
    assert not plan(head="rounds = 10").is_over(9, 1.0, precise=True)


@pytest.mark.parametrize(
    ("head", "fault"),
    [
        ("precision = 0", "a ratio between 0 and 1"),
        ("precision = 2", "a ratio between 0 and 1"),
        ('precision = "200 %"', "a ratio between 0 and 1"),
        ("precision = 0.1\nrounds = 2", "rounds is 2; expected at least 3"),
        ("precision = 0.1\nmin_rounds = 2", "min_rounds is 2; expected at least 3"),
        ('memory = "1 MiB"', "memory is '1 MiB'; expected at least 16 MiB"),
        ('memory = "0.001 * ram"', "at least 16 MiB"),
    ],
)
def test_refuses_bounds(head: str, fault: str) -> None:
    assert fault in faults(DIRECTORY, head)


def sized(size: str, head: str = "", ram: int | None = None) -> Any:
    text = f'[[workloads]]\ntool = "fsload"\nfile_sizes = [{size}]\nrecord_sizes = ["1 MiB"]\n'
    [workload] = plan(head=head, workloads=text, ram=ram).workloads
    return workload.parameters["file_sizes"]


@pytest.mark.parametrize(
    ("size", "ram", "number"),
    [
        ('"2 * ram"', 512 * MIB, GIB),
        ('"0.5*ram"', 3 * MIB, MIB),
        ('"1.5 * ram"', 5 * GIB + 4711, 7 * GIB + 512 * MIB),
        ('"2 * ram"', None, 2 * ASSUMED_RAM),
        ('"1 * ram"', GIB + 65 * MIB, GIB + 64 * MIB),
    ],
)
def test_sizes_follow_the_memory(size: str, ram: int | None, number: int) -> None:
    assert sized(size, ram=ram) == [number]


def test_the_plans_own_limit_takes_the_place_of_the_machines_memory() -> None:
    assert sized('"2 * ram"', 'memory = "256 MiB"', ram=64 * GIB) == [512 * MIB]
    assert sized('"2 * ram"', 'memory = "0.25 * ram"', ram=GIB) == [512 * MIB]
    assert plan(head='memory = "0.25 * ram"', ram=GIB).memory == 256 * MIB


@pytest.mark.parametrize("ram", [5 * GIB + 12345, 24_105 * MIB, 3 * GIB - 1])
def test_large_records_fill_a_file_that_follows_the_memory(ram: int) -> None:
    text = '[[workloads]]\ntool = "fsload"\nfile_sizes = ["2 * ram"]\nrecord_sizes = ["1 MiB", "16 MiB"]\n'
    assert plan(workloads=text, ram=ram)


def test_only_a_size_is_a_multiple_of_the_memory() -> None:
    assert "a time such as" in faults(DIRECTORY, "", TREE + 'timeout = "2 * ram"')
    assert plan(head='labels = {size = "2 * ram"}').labels == {"size": "2 * ram"}
    assert "at least 1 MiB" in faults(DIRECTORY, "", TREE + 'file_size = "0.000001 * ram"')


def test_maintenance() -> None:
    text = (
        '[[workloads]]\ntool = "maintenance"\ntests = ["remount", "fsck_forced"]\nfill = "1 GiB"\nfile_size = "1 MiB"\n'
    )
    [workload] = plan(IMAGE, workloads=text).workloads
    assert workload.parameters == {"tests": ["remount", "fsck_forced"], "fill": GIB, "file_size": MIB}
    assert "how many bytes" in faults(IMAGE, "", text.replace('fill = "1 GiB"\n', ""))
    assert "no more than fill" in faults(IMAGE, "", text.replace('"1 MiB"', '"2 GiB"'))
    assert "expected one of raw_read" in faults(IMAGE, "", text.replace("remount", "defragment"))


def test_a_cold_iozone_names_its_sizes() -> None:
    auto = '[[workloads]]\ntool = "iozone"\nauto = true\n'
    assert "in place of auto" in faults(DIRECTORY, 'cache = "cold"', auto)
    assert plan(head='cache = "cold"', workloads=auto.replace("auto = true", 'file_sizes = "1 MiB"')).cache == "cold"


@pytest.mark.parametrize(
    "source",
    [
        "a = " + "[" * 100_000,
        ".".join("a" * 100_000) + " = 1",
        "a" * 300_000,
        "name = 0x" + "f" * 20_000,
        "name = " + "9" * 20_000,
        "time_budget = 1" + "0" * 400,
        "precision = 1e-400",
        f"{IMAGE}nr_requests = 0x{'f' * 5000}",
        f"{IMAGE.replace('4', '4x')}\n" * 5000,
        f"[[targets]]\nkind = 'image'\nfile_system = {['ext4'] * 20_000}",
    ],
    ids=str.__len__,
)
def test_a_hostile_text_is_refused(source: str) -> None:
    with pytest.raises(PlanError):
        load(source)


keys = st.sampled_from(
    sorted(
        {"name", "kind", "tool", "vary", "age", "file_system", "size", "path", "mount_options", "read_ahead", "tune2fs"}
        | {"rounds", "precision", "memory", "time_budget", "min_rounds", "cache", "order", "labels", "command"}
        | {key for fields in PARAMETERS.values() for key in fields}
        | {key for command in COMMANDS.values() for key in command.parameters}
    )
)
words = st.sampled_from(
    [
        *("image", "device", "directory", "cold", "default", "64 KiB", "2 * ram", "2 %", "1 h", "barrier=0", "x" * 70),
        *(DISK, *planned(), *PARAMETERS, *COMMANDS, "fsload"),
    ]
)
values = st.recursive(
    st.booleans() | st.integers() | st.floats() | words | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)
tables = st.dictionaries(keys, values, max_size=6)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return str(value).lower() if isinstance(value, (bool, float)) else json.dumps(value)


@given(tables, st.lists(tables, max_size=2), st.lists(tables, max_size=2))
def test_any_plan_is_read_or_refused_with_its_faults(
    top: dict[str, Any], targets: list[dict[str, Any]], workloads: list[dict[str, Any]]
) -> None:
    document = {**top, "targets": targets, "workloads": workloads}
    source = "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in document.items())
    try:
        loaded = load(source)
    except PlanError:
        return
    ids = [point.id for point in loaded.points()]
    assert len(set(ids)) == len(ids) > 0
