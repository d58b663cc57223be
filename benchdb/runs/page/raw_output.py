"""Raw output as numbered lines, each with an anchor for links."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from django.urls import reverse

from benchagent import formats
from benchdb.runs.cells.links import LINES_A_PAGE, raw_href
from benchdb.runs.models import Artifact, Run
from benchdb.runs.store.archive import pieces_of
from benchdb.wording.sizes import say_size

TEXT = ("text/", "application/json")  # media types that are shown; others are downloaded


def raw_links(run: Run) -> list[dict[str, object]]:
    """All artifacts of a run, each displayed at its address `page`; one query."""
    return [_without_lines(artifact) for artifact in run.artifacts.defer("content").order_by("ordinal")]


def page(artifact: Artifact, first: int) -> dict[str, object]:
    """The lines from `first` on, or the last one. `artifact.content` is deferred. Raises ArchiveFailed."""
    window = nearest_window(lambda: pieces_of(artifact), first) if is_text(artifact) else LineWindow([], 0)
    path = raw_href(str(artifact.run_id), artifact.name)
    return _without_lines(artifact) | {
        "lines": window.lines,
        "count": window.count,
        "earlier": page_from(path, window.earlier),
        "later": page_from(path, window.later),
    }


def nearest_window(pieces: Callable[[], Iterable[bytes]], first: int) -> LineWindow:
    """The lines from `first` on, or the last line if the text ends before it."""
    window = line_window(pieces(), max(first, 1))
    return window if window.lines or not window.count else line_window(pieces(), window.count)


def page_from(path: str, first: int | None) -> str | None:
    """The address of the page that begins with a line, if there is one."""
    return f"{path}?from={first}" if first else None


def is_text(artifact: Artifact) -> bool:
    """Whether pages show the artifact as text."""
    return artifact.media_type.startswith(TEXT)


def _without_lines(artifact: Artifact) -> dict[str, object]:
    run_id = str(artifact.run_id)
    return {
        "name": artifact.name,
        "size": say_size(artifact.size),
        "href": reverse("api-1:artifact", args=[run_id, artifact.name]),
        "page": raw_href(run_id, artifact.name),
    }


BLOCK = 64 * 1024
LONGEST_LINE = 2048  # bytes shown of a line; an output can be one line of 100 MB


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line, counted from 1; `cut` is the size of its end that is not shown, "" for lines up to `LONGEST_LINE`."""

    number: int
    text: str
    cut: str = ""


@dataclass(frozen=True, slots=True)
class LineWindow:
    """At most LINES_A_PAGE adjacent lines of a text, and the number of all its lines."""

    lines: list[RawLine]
    count: int

    @property
    def first(self) -> int:
        """The number of the first of these lines; 1 if there is none."""
        return self.lines[0].number if self.lines else 1

    @property
    def earlier(self) -> int | None:
        """The first line of the page before; None on the first page."""
        return max(self.first - LINES_A_PAGE, 1) if self.first > 1 else None

    @property
    def later(self) -> int | None:
        """The first line of the page after; None on the last page."""
        after = self.first + LINES_A_PAGE
        return after if after <= self.count else None


@dataclass(slots=True)
class _Line:
    number: int
    begin: bytearray = field(default_factory=bytearray)
    length: int = 0

    def add(self, part: bytes) -> None:
        self.begin += part[: LONGEST_LINE - len(self.begin)]
        self.length += len(part)

    def shown(self) -> RawLine:
        """The line without its end, as `split_lines` returns it."""
        cut = self.length - len(self.begin)
        text = self.begin.decode("utf-8", "replace")
        return RawLine(self.number, text if cut else text.removesuffix("\r"), say_size(cut) if cut else "")


def line_window(pieces: Iterable[bytes], first: int) -> LineWindow:
    """The lines from `first` on; none if the text has fewer lines.

    Lines are counted and decoded as parsers do it (`split_lines`, `formats.decoded`).
    """
    lines: dict[int, _Line] = {}
    number, last = 1, b"\n"  # the number of the line that goes on, and the last block
    for block in _blocks(_utf8(pieces)):
        newlines, last = block.count(b"\n"), block
        if number + newlines >= first and number < first + LINES_A_PAGE:
            for of, part in enumerate(block.split(b"\n"), start=number):
                if first <= of < first + LINES_A_PAGE:
                    lines.setdefault(of, _Line(of)).add(part)
        number += newlines
    count = number - 1 if last.endswith(b"\n") else number
    return LineWindow([line.shown() for of, line in lines.items() if of <= count], count)


def _blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), BLOCK):
            yield piece[start : start + BLOCK]


def _utf8(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The text in UTF-8, without its byte order mark."""
    rest, begin = iter(pieces), b""
    while len(begin) < formats.LOOKED_AT and (piece := next(rest, b"")):
        begin += piece
    if (encoding := formats.encoding_of(begin)).startswith("utf-16"):
        yield from (text.encode() for text in codecs.iterdecode(chain([begin], rest), encoding, "replace"))
    else:
        yield begin.removeprefix(codecs.BOM_UTF8)
        yield from rest
