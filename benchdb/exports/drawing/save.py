"""A figure becomes a file that is the same for the same content: metadata without dates, ids without chance."""

from __future__ import annotations

import warnings
from io import BytesIO

from django.utils.module_loading import import_string

from benchdb import __version__
from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.kinds import exported_kind
from benchdb.exports.printed.printing import differing, doubts
from benchdb.exports.printed.text import clean

from .style import Sheet

DOTS_PER_INCH = 200


def draw(content: Content, origin: Origin, form: str) -> bytes:
    """The picture of a table, surface or trend as PNG, SVG or PDF. Raises TooLarge."""
    draw_kind = import_string(exported_kind(content).draw)
    return _saved(draw_kind(content, origin), form, _metadata(content, origin, form))


def _saved(drawn: Sheet, form: str, metadata: dict[str, str | None]) -> bytes:
    out = BytesIO()
    with warnings.catch_warnings():
        # A letter that the font has not is drawn as a box; nothing else can be done about it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        drawn.figure.savefig(out, format=form, dpi=DOTS_PER_INCH, metadata=metadata)
    return out.getvalue()


def _metadata(content: Content, origin: Origin, form: str) -> dict[str, str | None]:
    """Where it comes from and how it was made, under the names that each format has for that."""
    title, maker = clean(content["title"]), f"BenchDB {content.get('benchdb_version') or __version__}"
    about = " ".join(_about(content, origin))
    if form == "svg":
        return {
            "Title": title,
            "Description": about,
            "Source": origin.address,
            "Identifier": origin.address,
            "Creator": maker,
            "Date": None,
        }
    if form == "pdf":
        fixed = {"Creator": maker, "Producer": maker, "CreationDate": None, "ModDate": None}
        return {"Title": title, "Subject": about, "Keywords": origin.address, **fixed}
    return {"Title": title, "Description": about, "Source": origin.address, "Software": maker}


def _about(content: Content, origin: Origin) -> list[str]:
    """What the other formats say in words: what is doubtful, what else differs, and how it was measured."""
    measured = [placed.cell for placed in cells(content)]
    differences = "; ".join(differing(content))
    said = [
        content["subtitle"],
        *doubts(content),
        *([f"Not the same everywhere: {differences}."] if differences else []),
        *method.of_all_verdicts(measured),
        *method.method(content, measured, origin),
    ]
    return [clean(text) for text in said]
