"""Raw output as numbered lines, each with an anchor for links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import BinaryField, Case, When
from django.urls import reverse

from benchagent.formats.reading.text import split_lines
from benchdb.runs.cells.links import LINES_A_PAGE, raw_href
from benchdb.runs.models import Artifact, Run
from benchdb.runs.store.archive import content_of
from benchdb.wording.sizes import say_size

TEXT = ("text/", "application/json")  # media types that are shown; others are downloaded
MOST_INLINE_BYTES = 64 * 1024  # of all artifacts on the run page
MOST_INLINE_LINES = 2000


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line, counted from 1."""

    number: int
    text: str


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
                text = replace(text, lines=_numbered(lines, 1), count=len(lines))
                bytes_left, lines_left = bytes_left - artifact.size, lines_left - len(lines)
        shown.append(text)
    return shown


def page(artifact: Artifact, first: int) -> RawText:
    """The lines from `first` on. Raises ArchiveFailed."""
    lines = lines_of(content_of(artifact)) if is_text(artifact) else []
    first = min(max(first, 1), max(len(lines), 1))
    path = raw_href(str(artifact.run_id), artifact.name)
    return replace(
        _without_lines(artifact, ""),
        open=True,
        lines=_numbered(lines[first - 1 : first - 1 + LINES_A_PAGE], first),
        count=len(lines),
        earlier=f"{path}?from={max(first - LINES_A_PAGE, 1)}" if first > 1 else None,
        later=f"{path}?from={first + LINES_A_PAGE}" if first + LINES_A_PAGE <= len(lines) else None,
    )


def is_text(artifact: Artifact) -> bool:
    """Whether pages show the artifact as text."""
    return artifact.media_type.startswith(TEXT)


def lines_of(content: bytes) -> list[str]:
    """Lines as the parsers count them; bytes that are not UTF-8 become U+FFFD."""
    return split_lines(content.decode("utf-8", "replace"))


def _numbered(lines: Sequence[str], first: int) -> list[RawLine]:
    return [RawLine(number, text) for number, text in enumerate(lines, start=first)]


def _without_lines(artifact: Artifact, anchor: str) -> RawText:
    run_id = str(artifact.run_id)
    return RawText(
        name=artifact.name,
        size=say_size(artifact.size),
        href=reverse("api-1:artifact", args=[run_id, artifact.name]),
        page=raw_href(run_id, artifact.name),
        anchor=anchor,
    )
