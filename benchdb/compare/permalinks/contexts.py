"""The contexts of the pages of permalinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from benchdb.compare.goes_with.shown import FrozenGoesWith
from benchdb.compare.kinds import AnyKind
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts.export_menu import ExportLink
from benchdb.compare.page_parts.withdrawn import RunsSince, WithdrawnRun
from benchdb.runs.models import Run


@dataclass(frozen=True, slots=True)
class ArticleLink:
    """The article that a table belongs to."""

    title: str
    href: str


@dataclass(frozen=True, slots=True)
class FrozenState(RunsSince):
    """The context of web/partials/frozen.html: the permalink, and the state of its runs.

    `deleted` is a sentence about its deleted runs; `today` is the address of the current data. `compared` are
    its runs and campaigns as a query string, which the tray does not offer again.
    """

    withdrawn: list[WithdrawnRun]
    deleted: str | None
    noun: str
    address: str
    at: datetime
    by: str
    statistics: str
    runs: int
    today: str
    article: ArticleLink | None
    compared: str


@dataclass(frozen=True, slots=True)
class Citations:
    """How to cite a permalink: as a sentence, and for BibTeX."""

    plain: str
    bibtex: str


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The context of compare/preview.html: the picture with its text, and the address of the oEmbed document.

    `width` and `height` of the picture are None if they are unknown.
    """

    image: str
    alt: str
    width: int | None
    height: int | None
    oembed: str


@dataclass(frozen=True, slots=True)
class EmbedSnippets:
    """The elements for other pages: the table in a frame, and its picture with a link, as HTML and as Markdown."""

    frame: str
    html: str
    markdown: str


@dataclass(frozen=True, slots=True)
class PermalinkParts:
    """What compare/permalink.html shows besides the content; `goes_with` is of a table with samples of the machine.

    `dataset` is the schema.org Dataset, as JSON-LD.
    """

    kind: AnyKind
    frozen: FrozenState
    preview: LinkPreview
    cite: Citations
    snippets: EmbedSnippets
    exports: list[ExportLink]
    goes_with: FrozenGoesWith | None
    dataset: dict[str, object]


@dataclass(frozen=True, slots=True)
class EmbedParts:
    """What compare/embed.html shows besides the figures; an empty theme is the reader's own."""

    kind: AnyKind
    frozen: FrozenState
    theme: str


@dataclass(frozen=True, slots=True)
class GonePage:
    """The context of compare/gone.html; only the owner (`own`) gets a link to the live page."""

    why: str | None
    noun: str
    own: bool
    live: str | None
    section: str = "compare"


@dataclass(frozen=True, slots=True)
class ThemedPage:
    """The theme of compare/embed.html when there are no figures."""

    theme: str


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A cell whose figures differ, for compare/today.html."""

    place: str
    frozen: str
    now: str


@dataclass(frozen=True, slots=True)
class TodayParts:
    """What compare/today.html shows besides the current data; `versions` are (program, frozen, current)."""

    kind: AnyKind
    frozen: FrozenState
    live: str
    changed: list[ChangedLine]
    versions: list[tuple[str, str, str]]
    missing: str | None


@dataclass(frozen=True, slots=True)
class SharePage:
    """The context of compare/share.html: the runs that are not public."""

    kind: str
    noun: str
    query: str
    cell: str
    runs: Sequence[Run]
    back: str
    section: str = "compare"


@dataclass(frozen=True, slots=True)
class RevokePage:
    """The context of compare/revoke.html."""

    permalink: Permalink
    address: str
    section: str = "compare"


@dataclass(frozen=True, slots=True)
class OwnPermalink:
    """A permalink in its owner's list; `state` is shared, withdrawn runs, deleted or revoked."""

    href: str
    title: str
    subtitle: str
    noun: str
    runs: int
    at: datetime
    state: str
    revoke: str | None


@dataclass(frozen=True, slots=True)
class OwnPermalinks:
    """The context of compare/permalinks.html: one page of them, and the addresses of the next and the first page."""

    permalinks: list[OwnPermalink]
    next: str | None
    first: str | None
    section: str = "compare"
