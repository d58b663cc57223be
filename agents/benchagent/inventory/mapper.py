"""Device mapper: LVM, dm-crypt, multipath. sysfs tells which it is, `dmsetup table` (as root) how it is set up."""

from __future__ import annotations

from .block import SECTOR
from .source import Facts, Source, clean

# The first part of dm/uuid says which program made the device.
MAKERS = {"LVM": "lvm", "CRYPT": "crypt", "mpath": "multipath", "DMRAID": "raid", "bcache": "bcache"}


def is_mapped(source: Source, device: str) -> bool:
    return source.exists(f"{device}/dm/name")


def mapped(source: Source, device: str) -> Facts:
    """`{kind, facts{}}` of a device-mapper device; neither its name nor its UUID, which are somebody's own."""
    uuid = source.line(f"{device}/dm/uuid") or ""
    maker, _, rest = uuid.partition("-")
    if uuid.startswith("part"):
        return {"kind": "partition", "facts": {}}  # kpartx: part1-mpath-…
    major, _, minor = (source.line(f"{device}/dev") or "").partition(":")
    facts = parse_table(source.output("dmsetup", "table", "-j", major, "-m", minor) or "")
    if maker == "CRYPT":
        facts["format"] = rest.partition("-")[0] or None  # LUKS1, LUKS2, PLAIN, VERITY
    return {"kind": MAKERS.get(maker, "mapped"), "facts": facts}


def parse_table(text: str) -> Facts:
    """`dmsetup table` of one device: lines `start length target arguments…`, in sectors of 512 bytes.

    Gives `targets` (joined, in order of first appearance), `stripes` and `stripe_size` in bytes of a striped volume,
    `cipher` and `options` of an encrypted one. Keys never appear: dmsetup hides them.
    """
    lines = [line.split() for line in text.splitlines() if len(line.split()) >= 3]
    facts: Facts = {}
    if lines:
        facts["targets"] = ", ".join(dict.fromkeys(line[2] for line in lines))
    for _, _, target, *arguments in lines:
        if target == "striped" and len(arguments) >= 2 and arguments[0].isdecimal() and arguments[1].isdecimal():
            facts["stripes"] = int(arguments[0])
            facts["stripe_size"] = int(arguments[1]) * SECTOR
        elif target == "crypt" and arguments:
            facts["cipher"] = clean(arguments[0])
            facts["options"] = crypt_options(arguments)
        elif target in ("cache", "writecache"):
            facts["cached"] = True
    return facts


def crypt_options(arguments: list[str]) -> str | None:
    """The optional parameters after `cipher key iv device offset`: their number, then themselves.

    `no_read_workqueue`, `no_write_workqueue`, `allow_discards` and `sector_size:4096` change the speed.
    """
    return clean(", ".join(sorted(arguments[6:])))
