"""The page `/c/ID/today` without its frame: the frozen figures of a permalink beside the current ones for a reader."""

from __future__ import annotations

import orjson
from django.http import QueryDict

from benchdb.compare.kinds import KINDS
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.kept import LivePart, kept_part
from benchdb.compare.page_parts.pieces import render_pieces
from benchdb.http.requests import Reader
from benchdb.runs.models import Run

from . import page as pages
from .current_data import current_data
from .services import etag


def current_pieces(permalink: Permalink, reader: Reader, site: str) -> dict[str, str]:
    """The pieces, kept or made now and kept. Raises ImpossibleSelection, and LeftToWorker."""

    def page() -> bytes:
        address = f"{site}{permalink.get_absolute_url()}"
        return orjson.dumps(
            render_pieces("compare/today.html", *pages.today(permalink, address, current_data(permalink, reader)))
        )

    part = LivePart("today", permalink.kind, permalink.pk, etag(permalink), "", site)
    selected = KINDS[permalink.kind].reads(QueryDict(permalink.query), reader)
    runs = selected | Run.objects.visible_to(reader).filter(pk__in=permalink.runs)
    pieces: dict[str, str] = orjson.loads(kept_part(part, reader, runs, page).raw)
    return pieces
