"""The journal of an ext4 by the names that the kernel gives to it and to its thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.inventory.mounts import parse_mountinfo
from benchagent.inventory.storage.journal import journal_of, side_devices
from tests.agents.inventory.trees import unpack

EXTERNAL = """
/sys/fs/ext4/sda1/journal_task: 812
/proc/812/comm: jbd2/sdb1
/proc/fs/jbd2/sdb1/info: 5 transactions
/proc/fs/jbd2/sdc-8/info: 6 transactions
/sys/block/sdb1/size: 8
/sys/class/block/sdb1 -> ../../block/sdb1
"""
# Before Linux 5.17 a thread's name has 15 characters.
CUT = """
/sys/fs/ext4/nvme0n1/journal_task: 812
/proc/812/comm: jbd2/mapper-jou
/proc/fs/jbd2/mapper-journal/info: 5 transactions
/proc/fs/jbd2/sdb1/info: 5 transactions
"""


@pytest.mark.parametrize(
    ("tree", "name", "journal"),
    [
        ("/proc/fs/jbd2/sda1-8/info: 5 transactions", "sda1", "sda1-8"),
        ("/proc/fs/jbd2/dm-0-8/info: 5 transactions", "dm-0", "dm-0-8"),
        ("/proc/fs/jbd2/cciss!c0d0p1-8/info: 5 transactions", "cciss/c0d0p1", "cciss!c0d0p1-8"),
        (EXTERNAL, "sda1", "sdb1"),
        (CUT, "nvme0n1", "mapper-journal"),
        (CUT + "/proc/fs/jbd2/mapper-journal2/info: 5 transactions", "nvme0n1", None),
        (EXTERNAL.replace("jbd2/sdb1\n", "kworker/0:1\n"), "sda1", None),
        ("/sys/fs/ext4/sda1/features/", "sda1", None),
    ],
)
def test_a_journal_is_found_by_its_device_or_its_thread(
    tmp_path: Path, tree: str, name: str, journal: str | None
) -> None:
    assert journal_of(unpack(tree, tmp_path), name) == journal


def test_a_journal_on_a_device_of_its_own_has_this_device(tmp_path: Path) -> None:
    source = unpack(EXTERNAL, tmp_path)
    assert side_devices(source, None, ["/sys/block/sda1"]) == [("journal", "/sys/block/sdb1")]
    assert side_devices(source, None, ["/sys/block/sdc"]) == []
    [mount] = parse_mountinfo("41 29 8:2 / /mnt rw - xfs /dev/sda2 rw,logdev=/dev/sdb1,rtdev=/dev/gone")
    assert side_devices(source, mount, ["/sys/block/sda2"]) == [("log", "/sys/block/sdb1"), ("realtime", None)]
