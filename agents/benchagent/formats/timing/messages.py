"""Known messages between a command and its times: of e2fsck, mke2fs and df, and GNU time's other lines."""

from __future__ import annotations

import re

_COMMAND = re.compile(r'\s*Command being timed: "(.{0,2000})"\s*')
_FAILURE = re.compile(r"\s*Command (?:exited with non-zero status [0-9]{1,5}|terminated by signal [0-9]{1,5})\.?\s*")
_FILES = re.compile(r": ([0-9]{1,15})/[0-9]{1,15} files\b")

_E2FSCK = (
    r"(?:fsck|e2fsck|mke2fs|mkfs)[\w.]{0,20}(?: from util-linux)? [0-9]",
    r"Pass [1-5][A-D]?: ",
    r".{1,200}: recovering journal$",
    r".{1,200}: clean, [0-9]+/[0-9]+ files, [0-9]+/[0-9]+ blocks",
    r".{1,200}: [0-9]+/[0-9]+ files \([0-9.]+% non-contiguous\), [0-9]+/[0-9]+ blocks",
    r".{1,200} (?:was not cleanly|has gone [0-9]+ days|has been mounted [0-9]+ times).{0,60} check forced",
    r"Setting free (?:inodes|blocks) count to [0-9]+ \(was [0-9]+\)$",
    r"(?:Peak memory: )?Memory used: |I/O read: [0-9]+MB",  # with -tt
)
_MKE2FS = (
    r"Discarding device blocks|Allocating group tables|Writing inode tables|Creating journal|Creating filesystem with",
    r"Writing superblocks and filesystem accounting|Superblock backups stored|Filesystem (?:UUID|label)|OS type:",
    r"Block size=|Fragment size=|Stride=|First data block=|Maximum filesystem blocks=|This filesystem will be",
    r"[0-9]+ days, whichever comes first",
    r"[0-9]+ (?:inodes, [0-9]+ blocks|blocks \(|block groups?$|blocks per group|inodes per group)",
    r"(?:[0-9]{3,}, ?)+[0-9]*$|[0-9]{4,}$",
)
_XFS = (  # mkfs.xfs and xfs_repair
    r"(?:meta-data|data|naming|log|realtime) {0,9}=", r"= {1,40}[a-z0-9]{1,12}=[0-9]",
    r"Phase [1-7] - ", r"- (?:agno = [0-9]|[a-z+ ]{1,80} ?\.\.\.$|found root inode|resetting contents)",
    r"No modify flag set", r"done$",
)  # fmt: skip
_DF = (r"Filesystem +(?:Type +)?(?:1K-blocks|Size)", r"/dev/\S+ .{0,80} [0-9]+% /")
_GNU_TIME = (
    r"(?:Average|Maximum) [a-z ]+ \(kbytes\): [0-9]+$",
    r"(?:Major|Minor) \([a-zA-Z/ ]+\) page faults: [0-9]+$",
    r"(?:Voluntary|Involuntary) context switches: [0-9]+$",
    r"(?:File system (?:inputs|outputs)|Socket messages (?:sent|received)|Signals delivered): [0-9]+$",
    r"(?:Swaps|Page size \(bytes\)|Exit status): [0-9]+$",
    r"[0-9]+inputs\+[0-9]+outputs \(",
    # BSD's time -l
    r"[0-9]+  (?:maximum|average|page|swaps|block|messages|signals|voluntary|involuntary|instructions|cycles|peak)\b",
)
_DD = (r"[0-9]+\+[0-9]+ records (?:in|out)$",)
# script(1), and commands that were not timed.
_TERMINAL = (r"Script (?:started|done)\b", r"exit$|logout$", r"(?:\[[^\]]{1,80}\]|\S{0,80})\$ \S")
_CHATTER = re.compile("|".join((*_E2FSCK, *_MKE2FS, *_XFS, *_DF, *_GNU_TIME, *_DD, *_TERMINAL)))
# A person's remark; a remark with a time in it counts as unread.
_REMARK = re.compile(r"#+ |#+$")
_TIME = re.compile(r"[0-9]m ?[0-9]{1,2}(?:[.,][0-9]{1,9})?s\b")


def timed_command(line: str) -> str | None:
    """The command that GNU time -v names before its times."""
    match = _COMMAND.fullmatch(line) if "being timed" in line else None
    return match[1] if match else None


def is_failure(line: str) -> bool:
    """Whether a line is GNU time's message about a failed command, which precedes its times."""
    return _FAILURE.fullmatch(line) is not None


def is_chatter(line: str) -> bool:
    line = line.strip()[:400]
    return not _TIME.search(line) if _REMARK.match(line) else _CHATTER.match(line) is not None


def is_remark(line: str) -> bool:
    return _REMARK.match(line.strip()) is not None


def files_of(printed: list[str]) -> int | None:
    """The number of files that a check printed, or None."""
    for line in printed:
        if match := _FILES.search(line[:400]):
            return int(match[1])
    return None
