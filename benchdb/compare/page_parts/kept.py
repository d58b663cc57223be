"""Live pages, contents and files, made once for all readers who may see the same runs (`benchdb.runs.kept`).

A request makes what takes it 0.2 s at most; a worker makes the rest, with the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from isal import isal_zlib

from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.http.after_response import after_answer, answering
from benchdb.http.requests import Reader
from benchdb.http.work import TASK_SECONDS, TooLong, at_most, is_request
from benchdb.runs import kept
from benchdb.runs.models import RunQuerySet

KEPT_BY_REQUESTS = ("page", "content")  # from which the rest is made in no time
PIECE = 256 * 1024  # bytes
LEVEL = 1  # of compression: a part is compressed while its reader waits for nothing, but the processor is shared


class LivePart(NamedTuple):
    """What is made: the name of its maker (`benchdb.exports.parts`), the kind of comparison, its query, and more.

    Parts of a permalink have its id as `query`, and its entity tag as `version`.
    """

    maker: str
    kind: str
    query: str
    form: str = ""
    shape: str = ""
    site: str = ""
    version: str = ""


class LeftToWorker(Exception):
    """A part that a worker must make for readers like `reader`, in some seconds: the exception of a request for it."""

    def __init__(self, part: LivePart, reader: Reader, seen: kept.SeenRuns, seconds: float) -> None:
        super().__init__(part)
        self.part, self.reader, self.seen, self.seconds = part, reader, seen, seconds

    @property
    def key(self) -> bytes:
        return self.seen.key(*self.part)


class Made(NamedTuple):
    """A part, as zlib compressed it if it is `packed`."""

    data: bytes
    packed: bool

    @property
    def raw(self) -> bytes:
        return isal_zlib.decompress(self.data) if self.packed else self.data

    def pieces(self) -> Iterator[bytes]:
        """The part, a piece at a time."""
        if not self.packed:
            yield self.data
            return
        inflater, packed = isal_zlib.decompressobj(), memoryview(self.data)
        for begin in range(0, len(packed), PIECE):
            rest: bytes | memoryview = packed[begin : begin + PIECE]
            piece = b"?" * PIECE
            while rest or len(piece) == PIECE:  # a full piece may have left more inside the inflater
                piece, rest = inflater.decompress(rest, PIECE), inflater.unconsumed_tail
                yield piece


def kept_part(part: LivePart, reader: Reader, runs: RunQuerySet, make: Callable[[], bytes], most: int = 0) -> Made:
    """The part, kept or made now and kept.

    `runs` are all that `make` may read for this reader. Raises LeftToWorker if it would take a request too long,
    ImpossibleSelection if it would also read too many runs, and whatever `make` raises.
    """
    most = most or (kept.MOST_RUNS if is_request() else kept.MOST_RUNS_OF_TASK)
    seen = kept.seen(runs, most)
    if (stored := kept.find(seen.key(*part))) is not None:
        return Made(stored, True)
    try:
        with answering(), at_most(TASK_SECONDS):
            if is_request() and part.maker not in KEPT_BY_REQUESTS:
                return Made(make(), False)
            with kept.one_moment():
                seen, data = kept.seen(runs, most), make()
            if len(seen.ids) <= most:
                _keep(part, seen, data)
    except (TooLong, LeftToWorker) as left:
        if len(seen.ids) <= most:
            raise LeftToWorker(part, reader, seen, left.seconds) from None
        if most == kept.MOST_RUNS_OF_TASK:
            raise ImpossibleSelection([f"More than {most} runs would be read: choose fewer."]) from None
        return kept_part(part, reader, runs, make, kept.MOST_RUNS_OF_TASK)
    return Made(data, False)


def keep_part(part: LivePart, runs: RunQuerySet, data: bytes) -> None:
    """Keep what a worker has made together with another part, in the same moment."""
    _keep(part, kept.seen(runs, kept.MOST_RUNS_OF_TASK), data)


def _keep(part: LivePart, seen: kept.SeenRuns, data: bytes) -> None:
    """Keep what was made. Raises ImpossibleSelection in a worker if it is too large, because nobody would get it."""
    key = seen.key(*part)
    if is_request():
        after_answer(lambda: kept.keep(seen, key, isal_zlib.compress(data, LEVEL), kept.MOST_PARTS_OF_REQUESTS))
    elif len(packed := isal_zlib.compress(data, LEVEL)) > kept.MOST_BYTES:
        size = f"{kept.MOST_BYTES >> 20} MiB"
        raise ImpossibleSelection([f"This would have more than {size}, compressed: choose fewer runs or tests."])
    else:
        after_answer(lambda: kept.keep(seen, key, packed))
