"""What workers make for readers of live comparisons: pages, contents, documents of permalinks, and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from benchdb.compare.content_json import current
from benchdb.compare.kinds import KINDS
from benchdb.compare.live import live_pieces
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.kept import LivePart, Made, kept_part
from benchdb.compare.page_parts.withdrawn import now
from benchdb.compare.permalinks.pieces import current_pieces, frozen_pieces
from benchdb.compare.permalinks.services import etag, find, frozen
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.table.answer.present import table_answer
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import grid_of
from benchdb.http.requests import Reader
from benchdb.http.work import TASK_SECONDS, expect
from benchdb.runs.models import Run

from .contents import cells
from .errors import TooLarge
from .formats import FORMATS
from .origin import Origin, frozen_origin, notices_of

MOST_UNPACKED = 256 * 1024 * 1024  # bytes of one file, for the few clients that do not accept a compressed one
SECONDS_A_CELL = 40e-6  # to write a file
ONLY_BY_WORKER = 2 * TASK_SECONDS


def live_file(part: LivePart, reader: Reader) -> Made:
    """The file of a live comparison. Raises ImpossibleSelection, LeftToWorker, and TooLarge."""
    of, query, file = KINDS[part.kind], QueryDict(part.query), FORMATS[part.form]
    runs = of.reads(query, reader)

    def written() -> bytes:
        content = current(part.kind, query, reader, runs)
        placed = [*cells(content)]
        expect(ONLY_BY_WORKER if file.needs_worker(placed, part.shape) else SECONDS_A_CELL * len(placed))
        origin = Origin(f"{part.site}/{of.path}/?{content.query}", False, part.shape, notices_of(now(content)))
        return b"".join(encoded(file.export(content, origin)))

    return kept_part(part, reader, runs, written)


def frozen_file(permalink: Permalink, site: str, form: str, shape: str) -> Made:
    """The file of a large permalink, kept as long as its runs do not change. Raises LeftToWorker, and TooLarge."""

    def written() -> bytes:
        expect(ONLY_BY_WORKER)
        origin = frozen_origin(permalink, f"{site}{permalink.get_absolute_url()}", shape)
        return b"".join(encoded(FORMATS[form].export(permalink.shown, origin)))

    part = LivePart("linkfile", permalink.kind, permalink.pk, form, shape, site, etag(permalink))
    return kept_part(part, AnonymousUser(), Run.objects.filter(pk__in=permalink.runs), written)


def campaign_answer(part: LivePart, reader: Reader) -> Made:
    """The first sentence of the answer of a table, "" if it has none. Raises LeftToWorker."""
    of, query = KINDS[part.kind], QueryDict(part.query)

    def said() -> bytes:
        try:
            content = current(part.kind, query, reader)
        except ImpossibleSelection:
            return b""
        answer = table_answer(grid_of(content)) if isinstance(content, TableContent) else None
        return answer.first.encode() if answer else b""

    return kept_part(part, reader, of.reads(query, reader), said)


def _of_permalink(part: LivePart, reader: Reader) -> None:
    permalink = find(part.query)
    if permalink is None or permalink.gone:
        return
    if part.maker == "today":
        current_pieces(permalink, reader, part.site)
    else:
        make = frozen_file if part.maker == "linkfile" else frozen_pieces
        make(permalink, part.site, part.form, part.shape)


MAKERS: dict[str, Callable[[LivePart, Reader], object]] = {  # `benchdb.questions.explained` adds its own
    "page": lambda part, reader: live_pieces(part.kind, QueryDict(part.query), reader),
    "content": lambda part, reader: current(part.kind, QueryDict(part.query), reader),
    "frozen": lambda part, reader: frozen(part.kind, part.query, reader),
    "file": live_file,
    "answer": campaign_answer,
    "today": _of_permalink,
    "link": _of_permalink,
    "linkfile": _of_permalink,
}


def encoded(file: str | bytes | Iterator[str]) -> Iterator[bytes]:
    """The file of a format in pieces. Raises TooLarge."""
    size = 0
    for piece in [file] if isinstance(file, str | bytes) else file:
        data = piece.encode() if isinstance(piece, str) else piece
        size += len(data)
        bound(size, MOST_UNPACKED)
        yield data


def bound(size: int, most: int) -> None:
    """Raise TooLarge for a file of so many bytes."""
    if size > most:
        raise TooLarge(f"the file would have more than {most >> 20} MiB; choose fewer runs, tests or sizes")
