"""Raw output as numbered lines, each with an anchor for links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from benchdb.runs.cells.links import raw_href
from benchdb.runs.models import Artifact, Run
from benchdb.runs.store.archive import pieces_of
from benchdb.wording.sizes import say_size

from .line_window import LineWindow, RawLine, line_window

TEXT = ("text/", "application/json")  # media types that are shown; others are downloaded


@dataclass(frozen=True, slots=True)
class RawText:
    """The context of web/partials/raw.html; `lines` and their `count` are None if the text is not shown.

    `earlier` and `later` are the adjacent pages, if any.
    """

    name: str
    size: str
    href: str
    page: str
    lines: Sequence[RawLine] | None = None
    count: int | None = None
    earlier: str | None = None
    later: str | None = None


def raw_links(run: Run) -> list[RawText]:
    """All artifacts of a run, each displayed at its address `page`; one query."""
    return [_without_lines(artifact) for artifact in run.artifacts.defer("content").order_by("ordinal")]


def page(artifact: Artifact, first: int) -> RawText:
    """The lines from `first` on, or the last one. `artifact.content` is deferred. Raises ArchiveFailed."""
    window = nearest_window(lambda: pieces_of(artifact), first) if is_text(artifact) else LineWindow([], 0)
    path = raw_href(str(artifact.run_id), artifact.name)
    return replace(
        _without_lines(artifact),
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


def _without_lines(artifact: Artifact) -> RawText:
    run_id = str(artifact.run_id)
    return RawText(
        name=artifact.name,
        size=say_size(artifact.size),
        href=reverse("api-1:artifact", args=[run_id, artifact.name]),
        page=raw_href(run_id, artifact.name),
    )
