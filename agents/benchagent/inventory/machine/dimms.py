"""Memory modules as the firmware describes them (SMBIOS, structure 17).

udev stores them readable for everybody (systemd 248 and newer); dmidecode reads the firmware itself, as root. Machines
without SMBIOS (ARM boards, POWER) have no description.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source
from benchagent.inventory.udev import parse_udev

UDEV = "/run/udev/data/+dmi:id"
UNITS = {"bytes": 1, "kB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}  # dmidecode's names of binary units
UNKNOWN = frozenset({"unknown", "other", "<out of spec>", "none", ""})


class Dimm(NamedTuple):
    """One module: size in bytes, type (`DDR4`), and configured rate in transfers per second."""

    size: int | None
    type: str | None
    transfer_rate: int | None


def modules(source: Source) -> list[Facts]:
    """`[{count, size, type, transfer_rate}]`, one entry per kind of module; `[]` if nothing can be read."""
    properties = parse_udev(source.text(UDEV) or "")
    listed = from_udev(properties) or parse_dmidecode(source.output("dmidecode", "-t", "17") or "")
    return [{"count": count, **module._asdict()} for module, count in Counter(listed).items()]


def from_udev(properties: dict[str, str]) -> list[Dimm]:
    """The modules in udev's properties `MEMORY_DEVICE_0_SIZE=…`; an empty slot has `MEMORY_DEVICE_1_PRESENT=0`."""
    listed = []
    for key, size in properties.items():
        slot = re.fullmatch(r"(MEMORY_DEVICE_\d+)_SIZE", key)
        if slot and size.isdecimal() and int(size):
            rate = properties.get(f"{slot[1]}_CONFIGURED_SPEED_MTS") or properties.get(f"{slot[1]}_SPEED_MTS")
            listed.append(Dimm(int(size), _unless_unknown(properties.get(f"{slot[1]}_TYPE")), _rate(rate)))
    return listed


def parse_dmidecode(text: str) -> list[Dimm]:
    """The modules in `dmidecode -t 17`; versions before 3.0 print `Configured Clock Speed`, and MHz for MT/s."""
    listed = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"^\s+([^:\n]+): (.*?)\s*$", paragraph, re.MULTILINE))
        size = _size(fields.get("Size"))
        if "Memory Device" in paragraph and size:
            speeds = (fields.get(f"{name} Speed") for name in ("Configured Memory", "Configured Clock"))
            rate = next(filter(None, map(_rate, speeds)), None) or _rate(fields.get("Speed"))
            listed.append(Dimm(size, _unless_unknown(fields.get("Type")), rate))
    return listed


def _unless_unknown(text: str | None) -> str | None:
    return None if (text or "").strip().lower() in UNKNOWN else clean(text)


def _size(text: str | None) -> int | None:
    """`16 GB` is 16 GiB; `No Module Installed` gives None."""
    match = re.fullmatch(r"(\d+) (\w+)", text or "")
    return int(match[1]) * UNITS[match[2]] if match and match[2] in UNITS else None


def _rate(text: str | None) -> int | None:
    """`2666 MT/s`, `2666 MHz` (which means the same here) or `2666`."""
    match = re.fullmatch(r"(\d+)(?: (?:MT/s|MHz))?", text or "")
    return int(match[1]) * 1_000_000 or None if match else None
