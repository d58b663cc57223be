"""The machine as its maker calls it: DMI on PCs and servers, the device tree on ARM, POWER and RISC-V."""

from __future__ import annotations

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source

DMI = "/sys/class/dmi/id"
# What firmware writers leave in fields that they did not fill.
PLACEHOLDERS = frozenset(
    (
        "to be filled by o.e.m.",
        "system product name",
        "system manufacturer",
        "default string",
        "not specified",
        "not applicable",
        "none",
        "unknown",
        "o.e.m.",
        "oem",
        "n/a",
    )
)


def board(source: Source) -> Facts:
    """`{vendor, product}`, each None where nothing sensible is written."""
    tree = source.text("/proc/device-tree/model") or ""
    return {
        "vendor": _told(source.line(f"{DMI}/sys_vendor")) or _told(source.line(f"{DMI}/board_vendor")),
        "product": _told(source.line(f"{DMI}/product_name"))
        or _told(source.line(f"{DMI}/board_name"))
        or clean(tree.rstrip("\0")),
    }


def _told(text: str | None) -> str | None:
    return None if text is None or text.lower() in PLACEHOLDERS else text
