"""The keys of the data file of an article (docs/publications.md), and of the results in its runs' documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, NotRequired, TypedDict

from benchdb.facts.stored import Parameters

Section = Mapping[str, object]  # facts in a document of benchdb.run/1
SectionName = Literal["environment", "target", "workload", "protocol", "state_before"]


Scalars = str | float | bool | Sequence[str] | Sequence[float]


class FactPlace(TypedDict, total=False):
    """Where the article says the facts `of` these names, which may have `*`; or why they were inferred."""

    section: str
    line: int
    quote: str
    of: list[str]
    inferred: str


class StatementFacts(TypedDict, total=False):
    """What the article says of a `quantity` of an object, or of each of several.

    `value` is printed, with its unit, perhaps after `>=`, `>`, `<=` or `<`; `about` is a tolerated share. A statement
    may be `part_of` an object. A percentage is of `part` in one of several `whole`, or from `before` to `after`:
    subjects such as `rate of sdc1 / {object}`.
    """

    object: str | list[str]
    quantity: str
    value: str
    section: str
    line: int
    quote: str
    about: float
    rounded: bool
    part_of: str
    part: str
    whole: list[str]
    before: str
    after: str


class OrderFacts(TypedDict, total=False):
    """The article says that one run is `better` `than` another in a metric; in these `tests`, or in all.

    `mostly` if it says so in general, and exceptions contradict nothing.
    """

    better: str
    than: str
    metric: str
    tests: list[str]
    mostly: bool
    section: str
    line: int
    quote: str


class ArticleText(TypedDict, total=False):
    """What the text of the article says, and where."""

    facts: list[FactPlace]
    statements: list[StatementFacts]
    orders: list[OrderFacts]


class FigureFacts(TypedDict, total=False):
    """Facts of figures, for all cells of a table, row or column, or for a part of each cell.

    `object` and `about` are those of a statement: what the figure is compared with, and how closely.
    """

    run: str
    test: str
    metric: str
    unit: str
    file_size: str
    record_size: str
    threads: int
    params: Parameters
    n: int
    object: str
    about: float


class ColumnFacts(FigureFacts, total=False):
    """A column; its other keys are parts of the name of a run."""

    label: str
    parts: list[FigureFacts]


class RowFacts(ColumnFacts, total=False):
    """A row with the texts of its cells."""

    cells: list[str]


class TableFacts(FigureFacts, total=False):
    """A printed table."""

    key: str
    parts: list[FigureFacts]
    columns: list[ColumnFacts]
    rows: list[RowFacts]


class SectionFacts(TypedDict, total=False):
    """Facts of one run, or of all."""

    environment: Section
    target: Section
    workload: Section
    protocol: Section
    state_before: Section


class RunFacts(SectionFacts, total=False):
    """What the article says of a run; `like` are names of `parts`, `output` the printed output of a tool."""

    like: list[str]
    machine: str
    labels: Mapping[str, str]
    extra: Mapping[str, object]
    output: str


class NoteFacts(TypedDict, total=False):
    """A contradiction, or a remark by BenchDB; `about` are subjects of findings, where `*` matches anything."""

    key: str
    where: str
    printed: str
    says: str
    about: list[str]
    remark: bool


class ArticleFacts(SectionFacts, total=False):
    """The whole data file."""

    slug: str
    ordinal: int
    title: str
    authors: str
    year: int
    date: date
    citation: str
    url: str
    plan: str
    source: str
    machine: str
    about: list[list[str]]
    left_out: list[list[str]]
    operations: list[list[str]]
    parts: Mapping[str, RunFacts]
    runs: Mapping[str, RunFacts]
    tables: list[TableFacts]
    same: list[tuple[str, str]]
    text: ArticleText
    notes: list[NoteFacts]


class FigureSummary(TypedDict, total=False):
    """The figures of a result in base units; `step` is the unit of the last printed digit."""

    n: int
    mean: float
    sd: float
    step: float


class FigureResult(TypedDict, total=False):
    """A result of a document, with its known sizes in bytes; the summary is missing if there is no figure."""

    test: str
    metric: str
    unit: str
    file_size: int
    record_size: int
    threads: int
    params: Parameters
    status: str
    error: str | None
    summary: FigureSummary


class ArticleDocument(TypedDict):
    """A document of benchdb.run/1. Its id depends on the rest."""

    run_id: NotRequired[str]
    schema: str
    started_at: str
    finished_at: str
    agent: Mapping[str, str]
    labels: Mapping[str, str]
    visibility: str
    machine: Mapping[str, str]
    environment: Section
    target: Section
    workload: Section
    protocol: Section
    state_before: Section
    rounds: Sequence[object]
    results: list[FigureResult]
    artifacts: Sequence[Mapping[str, str]]
    extra: Mapping[str, object]
