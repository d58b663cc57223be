"""The registry of export formats: views, workers and menus learn about a format from its entry only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from benchdb.compare.content import Placed
from benchdb.compare.page_parts.export_menu import MenuEntry, offer

from .contents import Content
from .origin import Origin

# Raise it if a format changes its output: files that workers made and browsers keep are then replaced.
EXPORTS_VERSION = 7
# A worker writes files with more values, because they take longer than a request may.
MANY_VALUES = 50_000


@dataclass(frozen=True)
class ExportFormat:
    """One format.

    `export` turns a content of any kind and schema, live or frozen, into text, pieces of text, or bytes; equal contents
    give equal bytes. `extension` has at most 8 characters and ends the address. `label` and `hint` are the format's
    entry in the menu, `common` shows it at first. `shapes` are the possible values of `?shape=`,
    empty if the format has one shape; those of `shape_hints` have menu entries of their own. A file in one of the
    shapes `with_all_values` holds every value of every round. `by_worker` if only workers write the format.
    """

    extension: str
    media_type: str
    label: str
    hint: str
    export: Callable[[Content, Origin], str | bytes | Iterator[str]]
    common: bool = False
    binary: bool = False
    by_worker: bool = False
    shapes: tuple[str, ...] = ()
    shape_hints: Mapping[str, str] = field(default_factory=dict)
    with_all_values: tuple[str, ...] = ()

    @property
    def content_type(self) -> str:
        """The header `Content-Type` of a file."""
        return self.media_type if self.binary else f"{self.media_type}; charset=utf-8"

    def needs_worker(self, cells: Iterable[Placed], shape: str) -> bool:
        """Whether a worker must write the file with these cells: a picture, or very many values."""
        if self.by_worker:
            return True
        if shape not in self.with_all_values:
            return False
        return sum(len(placed.cell.values or ()) for placed in cells) > MANY_VALUES


FORMATS: dict[str, ExportFormat] = {}  # by extension, in the order of the menu


def register(export_format: ExportFormat) -> None:
    """Add a format, its addresses and its menu entries."""
    FORMATS[export_format.extension] = export_format
    label, extension = export_format.label, export_format.extension
    offer(MenuEntry(label, export_format.hint, extension, common=export_format.common))
    for shape, hint in export_format.shape_hints.items():
        offer(MenuEntry(f"{label} {shape}", hint, extension, shape))


def all_shapes() -> list[str]:
    """The shapes of all formats."""
    return list(dict.fromkeys(shape for export_format in FORMATS.values() for shape in export_format.shapes))


def formats_with_shapes() -> list[str]:
    """The extensions of the formats with several shapes."""
    return [extension for extension, export_format in FORMATS.items() if export_format.shapes]
