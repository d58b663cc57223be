"""The menu of files beside a table, surface or trend. `benchdb.exports` offers the entries when Django starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A link of web/partials/exports.html to one file: `CSV wide`. Those that are not `common` are folded."""

    label: str
    hint: str
    extension: str
    shape: str = ""
    common: bool = False
    href: str = ""

    def linked(self, href: str) -> MenuEntry:
        """The entry with its address; `href` is that of the format without a shape."""
        joint = "&" if "?" in href else "?"
        return replace(self, href=f"{href}{joint}shape={self.shape}" if self.shape else href)


ENTRIES: list[MenuEntry] = []


def offer(entry: MenuEntry) -> None:
    """Append an entry to the menu."""
    ENTRIES.append(entry)


def export_links(address: Callable[[str], str]) -> list[MenuEntry]:
    """Links to every format, each with its purpose; `address` returns the address of an extension."""
    return [entry.linked(address(entry.extension)) for entry in ENTRIES]
