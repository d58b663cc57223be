"""The menu of files beside a table, surface or trend. `benchdb.exports` offers the entries when Django starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportLink:
    """A link of web/partials/exports.html; those that are not `common` are folded."""

    text: str
    href: str
    hint: str
    common: bool


@dataclass(frozen=True)
class MenuEntry:
    """A link to one file: `CSV wide` with its hint. Those that are not `common` are folded."""

    label: str
    hint: str
    extension: str
    shape: str = ""
    common: bool = False

    def link(self, href: str) -> ExportLink:
        """The entry for web/partials/exports.html; `href` is the address of the format without a shape."""
        if self.shape:
            href = f"{href}{'&' if '?' in href else '?'}shape={self.shape}"
        return ExportLink(self.label, href, self.hint, self.common)


ENTRIES: list[MenuEntry] = []


def offer(entry: MenuEntry) -> None:
    """Append an entry to the menu."""
    ENTRIES.append(entry)


def export_links(address: Callable[[str], str]) -> list[ExportLink]:
    """Links to every format, each with its purpose; `address` returns the address of an extension."""
    return [entry.link(address(entry.extension)) for entry in ENTRIES]
