"""The vendor and product name of the machine: from DMI on PCs and servers, else from the device tree."""

from __future__ import annotations

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source

DMI = "/sys/class/dmi/id"
# Texts in fields that the vendor of the firmware did not fill in.
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
    """`{vendor, product}`, each None if the field has no meaningful text."""
    tree = source.text("/proc/device-tree/model") or ""
    return {
        "vendor": _meaningful(source.line(f"{DMI}/sys_vendor")) or _meaningful(source.line(f"{DMI}/board_vendor")),
        "product": _meaningful(source.line(f"{DMI}/product_name"))
        or _meaningful(source.line(f"{DMI}/board_name"))
        or clean(tree.rstrip("\0")),
    }


def _meaningful(text: str | None) -> str | None:
    return None if text is None or text.lower() in PLACEHOLDERS else text
