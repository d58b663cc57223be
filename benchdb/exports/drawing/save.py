"""Save a drawing with metadata; equal contents give equal bytes, because dates and random ids are left out."""

from __future__ import annotations

import warnings
from io import BytesIO

from django.utils.module_loading import import_string

from benchdb.compare.table.content import TableContent
from benchdb.exports.clean import clean
from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import CARD, Origin
from benchdb.exports.picture import Metadata, PictureFacts
from benchdb.exports.printed import method
from benchdb.exports.printed.compose import differing, doubts
from benchdb.exports.printed.kinds import exported_kind

from .card import draw_card
from .sheet import Sheet

DOTS_PER_INCH = 200


def draw(content: Content, origin: Origin, form: str, metadata: Metadata) -> bytes:
    """The picture of a table, surface or trend, or of the card of a table, as PNG, SVG or PDF. Raises TooLarge."""
    if origin.shape == CARD and isinstance(content, TableContent):
        return _saved(draw_card(content, origin), form, metadata(_facts(content, origin)))
    draw_kind = import_string(exported_kind(content).draw)
    return _saved(draw_kind(content, origin), form, metadata(_facts(content, origin)))


def _saved(drawn: Sheet, form: str, metadata: dict[str, str | None]) -> bytes:
    out = BytesIO()
    with warnings.catch_warnings():
        # A letter missing from the font is drawn as a box.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        drawn.figure.savefig(out, format=form, dpi=DOTS_PER_INCH, metadata=metadata)
    return out.getvalue()


def _facts(content: Content, origin: Origin) -> PictureFacts:
    maker = f"BenchDB {content.benchdb_version}"
    return PictureFacts(clean(content.title), " ".join(_about(content, origin)), origin.address, maker)


def _about(content: Content, origin: Origin) -> list[str]:
    """Doubts, differences and method in sentences, as the other formats have them."""
    measured = [placed.cell for placed in cells(content)]
    differences = "; ".join(differing(content))
    sentences = [
        content.subtitle,
        *doubts(content),
        *([f"Not the same everywhere: {differences}."] if differences else []),
        *method.of_all_verdicts(measured),
        *method.method(content, measured, origin),
    ]
    return [clean(text) for text in sentences]
