"""Kernel messages: those that spoil a measurement, and those that are kept of too many."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.measuring.kernel_log import LONGEST_LINE, MOST_LINES, KernelLog, disturbance
from tests.agents.measuring.test_evidence import say
from tests.agents.targets.test_prepare import root


# As kernels from 3.10 to 6.18 wrote them; addresses and names shortened.
@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("io_error", "blk_update_request: I/O error, dev sdb, sector 976773160 op 0x0:(READ) flags 0x80700"),
        ("io_error", "Buffer I/O error on dev sdb1, logical block 5, lost async page write"),
        ("io_error", "critical medium error, dev sda, sector 41472"),
        ("io_error", "critical space allocation error, dev loop0, sector 65536 op 0x1:(WRITE) flags 0x4000"),
        ("io_error", "ata3.00: failed command: READ FPDMA QUEUED"),
        ("io_error", "nvme nvme0: I/O 22 QID 5 timeout, aborting"),
        ("io_error", "md/raid1:md0: Disk failure on sdc1, disabling device."),
        ("file_system_error", "EXT4-fs error (device loop0): ext4_lookup:1787: inode #2: comm ls: deleted inode"),
        ("file_system_error", "EXT4-fs (sda1): Remounting filesystem read-only"),
        ("file_system_error", "JBD2: Detected IO errors while flushing file data on dm-0-8: error -5"),
        ("file_system_error", "XFS (dm-2): Metadata corruption detected at xfs_agf_read_verify+0xde/0x100"),
        ("file_system_error", "XFS (sdb): Corruption of in-memory data detected.  Shutting down filesystem"),
        ("file_system_error", "BTRFS error (device sda2): bad tree block start, want 30408704 have 0"),
        ("file_system_error", "BTRFS warning (device sdb): csum failed root 5 ino 257 off 0 csum 0x1 expected 0x2"),
        ("oops", "BUG: unable to handle page fault for address: ffffa"),
        ("oops", "Oops: 0000 [#1] PREEMPT SMP PTI"),
        ("oops", "kernel BUG at fs/ext4/inode.c:2745!"),
        ("oops", "general protection fault, probably for non-canonical address 0xdead: 0000 [#1]"),
        ("oops", "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000000"),
        ("kernel_warning", "WARNING: CPU: 3 PID: 1234 at fs/xfs/xfs_message.c:104 assfail+0x26/0x2a [xfs]"),
        ("hung_task", "INFO: task kworker/u8:2:99 blocked for more than 120 seconds."),
        ("lockup", "watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [fio:1234]"),
        ("lockup", "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:"),
        ("lockup", "BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 31s!"),
        ("oom_kill", "Out of memory: Killed process 3012 (iozone) total-vm:1048576kB, anon-rss:900kB"),
        ("oom_kill", "Memory cgroup out of memory: Killed process 3012 (fsload) total-vm:1048576kB"),
        ("oom_kill", "Memory cgroup out of memory: Kill process 3012 (fsload) score 1005 or sacrifice child"),
        ("machine_check", "mce: [Hardware Error]: Machine check events logged"),
        (None, "EXT4-fs (loop0): mounted filesystem with ordered data mode. Opts: (null)"),
        (None, "EXT4-fs (loop0): recovery complete"),
        (None, "XFS (loop1): Ending clean mount"),
        (None, "BTRFS info (device loop0): using crc32c (crc32c-intel) checksum algorithm"),
        (None, "loop0: detected capacity change from 0 to 262144"),
        (None, "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),task=fsload,pid=3012,uid=0"),
        (None, "debugger attached"),
    ],
)
def test_what_a_line_tells_of(kind: str | None, line: str) -> None:
    assert disturbance(line) == kind


@root
def test_of_too_many_lines_those_that_tell_of_trouble_are_kept_in_their_order() -> None:
    log = KernelLog(str)
    for number in range(MOST_LINES + 20):
        say(f"harmless {number}")
    say("I/O error, dev sda, sector 1")
    say("y" * (LONGEST_LINE + 100) + " I/O error")
    kept = log.read()
    log.close()
    assert len(kept.lines) == MOST_LINES
    assert kept.lines[-2] == "I/O error, dev sda, sector 1"
    assert len(kept.lines[-1]) == LONGEST_LINE
    assert kept.left_out >= 22
    assert kept.disturbances["io_error"] == 2


def test_a_log_that_may_not_be_read_is_unknown_not_empty(tmp_path: Path) -> None:
    log = KernelLog(str, tmp_path / "none")
    assert not log.readable
    assert log.read().lines == ()
