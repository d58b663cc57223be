"""The menu of files beside a table, surface or trend. `benchdb.exports` offers the entries when Django starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class MenuEntry:
    """A link to one file: `CSV wide` with its hint. `quick` puts the link beside the title as well."""

    label: str
    hint: str
    extension: str
    shape: str = ""
    quick: bool = False

    def link(self, href: str) -> dict[str, Any]:
        """The entry for web/partials/exports.html; `href` is the address of the format without a shape."""
        if self.shape:
            href = f"{href}{'&' if '?' in href else '?'}shape={self.shape}"
        return {"text": self.label, "href": href, "hint": self.hint, "quick": self.quick}


ENTRIES: list[MenuEntry] = []


def offer(entry: MenuEntry) -> None:
    """Append an entry to the menu."""
    ENTRIES.append(entry)


def export_links(address: Callable[[str], str]) -> list[dict[str, Any]]:
    """Links to every format, each with its purpose; `address` returns the address of an extension."""
    return [entry.link(address(entry.extension)) for entry in ENTRIES]
