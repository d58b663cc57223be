"""Device mapper: LVM, dm-crypt, multipath. The kind is in sysfs, the settings are in `dmsetup table` (as root)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Callable

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source

from .block import SECTOR

# Kinds of layers by the first part of dm/uuid, which names the program that made the device.
MAKERS = {"LVM": "lvm", "CRYPT": "crypt", "mpath": "multipath", "DMRAID": "raid", "bcache": "bcache"}
DEVICE = re.compile(r"\d+:\d+")
RAID_LAYOUTS = {  # mdadm's names by the target's names for raid5 and raid6
    "la": "left-asymmetric",
    "ra": "right-asymmetric",
    "ls": "left-symmetric",
    "rs": "right-symmetric",
    "n": "parity-last",
    "zr": "ddf-zero-restart",
    "nr": "ddf-N-restart",
    "nc": "ddf-N-continue",
}


def is_mapped(source: Source, device: str) -> bool:
    return source.exists(f"{device}/dm/name")


def mapped(source: Source, device: str) -> Facts:
    """The layer of a device-mapper device: `{kind, facts{}}`; for a RAID volume also `level, chunk, layout, members`.

    The layer has neither name nor UUID of the device, because both are private.
    """
    uuid = source.line(f"{device}/dm/uuid") or ""
    maker, _, rest = uuid.partition("-")
    if uuid.startswith("part"):
        return {"kind": "partition", "facts": {}}  # kpartx: part1-mpath-…
    major, _, minor = (source.line(f"{device}/dev") or "").partition(":")
    table = source.output("dmsetup", "table", "-j", major, "-m", minor) or ""
    facts = parse_table(table)
    if maker == "CRYPT":
        facts["format"] = rest.partition("-")[0] or None  # LUKS1, LUKS2, PLAIN, VERITY
    return {"kind": MAKERS.get(maker, "mapped"), **raid_geometry(table), "facts": facts}


def parse_table(text: str) -> Facts:
    """`dmsetup table` of one device: lines `start length target arguments…`, in sectors of 512 bytes.

    Returns `targets` (joined, in order of first appearance) and the settings that affect the speed. Keys never appear,
    because dmsetup hides them.
    """
    lines = [line.split() for line in text.splitlines() if len(line.split()) >= 3]
    facts: Facts = {}
    if lines:
        facts["targets"] = ", ".join(dict.fromkeys(line[2] for line in lines))
    for _, _, target, *arguments in lines:
        if target in READERS:
            facts.update(READERS[target](arguments))
    return facts


def raid_geometry(text: str) -> Facts:
    """`{level, chunk, layout, members}` of LVM's RAID volumes (target `raid`), `{}` for all others.

    `raid TYPE COUNT CHUNK …COUNT parameters… MEMBERS META DATA META DATA …`
    """
    words = next((line.split()[3:] for line in text.splitlines() if line.split()[2:3] == ["raid"]), [])
    if len(words) < 4 or not words[1].isdecimal() or not words[2].isdecimal():
        return {}
    kind, _, layout = words[0].partition("_")
    members = words[2 + int(words[1]) :][:1]
    return {
        "level": kind,
        "chunk": int(words[2]) * SECTOR or None,
        "layout": RAID_LAYOUTS.get(layout),
        "members": int(members[0]) if members and members[0].isdecimal() else None,
    }


def _striped(arguments: list[str]) -> Facts:
    """`striped STRIPES SIZE …`; the stripe size is in bytes per disk."""
    if len(arguments) < 2 or not arguments[0].isdecimal() or not arguments[1].isdecimal():
        return {}
    return {"stripes": int(arguments[0]), "stripe_size": int(arguments[1]) * SECTOR}


def _crypt(arguments: list[str]) -> Facts:
    return {"cipher": clean(arguments[0]), "options": crypt_options(arguments)} if arguments else {}


def _thin_pool(arguments: list[str]) -> Facts:
    """`thin-pool METADATA DATA BLOCK …`"""
    size = arguments[2] if len(arguments) > 2 else ""
    return {"pool_block_size": int(size) * SECTOR} if size.isdecimal() else {}


def _multipath(arguments: list[str]) -> Facts:
    """`multipath N features… N handler… GROUPS NEXT` and for each group `SELECTOR N arguments… PATHS N` and its paths.

    The next group and failed paths are omitted, because they change by themselves.
    """
    words = iter(arguments)
    try:
        features = [next(words) for _ in range(int(next(words)))]
        handler = [next(words) for _ in range(int(next(words)))]
        groups, _ = int(next(words)), next(words)
        selector = next(words)
    except (StopIteration, ValueError):
        return {}
    devices = [word for word in words if DEVICE.fullmatch(word)]
    return {
        "paths": len(devices),
        "path_groups": groups,
        "selector": clean(selector),
        "hardware_handler": clean(" ".join(handler)),
        "features": clean(" ".join(features)),
    }


READERS: Mapping[str, Callable[[list[str]], Facts]] = {
    "striped": _striped,
    "crypt": _crypt,
    "cache": lambda arguments: {"cached": True},
    "writecache": lambda arguments: {"cached": True},
    "thin-pool": _thin_pool,
    "multipath": _multipath,
}


def crypt_options(arguments: list[str]) -> str | None:
    """The optional parameters after `cipher key iv device offset`: their number, then themselves.

    `no_read_workqueue`, `no_write_workqueue`, `allow_discards` and `sector_size:4096` change the speed.
    """
    return clean(", ".join(sorted(arguments[6:])))
