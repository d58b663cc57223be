"""The lines of the kernel's log that report trouble which affects measurements.

The texts are those of the kernel's sources, 2.6 to 6.18: mm/oom_kill.c, kernel/hung_task.c, fs/buffer.c, fs/jbd2 (and
fs/jbd of ext3), fs/ext4, fs/xfs, fs/btrfs, fs/f2fs, block/blk-core.c, drivers/scsi with its low-level drivers,
drivers/ata, drivers/message/fusion, drivers/nvme/host, drivers/md, net/sunrpc, fs/nfs, fs/smb/client.
"""

from __future__ import annotations

import re

# Commands that a driver repeats or gives up, and resets. The data may be right, but the time is not that of the disk.
_RECOVERY = (
    # SCSI: the abort of a command, then resets of the device, target, bus and host.
    r"\battempting (?:task abort|(?:device|target|bus|host) reset)|\battempting to queue an? (?:abort|target reset)",
    r"\b(?:task abort|(?:device|target|bus|host) reset): (?:success|failed)|\bhost adapter (?:abort|reset) request",
    r"\btiming out command, waited|\bhostbyte=DID_(?:TIME_OUT|RESET|ABORT|BUS_BUSY|SOFT_ERROR|TRANSPORT)",
    r"\bmega(?:raid_)?sas\b.*(?:resetting fusion adapter|in FAULT state|will reset adapter|commands to complete)",
    r"\bhpsa\b.*\bresetting (?:logical|physical|scsi)|\buas_eh_(?:abort|device_reset)_handler|\bmpt\d?sas.*diag reset",
    # ATA.
    r"\bata\d+(?:\.\d+)?: (?:hard|soft) resetting link|\bata\d+(?:\.\d+)?: (?:softreset|hardreset|COMRESET) failed",
    r"\bata\d+(?:\.\d+)?: (?:SError: \{|limiting (?:SATA link )?speed|NCQ disabled|link is slow|revalidation failed)",
    r"\bata\d+(?:\.\d+)?: qc timeout",
    # NVMe.
    r"\bnvme\S*: .*(?:timeout, (?:aborting|reset controller|disable controller|completion polled)|Abort status:)",
    r"\bnvme\S*: (?:controller is down; will reset|resetting controller|starting error recovery|Reconnecting in)",
    r"\bnvme\S*: .*(?:I/O \d+ QID \d+ timeout|queue \d+: timeout|keep.alive .*(?:failed|timeout|expired))",
    # md and device mapper: another disk or path takes over.
    r"\bread error corrected|: rescheduling sector|\bredirecting sector \d+ to (?:an)?other mirror",
    r"\bdevice-mapper: multipath: .*\b(?:Failing|Reinstating) path|\bdevice-mapper: cache: .*aborting current metadata",
    r"\bdevice-mapper: thin: .*(?:low water mark|switching pool to (?:out-of-data-space|read-only|fail))",
    # Servers: NFS with its helpers, and SMB.
    r"^(?:nfs\w*|lockd|rpcbind): server \S+ (?:not responding, still trying|OK$)",
    r"\bCIFS:? VFS: .*(?:has not responded in|Reconnecting|stuck for \d+ seconds)",
)

_PATTERNS = {
    "oom_kill": (r"out of memory: Kill",),
    "hung_task": (r"\btask \S+ blocked (?:in \S+ )?for more than \d+ seconds",),
    "lockup": (r"soft lockup|hard lockup|workqueue lockup|self-detected stall|detected stalls on CPUs",),
    "oops": (r"^BUG: |^Oops\b|kernel BUG at|general protection fault|unable to handle (?:kernel|page)|Kernel panic",),
    "kernel_warning": (r"^WARNING: ",),
    "file_system_error": (
        r"EXT[234]-fs error|EXT[234]-fs \(\S+\): (?:error|This should not happen|failed to convert unwritten)",
        r"EXT4-fs .*(?:delayed block allocation failed|previous I/O error to superblock)|\bext[34]_abort called",
        r"\bXFS \(.*\): .*(?:corruption|CRC error|internal error|shut(?:ting)? down|log I/O error|recovery failed)",
        r"BTRFS(?::)? (?:error|critical|transaction aborted)|BTRFS.*(?:csum|checksum verify) failed",
        r"F2FS-fs .*(?:corrupt|inconsistent)",
        # The journal.
        r"\bJBD2?: .*(?:error|Spotted dirty metadata buffer|wants too many|Invalid checksum)",
        r"\bjournal commit I/O error",
        r"\bJBD2?: (?:Failed to read block|journal transaction \d+ on \S+ is corrupt)|aborting journal",
        r"remounting filesystem read-only",
        # Buffers and the end of the device.
        r"requested out-of-range block|__find_get_block(?:_slow)?\(\) failed|getblk\(\): invalid block size",
        r"attempt to access beyond end of device|\bbrelse: Trying to free free buffer",
    ),
    "io_error": (
        r"\bI/O (?:read |write )?error\b|critical (?:medium|target|nexus|space allocation) error|medium error",
        r"unrecovered (?:read|write) error|lost (?:async|sync)? ?page write|\bdevice offline error, dev",
        r"\bSense Key ?: (?:Medium|Hardware) Error|\bDevice offlined\b|rejecting I/O to (?:offline|dead) device",
        r"\bata\d+(?:\.\d+)?: (?:exception|failed command)|\bata\d+(?:\.\d+)?: disabled$|\bata\d+\.\d+: disable device",
        r"\bnvme\S*: (?:Disabling device after|Removing after probe|Device not ready; aborting|failed to set APST)",
        r"\bnvme\S*: .*\(sct 0x\w+ / sc 0x\w+\)|\bno (?:available|usable) path - (?:failing|requeuing) I/O",
        r"^(?:nfs\w*|lockd|rpcbind): server \S+ not responding, timed out",
        r"\bNFS: .*(?:Lock reclaim failed|failed on NFSv4 server)|\bCIFS:? VFS: .*(?:Send error in|No writable handle)",
        # md and device mapper: data are lost, or a disk has failed.
        r"\bDisk failure on \S+?,? disabling|\bread error (?:not correctable|NOT corrected)|\bToo many read errors",
        r"\bmd: super_written gets error|\braid\S*: .*unrecoverable I/O|\bread correction write failed|: failing drive",
        r"\bdevice-mapper: (?:raid|raid1|mirror): .*(?:fail|unable)|\bdevice-mapper: snapshots: Invalidating snapshot",
        r"\bdevice-mapper: (?:verity|integrity|crypt): .*(?:corrupted|checksum failed|INTEGRITY AEAD ERROR)",
        r"\bdevice-mapper: (?:thin|cache|block manager|space map \S+|btree): .*(?:failed|unable to|no free space)",
    ),
    "io_recovery": _RECOVERY,
    "machine_check": (r"\[Hardware Error\]|machine check",),
}
# Lines with the name of a program, or a command line, which any user can choose: arch/x86/mm/fault.c,
# arch/x86/kernel/traps.c, kernel/signal.c, fs/exec.c, security/yama.
_OF_PROGRAM = re.compile(
    r"(?:traps: )?.{1,64}\[\d+\]:? (?:segfault at|general protection fault ip:|trap [\w ]+ ip:|bad frame in )"
    r"|(?:.{1,64}/\d+: )?potentially unexpected fatal signal|process '.*' started with executable stack"
    r"|ptrace \w+ of \""
)
_KINDS = {kind: re.compile("|".join(patterns), re.IGNORECASE) for kind, patterns in _PATTERNS.items()}


def disturbance(line: str) -> str | None:
    """The kind of trouble that a kernel line reports, the first one that matches; None for all other lines.

    A user's program that crashes is no trouble of the machine, whatever its name.
    """
    if _OF_PROGRAM.match(line):
        return None
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(line)), None)
