"""The menu of files beside a table, surface or trend. `benchdb.exports` offers the entries when Django starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportLink:
    """A link of web/partials/exports.html; a `quick` one is beside the title as well."""

    text: str
    href: str
    hint: str
    quick: bool


@dataclass(frozen=True)
class MenuEntry:
    """A link to one file: `CSV wide` with its hint. `quick` puts the link beside the title as well."""

    label: str
    hint: str
    extension: str
    shape: str = ""
    quick: bool = False

    def link(self, href: str) -> ExportLink:
        """The entry for web/partials/exports.html; `href` is the address of the format without a shape."""
        if self.shape:
            href = f"{href}{'&' if '?' in href else '?'}shape={self.shape}"
        return ExportLink(self.label, href, self.hint, self.quick)


ENTRIES: list[MenuEntry] = []


def offer(entry: MenuEntry) -> None:
    """Append an entry to the menu."""
    ENTRIES.append(entry)


def export_links(address: Callable[[str], str]) -> list[ExportLink]:
    """Links to every format, each with its purpose; `address` returns the address of an extension."""
    return [entry.link(address(entry.extension)) for entry in ENTRIES]
