"""Names from the years of the articles: translated to today's names with a note, or refused with the reason."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from benchagent.filesystems import named, planned
from benchagent.plan.model import Plan, Target, Workload
from benchagent.planning.adaptation import SCHEDULERS, translate, translated, version_of

NOW = (6, 18)
OLD = (3, 10)
KERNELS = ((3, 3), (4, 3), NOW)


def image(file_system: str, *mount_options: str, **more: object) -> Target:
    target = Target("t", "image", size=2**30, file_system=file_system, mount_options=mount_options)
    return replace(target, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("release", "version"),
    [("6.1.0-28-amd64", (6, 1, 0)), ("2.6.32.71", (2, 6, 32, 71)), ("6.18.44-fc-v669", (6, 18, 44)), ("5.4+", (5, 4))],
)
def test_reads_releases(release: str, version: tuple[int, ...]) -> None:
    assert version_of(release) == version


@pytest.mark.parametrize("release", [None, "", "unknown"])
def test_a_kernel_that_says_nothing_counts_as_new(release: str | None) -> None:
    assert version_of(release) > NOW


@pytest.mark.parametrize(
    ("file_system", "asked", "done"),
    [
        ("ext4", ["barrier=0"], ["barrier=0"]),
        ("ext3", ["nobarrier", "data=writeback"], ["nobarrier", "data=writeback"]),
        ("ext4", ["barrier=none"], ["barrier=0"]),
        ("btrfs", ["barrier=0"], ["nobarrier"]),
        ("btrfs", ["barrier=1"], ["barrier"]),
        ("xfs", ["barrier=1", "logbufs=8"], ["logbufs=8"]),
        ("f2fs", ["barrier=0"], ["nobarrier"]),
        ("f2fs", ["barrier=1"], []),
        ("nilfs2", ["barrier=0"], ["nobarrier"]),
        ("ext4", ["noatime,barrier=none", "commit=30"], ["noatime", "barrier=0", "commit=30"]),
        ("ext4", ["data=writeback", "extents", "delalloc"], ["data=writeback", "delalloc"]),
        ("ext4", ["mballoc", "bh", "orlov"], []),
        ("xfs", ["delaylog", "ihashsize=65536", "osyncisosync", "attr2"], []),
    ],
)
def test_writes_options_in_todays_names(file_system: str, asked: list[str], done: list[str]) -> None:
    found = translate(image(file_system, *asked), NOW)
    assert (found.refused, list(found.mount_options)) == (None, done)
    assert bool(found.notes) == (asked != done)


@pytest.mark.parametrize(
    ("file_system", "option"),
    [
        ("xfs", "nobarrier"),
        ("xfs", "barrier=0"),
        ("xfs", "nodelaylog"),
        ("xfs", "osyncisdsync"),
        ("xfs", "ikeep"),
        ("xfs", "data=writeback"),
        ("ext2", "data=journal"),
        ("ext3", "delalloc"),
        ("ext3", "noreservation"),
        ("ext4", "nomballoc"),
        ("ext4", "nobh"),
        ("ext4", "noacl"),
        ("jfs", "barrier=0"),
        ("btrfs", "inode_cache"),
    ],
)
def test_refuses_what_cannot_be_had_any_more(file_system: str, option: str) -> None:
    found = translate(image(file_system, "noatime", option), NOW)
    assert found.refused is not None
    assert found.refused.startswith(f"{option} cannot be had on {file_system}: ")
    assert found.mount_options == ("noatime", option)


def test_a_note_says_what_was_asked_and_what_is_done() -> None:
    assert translate(image("btrfs", "barrier=0"), NOW).notes == ("barrier=0 is written nobarrier on btrfs",)
    [note] = translate(image("xfs", "barrier"), NOW).notes
    assert note == "barrier is left out on xfs: xfs always writes with barriers since Linux 4.10"


def test_the_kernel_decides() -> None:
    assert translate(image("xfs", "barrier=0"), OLD).mount_options == ("nobarrier",)
    assert translate(image("xfs", "nobarrier"), (4, 9)).refused is None
    assert translate(image("xfs", "nobarrier"), (4, 10)).refused is not None
    assert translate(image("reiserfs", "barrier=1"), (6, 12)).mount_options == ("barrier=flush",)
    assert translate(image("reiserfs"), (6, 13)).refused == "reiserfs was removed in Linux 6.13"


def test_file_systems_of_their_time() -> None:
    found = translate(image("ext4dev", "extents"), NOW)
    assert (found.name, found.file_system, found.refused) == ("t", "ext4", None)
    assert len(found.notes) == 2
    assert "patched" in (translate(image("reiser4"), NOW).refused or "")


def test_what_mkfs_decides_now_is_given_to_mkfs() -> None:
    found = translate(image("ext4", "noextents", mkfs_options=("-m", "0")), NOW)
    assert (found.mkfs_options, found.mount_options) == (("-m", "0", "-O", "^extent,^64bit"), ())


@pytest.mark.parametrize("file_system", planned())
def test_tune2fs_is_for_its_own_family(file_system: str) -> None:
    found = translate(image(file_system, tune2fs=("-c", "0")), OLD)
    assert (found.refused is None) == (file_system in ("ext2", "ext3", "ext4", "ext4dev"))


@pytest.mark.parametrize(("old", "new"), [(old, new) for old, (new, _) in SCHEDULERS.items()])
def test_elevators_have_other_names_in_the_multi_queue_layer(old: str, new: str) -> None:
    found = translate(image("ext4", scheduler=old), (5, 0))
    assert found.scheduler == new
    assert found.notes[0].startswith(f"scheduler {old} is {new}: ")
    assert translate(image("ext4", scheduler=old), (4, 20)).scheduler == old
    assert translate(image("ext4", scheduler=new), NOW) == image("ext4", scheduler=new)


def test_directories_are_left_alone_and_points_keep_their_ids() -> None:
    workload = Workload("w", "iozone")
    assert translate(Target("d", "directory", scheduler="noop"), NOW).scheduler == "none"
    plan = Plan("p", (Target("d", "directory", path="/x"), image("xfs", "barrier=0")), (workload,))
    current = translated(plan, os.uname().release)
    assert current.targets[0] == plan.targets[0]
    assert [point.id for point in current.points()] == [point.id for point in plan.points()]


options = st.sampled_from(["noatime", "nodiratime", "commit=5", "barrier=0", "barrier=1", "nobarrier", "barrier"])
made = st.builds(
    image,
    st.sampled_from(planned()),
    st.sampled_from(["data=writeback", "extents", "noextents", "delaylog", "ikeep", "bh", "notail", "x"]) | options,
    options,
    scheduler=st.sampled_from([None, "cfq", "noop", "kyber"]),
    tune2fs=st.sampled_from([(), ("-c", "0")]),
)


@given(made, st.tuples(st.integers(2, 7), st.integers(0, 40)))
def test_what_was_translated_needs_no_translation(target: Target, kernel: tuple[int, int]) -> None:
    once = translate(target, kernel)
    if once.refused is None:
        assert translate(once, kernel) == once
        assert bool(once.notes) == (once != target)


def test_some_targets_are_translated() -> None:
    """The test above has translated targets to check."""

    def is_translated(target: Target) -> bool:
        translation = translate(target, NOW)
        return translation.refused is None and translation != target

    assert find(made, is_translated)


def test_every_rule_can_be_reached() -> None:
    """A rule would be unreachable if an earlier one took all of its options."""
    samples = ["barrier", "nobarrier", "barrier=none", "barrier=flush", "data=journal", "ihashsize=1", "alloc_start=1"]
    for rules in (named(name).rules for name in planned()):
        asked = product([*samples, *(option for rule in rules for option in rule.option.split("|"))], KERNELS)
        met = {next((rule for rule in rules if rule.fits(*each)), None) for each in asked}
        assert met >= set(rules)
