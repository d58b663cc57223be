"""The formats there are. To add one, write its module with `MEDIA_TYPE` and `export`, and name it here."""

from __future__ import annotations

from typing import Protocol

from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import Origin

from . import bb, csv, html, json, md, pdf, png, svg, tex, tsv
from .lines import SHAPES

# Raise it when a format changes what it writes: what workers made and what browsers keep is then made anew.
EXPORTS_VERSION = 2
# Values from which on a file takes longer than a request may: a worker makes it.
MANY_VALUES = 200_000


class Format(Protocol):
    """What a format module offers."""

    MEDIA_TYPE: str

    def export(self, content: Content, origin: Origin) -> str | bytes:
        """A table or surface (its plain data of any schema, live or frozen) as text or bytes. The same for the same."""
        ...


FORMATS: dict[str, Format] = {
    "json": json,
    "csv": csv,
    "tsv": tsv,
    "md": md,
    "html": html,
    "tex": tex,
    "bb": bb,
    "svg": svg,
    "png": png,
    "pdf": pdf,
}
SHAPED = ("csv", "tsv")
PICTURES = ("svg", "png", "pdf")


def takes_long(form: str, content: Content, shape: str) -> bool:
    """Whether a worker shall make it: pictures, and what writes very many values."""
    if form in PICTURES:
        return True
    if form != "json" and not (form in SHAPED and shape == "long"):
        return False
    return sum(len(placed.cell["values"] or ()) for placed in cells(content)) > MANY_VALUES


def possible_shapes() -> str:
    """For people who asked for another."""
    return ", ".join(SHAPES)
