"""The contexts of the pages of articles."""

from __future__ import annotations

from dataclasses import dataclass

from benchdb.compare.page_parts.export_menu import ExportLink
from benchdb.compare.table.charts.shown import ShownChart
from benchdb.runs.cells.measured_table import MeasuredTable
from benchdb.runs.facts.terms import FactLine

from .models import Publication


@dataclass(frozen=True, slots=True)
class ListedArticle:
    """An article of publications/articles.html; `figures` and `notes` are numbers in words, `notes` empty for none."""

    slug: str
    title: str
    href: str
    authors: str
    year: int
    compared: str
    figures: str
    notes: str


@dataclass(frozen=True, slots=True)
class ArticleListPage:
    """The context of publications/list.html."""

    articles: list[ListedArticle]
    section: str = "articles"


@dataclass(frozen=True, slots=True)
class ObservationVerdict:
    """The answer to an observation: confirmed, part, contradicted, open or untested, and the lines in words."""

    kind: str
    word: str
    count: str


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """A line of publications/lines.html; `interval` is empty without one, `outcome` a value of ClaimOutcome."""

    label: str
    href: str
    printed: str
    change: str
    interval: str
    outcome: str
    word: str


@dataclass(frozen=True, slots=True)
class RelatedFinding:
    """A finding of the table about the cells of a claim."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class AnsweredObservation:
    """An observation of publications/observations.html; `more` are the folded lines.

    `range` is empty if no line compares cells. `intervals` tells whether a line has an interval.
    """

    text: str
    verdict: ObservationVerdict
    range: str
    address: str
    table: str
    change_head: str
    intervals: bool
    first: list[AnsweredLine]
    more: list[AnsweredLine]
    findings: list[RelatedFinding]


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table in its article; `href` is the permalink's, `beside` leads to the comparison with own runs.

    `chart` draws its figures; None if they are fewer than two, or too many.
    """

    key: str
    title: str
    href: str
    beside: str
    table: MeasuredTable
    chart: ShownChart | None
    notes: list[str]
    exports: list[ExportLink]


@dataclass(frozen=True, slots=True)
class OtherTable:
    """A table that is not printed in the article."""

    title: str
    href: str
    beside: str


@dataclass(frozen=True, slots=True)
class NoteEvidence:
    """A comparison behind a note: its text, and the statements and figures that it used."""

    text: str
    statements: list[str]


@dataclass(frozen=True, slots=True)
class ArticleNote:
    """A line of publications/notes.html; `found_by` names the checks, or says that people read it."""

    where: str
    printed: str
    says: str
    found_by: str
    evidence: list[NoteEvidence]


@dataclass(frozen=True, slots=True)
class ArticleStatement:
    """What the article says in its text, with the line; `of` is `rate of sdc1 / hdparm`."""

    of: str
    value: str
    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class ArticleRun:
    """A run with figures of the article; the label is its key in the data file."""

    label: str
    href: str


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """The context of publications/article.html.

    `tested` tells whether any answer rests on a test; `checked` is a sentence about the checks, None without notes.
    `notes` are contradictions, `remarks` are ours about the article; `data` is the address of all this as JSON, and
    `dataset` the schema.org Dataset, as JSON-LD.
    """

    publication: Publication
    facts: list[FactLine]
    observations: list[AnsweredObservation]
    tested: bool
    tables: list[PrintedTable]
    others: list[OtherTable]
    notes: list[ArticleNote]
    remarks: list[ArticleNote]
    checked: str | None
    statements: list[ArticleStatement]
    data: str
    runs: list[ArticleRun]
    plan: str
    dataset: dict[str, object]
    section: str = "articles"


@dataclass(frozen=True, slots=True)
class PlanCommand:
    """The command that runs a plan; `name` is the plan's."""

    name: str
    command: str


@dataclass(frozen=True, slots=True)
class ArticlePlanPage:
    """The context of publications/plan.html; `text` is the plan, `queue` the address where it can be queued."""

    publication: Publication
    placeholder: str
    fetch: str
    runs: list[PlanCommand]
    check: str
    text: str
    queue: str
    article: str
    section: str = "articles"
