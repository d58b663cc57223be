"""Finds the output formats: each folder of this package with a ``TOOL`` is one.

Works for folders on disk and inside a zip file (the agent as one .pyz).
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from typing import NamedTuple, Protocol

from .model import Parsed

_PACKAGE = __name__.rpartition(".")[0]


class TextFormat(Protocol):
    """What the folder of a format offers. ``RANK`` orders the formats: a lower one gets a text first."""

    TOOL: str
    RANK: int

    def recognises(self, text: str) -> bool: ...

    def parse(self, text: str, parser_version: str) -> Parsed: ...


class BinaryFormat(Protocol):
    """Output that is no text; the parser defines what counts as a line."""

    TOOL: str

    def recognises(self, data: bytes) -> bool: ...

    def parse(self, data: bytes, parser_version: str) -> Parsed: ...


class NamedFormat(Protocol):
    """Text whose meaning is in the name of its file; `parse` refuses it without a name, or with another one.

    `is_name` is whether a name can be that of such a file. Its meaning may also depend on the tool's `version`, which
    only another file has.
    """

    TOOL: str

    def is_name(self, name: str) -> bool: ...

    def recognises(self, text: str, name: str | None) -> bool: ...

    def parse(self, text: str, name: str | None, version: str | None, parser_version: str) -> Parsed: ...


class Formats(NamedTuple):
    """All formats, those of text ordered by rank and then by the tool's name."""

    text: tuple[TextFormat, ...]
    binary: tuple[BinaryFormat, ...]
    named: tuple[NamedFormat, ...]

    def of(self, tool: str) -> Formats:
        """Those of one tool."""
        return Formats(
            tuple(form for form in self.text if tool == form.TOOL),
            tuple(form for form in self.binary if tool == form.TOOL),
            tuple(form for form in self.named if tool == form.TOOL),
        )


def folder_names(search_path: Iterable[str]) -> list[str]:
    """The folders on a package's search path."""
    return [module.name for module in pkgutil.iter_modules(search_path) if module.ispkg]


def discovered(names: Iterable[str]) -> Formats:
    """Import these folders and return the formats among them."""
    folders = [import_module(f"{_PACKAGE}.{name}") for name in names]
    formats = [folder for folder in folders if hasattr(folder, "TOOL")]
    formats.sort(key=lambda folder: (folder.RANK, folder.TOOL))
    return Formats(
        tuple(formats),
        tuple(binary for folder in formats for binary in getattr(folder, "BINARY_FORMATS", ())),
        tuple(named for folder in formats for named in getattr(folder, "NAMED_FORMATS", ())),
    )
