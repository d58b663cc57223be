"""Raw output as numbered lines, each with an anchor for links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import BinaryField, Case, When
from django.urls import reverse

from benchagent.formats.reading.text import split_lines
from benchdb.runs.cells.links import raw_href
from benchdb.runs.models import Artifact, Run
from benchdb.runs.store.archive import pieces_of
from benchdb.wording.sizes import say_size

from .line_window import LineWindow, RawLine, line_window

TEXT = ("text/", "application/json")  # media types that are shown; others are downloaded
MOST_INLINE_BYTES = 64 * 1024  # of all artifacts on the run page
MOST_INLINE_LINES = 2000


@dataclass(frozen=True, slots=True)
class RawText:
    """The context of web/partials/raw.html; `lines` and their `count` are None if the text is not shown.

    `anchor` is before the numbers of lines in their anchors. `earlier` and `later` are the adjacent pages, if any.
    """

    name: str
    size: str
    href: str
    page: str
    anchor: str
    open: bool = False
    lines: Sequence[RawLine] | None = None
    count: int | None = None
    earlier: str | None = None
    later: str | None = None


def inline(run: Run) -> list[RawText]:
    """All artifacts of a run; one query.

    Artifacts short enough for the page of the run have `lines`; the others are displayed at the address `page`.
    """
    content = Case(When(size__lte=MOST_INLINE_BYTES, then="content"), output_field=BinaryField(null=True))
    bytes_left, lines_left = MOST_INLINE_BYTES, MOST_INLINE_LINES
    shown = []
    for artifact in run.artifacts.defer("content").annotate(small=content).order_by("ordinal"):
        text = _without_lines(artifact, f"{artifact.name}-")
        if artifact.small is not None and artifact.size <= bytes_left and is_text(artifact):
            lines = lines_of(bytes(artifact.small))
            if len(lines) <= lines_left:
                text = replace(
                    text, lines=[RawLine(number, line) for number, line in enumerate(lines, start=1)], count=len(lines)
                )
                bytes_left, lines_left = bytes_left - artifact.size, lines_left - len(lines)
        shown.append(text)
    return shown


def page(artifact: Artifact, first: int) -> RawText:
    """The lines from `first` on, or the last one. `artifact.content` is deferred. Raises ArchiveFailed."""
    window = nearest_window(lambda: pieces_of(artifact), first) if is_text(artifact) else LineWindow([], 0)
    path = raw_href(str(artifact.run_id), artifact.name)
    return replace(
        _without_lines(artifact, ""),
        open=True,
        lines=window.lines,
        count=window.count,
        earlier=page_from(path, window.earlier),
        later=page_from(path, window.later),
    )


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


def lines_of(content: bytes) -> list[str]:
    """Lines as the parsers count them; bytes that are not UTF-8 become U+FFFD."""
    return split_lines(content.decode("utf-8", "replace"))


def _without_lines(artifact: Artifact, anchor: str) -> RawText:
    run_id = str(artifact.run_id)
    return RawText(
        name=artifact.name,
        size=say_size(artifact.size),
        href=reverse("api-1:artifact", args=[run_id, artifact.name]),
        page=raw_href(run_id, artifact.name),
        anchor=anchor,
    )
