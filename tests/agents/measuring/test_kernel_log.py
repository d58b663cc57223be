"""Kernel messages: those that spoil a measurement, and those that are kept of too many."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.measuring.kernel_log import LONGEST_LINE, MOST_LINES, KernelLog
from benchagent.measuring.kernel_trouble import disturbance
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
        # SCSI error handling; the first line is of the RAID array of an article.
        ("io_recovery", "mptscsih: ioc1: attempting task abort! (sc=c86a4e40)"),
        ("io_recovery", "mptscsih: ioc0: task abort: SUCCESS (sc=0x412401605400)"),
        ("io_recovery", "mptscsih: ioc0: attempting target reset! (sc=f2d5c840)"),
        (
            "io_recovery",
            "sd 9:0:2:0: attempting task abort!scmd(0x46fead3f), outstanding for 7120 ms & timeout 7000 ms",
        ),
        ("io_recovery", "sd 3:0:4:0: Attempting Task Abort! scmd(0000000012345678)"),
        ("io_recovery", "scsi0:0:5:0: Attempting to queue a TARGET RESET message"),
        ("io_recovery", "scsi1:0:0:0: Attempting to queue an ABORT message"),
        ("io_recovery", "sd 0:0:9:0: timing out command, waited 180s"),
        ("io_recovery", "sd 19:0:0:0: [sds] tag#78 timing out command, waited 180s"),
        ("io_recovery", "sd 0:0:0:0: [sda] tag#1 FAILED Result: hostbyte=DID_TIME_OUT driverbyte=DRIVER_OK"),
        ("io_recovery", "megaraid_sas 0000:18:00.0: resetting fusion adapter scsi0."),
        ("io_recovery", "megasas: Found FW in FAULT state, will reset adapter."),
        ("io_recovery", "aacraid: Host adapter abort request (0,1,8,0)"),
        ("io_error", "sd 11:0:0:0: Device offlined - not ready after error recovery"),
        ("io_error", "sd 2:0:0:0: rejecting I/O to offline device"),
        ("io_error", "sr 1:0:0:0: [sr0] Sense Key : Medium Error [current]"),
        ("io_error", "device offline error, dev sdc, sector 2048 op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 2"),
        # ATA.
        ("io_recovery", "ata1: hard resetting link"),
        ("io_recovery", "ata2: softreset failed (device not ready)"),
        ("io_recovery", "ata1: SError: { PHYRdyChg CommWake }"),
        # NVMe.
        ("io_recovery", "nvme nvme0: I/O 22 QID 5 timeout, aborting"),
        ("io_recovery", "nvme nvme0: I/O 256 QID 1 timeout, reset controller"),
        ("io_recovery", "nvme nvme0: I/O tag 12 (100c) opcode 0x2 (I/O Cmd) QID 4 timeout, completion polled"),
        ("io_recovery", "nvme nvme2: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10"),
        ("io_error", "nvme nvme2: Disabling device after reset failure: -19"),
        ("io_error", "nvme nvme1: Removing after probe failure status: -19"),
        ("io_error", "nvme0n1: Read(0x2) @ LBA 3904, 32 blocks, Unrecovered Read Error (sct 0x2 / sc 0x81) DNR"),
        ("io_error", "block nvme2n1: no available path - failing I/O"),
        # md.
        ("io_recovery", "md/raid:md3: read error corrected (8 sectors at 319104 on sde1)"),
        ("io_recovery", "md/raid10:md0: sdc: redirecting sector 55899 to another mirror"),
        ("io_error", "md/raid:md3: read error not correctable (sector 319104 on sde1)."),
        ("io_error", "raid10: sdc: unrecoverable I/O read error for block 4131643312"),
        ("io_error", "raid5: Disk failure on sdm, disabling device. Operation continuing on 10 devices"),
        ("io_error", "md: super_written gets error=-5, uptodate=0"),
        ("io_error", "md/raid10:md0: read correction write failed (1 sectors at 4096 on sde)"),
        # Device mapper.
        ("io_recovery", "device-mapper: multipath: 253:0: Failing path 8:32."),
        ("io_recovery", "device-mapper: thin: 253:4: switching pool to out-of-data-space (queue IO) mode"),
        ("io_error", "device-mapper: snapshots: Invalidating snapshot: Error reading/writing."),
        ("io_error", "device-mapper: verity: 253:0: data block 42 is corrupted"),
        (None, "device-mapper: thin: 252:9: switching pool to write mode"),
        (None, "md: resync of RAID array md0"),
        (None, "ata1: SATA link up 3.0 Gbps (SStatus 123 SControl 300)"),
        (None, "nvme nvme0: Shutdown timeout set to 8 seconds"),
        (None, "nvme nvme0: 8/0/0 default/read/poll queues"),
        (None, "sd 0:0:0:0: [sda] Synchronizing SCSI cache"),
        # Buffers and journals; the first line is of the same article.
        ("file_system_error", "grow_buffers: requested out-of-range block 18446744071757758592 for device sdb"),
        ("file_system_error", "__find_get_block_slow() failed. block=168444322381824, b_blocknr=0"),
        ("file_system_error", "syz.0.0: attempt to access beyond end of device"),
        ("file_system_error", "Aborting journal on device sdc1-8."),
        ("file_system_error", "ext3_abort called."),
        ("file_system_error", "journal commit I/O error"),
        ("file_system_error", "EXT4-fs (vdc): This should not happen!! Data will be lost"),
        (
            "file_system_error",
            "EXT4-fs (sdb1): Delayed block allocation failed for inode 117178470 at logical offset 6144",
        ),
        (
            "file_system_error",
            "JBD2: Spotted dirty metadata buffer (dev = sda1, blocknr = 7). There's a risk of filesystem corruption in "
            "case of system crash.",
        ),
        ("io_error", "md/raid1:md0: Disk failure on sdc1, disabling device."),
        ("file_system_error", "EXT4-fs error (device loop0): ext4_lookup:1787: inode #2: comm ls: deleted inode"),
        ("file_system_error", "EXT4-fs (sda1): Remounting filesystem read-only"),
        ("file_system_error", "JBD2: Detected IO errors while flushing file data on dm-0-8: error -5"),
        ("file_system_error", "XFS (dm-2): Metadata corruption detected at xfs_agf_read_verify+0xde/0x100"),
        (
            "file_system_error",
            "XFS (sda1): Metadata CRC error detected at xfs_agf_read_verify+0x9c/0xe0 [xfs], xfs_agf",
        ),
        ("file_system_error", "XFS (sda1): Filesystem has been shut down due to log error (0x2)."),
        ("file_system_error", "BTRFS warning (device sda): checksum verify failed on logical 30408704 mirror 1 wanted"),
        # Servers.
        ("io_recovery", "nfs: server filer not responding, still trying"),
        ("io_recovery", "nfs: server filer OK"),
        ("io_error", "nfs: server filer not responding, timed out"),
        ("io_error", "NFS: nfs4_reclaim_open_state: Lock reclaim failed!"),
        ("io_error", "NFS: state manager: lease expired failed on NFSv4 server filer with error 5"),
        ("io_recovery", r"CIFS: VFS: \x5c\x5cfiler has not responded in 180 seconds. Reconnecting..."),
        ("io_recovery", "CIFS VFS: Server 192.0.2.1 has not responded in 120 seconds. Reconnecting..."),
        ("io_error", "CIFS: VFS: Send error in read = -11"),
        (None, "CIFS: Attempting to mount //filer/share"),
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
        # Names that users give their programs.
        (
            None,
            "vda I/O error[7687]: segfault at 0 ip 00007f1f153acad8 sp 00007ffffffa0068 error 4 in libc.so.6[167ad8]",
        ),
        (None, "traps: EXT4-fs error[812] general protection fault ip:401136 sp:7ffc error:0 in a.out[401000+1000]"),
        (None, "traps: I/O error[812] trap invalid opcode ip:401136 sp:7ffc error:0 in a.out[401000+1000]"),
        (None, 'ptrace attach of "sda I/O error"[5] was attempted by "x"[6]'),
        (None, "process '/tmp/lost page write' started with executable stack"),
    ],
)
def test_what_a_line_tells_of(kind: str | None, line: str) -> None:
    assert disturbance(line) == kind


@root
def test_of_too_many_lines_those_that_tell_of_trouble_are_kept_in_their_order() -> None:
    log = KernelLog(str)
    for number in range(MOST_LINES + 20):
        say(f"harmless {number}")
    say("nfs: server filer not responding, still trying")
    say(r"CIFS: VFS: \\filer\share BAD_NETWORK_NAME, Reconnecting...")
    say("I/O error, dev sda, sector 1")
    say("y" * (LONGEST_LINE + 100) + " I/O error")
    kept = log.read()
    log.close()
    assert len(kept.lines) == MOST_LINES
    assert kept.lines[-4:-1] == (
        "nfs: server <server> not responding, still trying",
        r"CIFS: VFS: \x5c\x5c<server> BAD_NETWORK_NAME, Reconnecting...",
        "I/O error, dev sda, sector 1",
    )
    assert len(kept.lines[-1]) == LONGEST_LINE
    assert kept.left_out >= 22
    assert kept.disturbances["io_error"] == 2


def test_a_log_that_may_not_be_read_is_unknown_not_empty(tmp_path: Path) -> None:
    log = KernelLog(str, tmp_path / "none")
    assert not log.readable
    assert log.read().lines == ()
