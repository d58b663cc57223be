"""Options that this kernel refuses are found and named before anything is measured."""

from __future__ import annotations

import os

import pytest

from benchagent.system.owned_directory import LOCK
from benchagent.targets import loop
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.work_directory import WorkDirectory
from tests.agents.targets.test_prepare import image, loop_devices, root

pytestmark = [root, loop_devices]


@pytest.mark.parametrize(
    ("file_system", "options", "expected"),
    [
        ("ext4", ("noatime", "barrier=0", "data=writeback"), None),
        ("ext4", ("noatime", "nosuch"), "this kernel refuses the mount option nosuch for ext4"),
        ("ext4", ("nosuch", "other=1"), "this kernel refuses the mount options nosuch, other=1 for ext4"),
        ("ext4", ("data=journal", "dioread_nolock", "delalloc"), "together"),
        ("xfs", ("nobarrier",), "this kernel refuses the mount option nobarrier for xfs"),
        ("btrfs", ("compress=zstd", "noatime"), None),
    ],
)
def test_a_refused_mount_option_is_named(
    work: WorkDirectory, file_system: str, options: tuple[str, ...], expected: str | None
) -> None:
    why = why_not_prepared(image(file_system, mount_options=options), work)
    assert why == expected or (expected == "together" and why is not None and "together for ext4" in why)
    assert (loop.loops_under(work.path), os.listdir(work.path)) == ([], [LOCK])


def test_what_mkfs_makes_decides_what_mounts(work: WorkDirectory) -> None:
    target = image("ext4", mkfs_options=("-O", "^has_journal"), mount_options=("data=journal",))
    assert why_not_prepared(target, work) == "this kernel refuses the mount option data=journal for ext4"


def test_a_file_system_that_the_kernel_cannot_mount_as_it_was_made(work: WorkDirectory) -> None:
    """mke2fs accepts inodes larger than a page, the kernel does not."""
    why = why_not_prepared(image("ext4", mkfs_options=("-b", "65536", "-F")), work)
    assert why == "this kernel does not mount ext4 made with -b 65536 -F"


def test_options_that_fit_the_real_size_only_are_left_to_mkfs(work: WorkDirectory) -> None:
    """A group count that is too large for a small image may be valid for the kernel."""
    target = image("xfs", mkfs_options=("-d", "agcount=4000"), mount_options=("noatime",))
    assert why_not_prepared(target, work) is None
    refused = image("xfs", mkfs_options=("-d", "agcount=4000"), mount_options=("nosuch",))
    assert why_not_prepared(refused, work) == "this kernel refuses the mount option nosuch for xfs"


def test_it_is_found_once_for_each_set_of_options(work: WorkDirectory) -> None:
    first = why_not_prepared(image("ext4", mount_options=("nosuch",)), work)
    work.refused = {key: f"{why}, remembered" for key, why in work.refused.items()}
    assert why_not_prepared(image("ext4", mount_options=("nosuch",), sparse=False), work) == f"{first}, remembered"
