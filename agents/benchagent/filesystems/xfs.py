"""xfs, made and checked by xfsprogs."""

from __future__ import annotations

import re

from .declaration import Checker, FileSystemType
from .options import BARRIERS, BIT, LABEL, NO_DATA_MODES, NUMBER, SIZE, WITH_BARRIERS, WITHOUT_BARRIERS, OptionRule
from .reading import Format, MountInfo, Source, number, times

FEATURES = re.compile(
    r"\b(crc|finobt|sparse|rmapbt|reflink|bigtime|inobtcount|nrext64|exchange|parent|metadir|ftype|ascii-ci|lazy-count"
    r"|projid32bit)=1\b"
)
_ALWAYS = "xfs always writes with barriers since Linux 4.10"


def settings(source: Source, mount: MountInfo, device: str | None) -> Format:
    """What xfs_info prints about a mounted file system."""
    return parse_xfs_info(source.output("xfs_info", mount.point) or "")


def parse_xfs_info(text: str) -> Format:
    """The facts in `xfs_info`: sections of `key=value`; stripe units count blocks of their own section's bsize."""
    sections: dict[str, dict[str, str]] = {}
    name = ""
    for line in text.splitlines():
        heading = re.match(r"(\S[^=\s]*)\s*=", line)
        name = heading[1] if heading else name
        sections.setdefault(name, {}).update(re.findall(r"([\w-]+)=(\w+)", line[line.find("=") + 1 :]))
    meta, data, journal = (sections.get(key, {}) for key in ("meta-data", "data", "log"))
    block = number(data.get("bsize"))
    details = {
        "allocation_groups": number(meta.get("agcount")),
        "allocation_group_size": times(meta.get("agsize"), block),
        "sector_size": number(meta.get("sectsz")),
        "log_size": times(journal.get("blocks"), number(journal.get("bsize"))),
        "log_stripe_unit": times(journal.get("sunit"), number(journal.get("bsize"))),
    }
    return Format(
        features=sorted(set(FEATURES.findall(text))) if meta else None,
        block_size=block,
        inode_size=number(meta.get("isize")),
        stride=times(data.get("sunit"), block),
        stripe_width=times(data.get("swidth"), block),
        details=details,
    )


FILE_SYSTEMS = (
    FileSystemType(
        "xfs",
        rank=3,
        colour=(2, 0),
        package="xfsprogs",
        usual=True,
        rules=(
            OptionRule(WITH_BARRIERS, "", _ALWAYS, (4, 10)),
            OptionRule(WITHOUT_BARRIERS, None, _ALWAYS, (4, 10)),
            *BARRIERS,
            NO_DATA_MODES,
            OptionRule("delaylog", "", "it is xfs's only way to log since Linux 3.3", (3, 3)),
            OptionRule("nodelaylog", None, "xfs delays its log always since Linux 3.3", (3, 3)),
            OptionRule("ihashsize=.*", "", "the inode hash is gone since Linux 2.6.24", (2, 6, 24)),
            OptionRule("osyncisosync", "", "O_SYNC is what it says since Linux 2.6.33", (2, 6, 33)),
            OptionRule("osyncisdsync", None, "O_SYNC is what it says since Linux 2.6.33", (2, 6, 33)),
            OptionRule("irixsgid", None, "it was removed in Linux 4.0", (4, 0)),
            OptionRule("attr2|noikeep", "", "it is always so since Linux 6.18", (6, 18)),
            OptionRule("noattr2|ikeep", None, "it was removed in Linux 6.18", (6, 18)),
        ),
        mkfs_options={
            "-b": rf"size={SIZE}",
            "-d": rf"(?:agcount|agsize|su|sw|sunit|swidth)={SIZE}|noalign",
            "-i": rf"(?:size|maxpct|perblock|align|attr|projid32bit|sparse|nrext64|exchange)={SIZE}",
            "-K": "",
            "-L": LABEL,
            "-l": rf"(?:size|version|sunit|su|lazy-count)={SIZE}|internal(?:=1)?",
            "-m": rf"(?:crc|finobt|reflink|rmapbt|bigtime|inobtcount)={BIT}",
            "-n": rf"(?:size|version|ftype)={SIZE}|version=ci",
            "-q": "",
            "-s": rf"size={SIZE}",
        },
        mount_options=rf"logbufs=\d|logbsize={SIZE}|allocsize={SIZE}|inode(?:32|64)|noalign|swalloc|sunit={NUMBER}"
        rf"|swidth={NUMBER}|(?:no)?largeio|wsync|(?:no)?delaylog|(?:no)?attr2|noquota|(?:no)?ikeep"
        rf"|ihashsize={NUMBER}|osyncisd?sync|irixsgid",
        force=("-f",),
        keep=("-K",),
        # There is no quick check of a clean file system: each check reads all of the metadata.
        checker=Checker(
            "xfs_repair",
            {"fsck_clean": ("-n",), "fsck_forced": (), "fsck_dirty": ()},
            whole=frozenset({0}),
            replays=True,
        ),
        settings=settings,
        direct=True,
        dax=True,
    ),
)
