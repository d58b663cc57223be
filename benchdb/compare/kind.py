"""The interface of a kind of comparison (table, surface, trend) for permalinks, redaction and exports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.http import QueryDict

from benchdb.http.requests import Reader
from benchdb.runs.models import RunQuerySet

from .content import Content, Placed

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Kind = TypeVar("Kind", bound=Content)


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How a content is shown: the key of the chosen cell and the address of the page, "" if there is none.

    `marks` are the reasons of the mark "changed" by the key of its cell. Only with scripts are panels of any use; those
    of a table are at the address `panels`. `sortable` is the query string of the page besides `sort`, empty if readers
    cannot sort the rows. `show` are the choices of what a table shows in the address (`table.sorting.differing`).
    """

    chosen: str = ""
    address: str = ""
    panels: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    with_panels: bool = True
    sortable: Sequence[tuple[str, str]] = ()
    show: Sequence[str] = ()


class MadePage(NamedTuple):
    """A page before it is rendered: its template, the parts of its context, and its content.

    `cell` is the chosen cell, `watch` the address that watches it.
    """

    template: str
    parts: tuple[DataclassInstance | Mapping[str, object], ...]
    content: Content
    cell: str | None = None
    watch: str = ""


@dataclass(frozen=True)
class ComparisonKind(Generic[Kind]):
    """A kind of comparison; benchdb/compare/kinds.py lists all of them.

    `name` is stored with permalinks and part of the contents' schema (`benchdb.NAME/1`), `content` is their class.
    `path` is the name and the path of the live page, which `live(query, reader)` makes, and raises ImpossibleSelection.
    `settled` is the query string that a reader of its form means. Files are at `PATH/NAME.FORMAT` under the URL name
    `NAME-data`.

    `evaluate(query, reader)` returns the content that a query shows to a reader, and raises ImpossibleSelection.
    `reads(query, reader)` are all runs that it may read.
    `evaluate_visible(query, runs, reader)` evaluates the query of a permalink with those of its runs that the reader
    may see, and returns the content and the number of runs without which it was evaluated.

    `cells` yields the measured cells of a content in reading order. `without_runs(content, deleted)` returns the
    content without everything that rests on deleted runs (their ids), or None if no figure is left.

    `page` builds the context of pages of a content. The template `answer`, if there is one, is directly below the title
    of a permalink. `body` shows the rest there, and `embedded` the content in an iframe; `head`, if there is one, adds
    scripts and style sheets to the page, and `embedded_head` to the iframe.
    `say_row` prints a row label for people. `other_noun` names a content for people if `name` is not the word.
    `upgraded` makes the stored document of an earlier release one of today.
    """

    name: str
    content: type[Kind]
    path: str
    live: Callable[[QueryDict, Reader], MadePage]
    settled: Callable[[QueryDict], str]
    evaluate: Callable[[QueryDict, Reader], Kind]
    reads: Callable[[QueryDict, Reader], RunQuerySet]
    evaluate_visible: Callable[[str, Sequence[UUID], Reader], tuple[Kind, int]]
    cells: Callable[[Kind], Iterator[Placed]]
    without_runs: Callable[[Kind, Collection[str]], Kind | None]
    page: Callable[[Kind, PageOptions], dict[str, object]]
    body: str
    embedded: str
    answer: str = ""
    head: str = ""
    embedded_head: str = ""
    say_row: Callable[[str], str] = str
    other_noun: str = ""
    upgraded: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda document: document

    @property
    def noun(self) -> str:
        """`table`, `response chart`."""
        return self.other_noun or self.name
