"""The pages of a permalink without their frames: the frozen figures, and these beside the current ones for a reader."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from benchdb.compare.kinds import KINDS
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.kept import LivePart, kept_part
from benchdb.compare.page_parts.pieces import render_pieces
from benchdb.http.requests import Reader
from benchdb.http.work import TASK_SECONDS, expect
from benchdb.runs.models import Run

from . import page as pages
from .current_data import current_data
from .services import etag


def frozen_pieces(permalink: Permalink, site: str, chosen: str = "", show: Sequence[str] = ()) -> dict[str, str]:
    """The frozen figures. A worker makes large pages, which are kept; raises LeftToWorker.

    `chosen` is the cell of a table in the address, `show` what else is to be seen.
    """

    def rendered() -> dict[str, str]:
        address = f"{site}{permalink.get_absolute_url()}"
        return render_pieces("compare/permalink.html", *pages.permalink(permalink, address, chosen, show))

    def page() -> bytes:
        expect(2 * TASK_SECONDS)
        return orjson.dumps(rendered())

    if not permalink.is_large:
        return rendered()
    part = LivePart("link", permalink.kind, permalink.pk, chosen, " ".join(show), site, etag(permalink))
    pieces: dict[str, str] = orjson.loads(
        kept_part(part, AnonymousUser(), Run.objects.filter(pk__in=permalink.runs), page).raw
    )
    return pieces


def current_pieces(permalink: Permalink, reader: Reader, site: str) -> dict[str, str]:
    """The current data, made now or by a worker. Raises ImpossibleSelection, and LeftToWorker."""

    def page() -> bytes:
        address = f"{site}{permalink.get_absolute_url()}"
        today = pages.today(permalink, address, current_data(permalink, reader))
        return orjson.dumps(render_pieces("compare/today.html", *today))

    part = LivePart("today", permalink.kind, permalink.pk, site=site, version=etag(permalink))
    selected = KINDS[permalink.kind].reads(QueryDict(permalink.query), reader)
    runs = selected | Run.objects.visible_to(reader).filter(pk__in=permalink.runs)
    pieces: dict[str, str] = orjson.loads(kept_part(part, reader, runs, page).raw)
    return pieces
