"""The results of a document, in both of its forms: columns, and a list of objects for small clients."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from benchagent.formats.packing.histogram import LONGEST
from benchagent.formats.smart import MOST_FACTS

from .field_types import (
    MAX_QUANTITY,
    Bytes,
    Count,
    Identifier,
    LongText,
    Many,
    Name,
    PositiveBytes,
    Quantity,
    Scalar,
    Section,
    ShortName,
    Text,
)

MOST_ROUNDS = MOST_RESULTS = 100_000
MOST_THREADS = 1_000_000
MAX_INT = 2**31 - 1  # PostgreSQL's integer
Unit = Literal["B", "B/s", "s", "op/s", "ratio"]
LineNumber = Annotated[int, Field(ge=1, le=MAX_INT)]  # of an artifact, counted from 1
Threads = Annotated[int, Field(ge=1, le=MOST_THREADS)]
Params = dict[Name, Scalar]
Status = Literal["ok", "failed", "unmeasurable"]
# Base64 of HdrHistogram's encoding V2, in ns: the latencies whose mean is the value of the round.
Histogram = Annotated[str, StringConstraints(max_length=LONGEST)]
Histograms = Annotated[list[Histogram | None], Field(max_length=MOST_ROUNDS)]  # one a round; null: the round has none


class SmartFact(Section):
    """A fact of a disk that SMART had before and after a round, in `unit`; `after` is null if it could not be read."""

    disk: ShortName
    name: Identifier
    unit: Literal["°C", "ratio", "count", "B"]
    source: Name  # its place in the output of smartctl
    before: Annotated[float, Field(ge=-MAX_QUANTITY, le=MAX_QUANTITY)]
    after: Annotated[float, Field(ge=-MAX_QUANTITY, le=MAX_QUANTITY)] | None = None


class Evidence(Section):
    """What the machine says beside the tool's own numbers; of one round, or of one result that ran alone."""

    device_read_bytes: Bytes | None = None
    device_write_bytes: Bytes | None = None
    logical_bytes: Bytes | None = None
    user_seconds: Quantity | None = None
    system_seconds: Quantity | None = None
    voluntary_context_switches: Count | None = None
    involuntary_context_switches: Count | None = None
    cache_emptied: bool | None = None  # of a result: whether it was measured right after the caches were emptied
    disturbances: dict[Identifier, Count] = Field(default_factory=dict, max_length=64)  # what spoils, and how often
    kernel_messages: list[LongText] = Field(default_factory=list, max_length=1000)
    noise: dict[Name, Scalar] = Field(default_factory=dict, max_length=128)
    smart: list[SmartFact] = Field(default_factory=list, max_length=MOST_FACTS)  # of a round


class Source(Section):
    """The places of the values of one result: `values[i]` is in line `lines[i]` of the artifact `artifacts[i]`.

    Both are null if a round has no such line.
    """

    artifacts: list[Name | None] = Field(max_length=MOST_ROUNDS)
    lines: list[LineNumber | None] = Field(max_length=MOST_ROUNDS)


class GivenSummary(Section):
    """A summary that somebody else computed, of values nobody has: a publication's figures."""

    n: Annotated[int, Field(ge=1, le=MAX_INT)] | None = None
    mean: Quantity
    sd: Quantity | None = None
    step: Annotated[float, Field(gt=0, le=MAX_QUANTITY)] | None = None  # one of the last digit that is printed


class Result(Section):
    """One measured quantity, in the form for small clients; `columns.py` turns a list of these into columns."""

    test: Identifier
    metric: Identifier
    unit: Unit
    file_size: PositiveBytes | None = None
    record_size: PositiveBytes | None = None
    threads: Threads | None = None
    params: Params = Field(default_factory=dict, max_length=64)
    values: list[Quantity | None] | None = Field(default=None, max_length=MOST_ROUNDS)
    summary: GivenSummary | None = None
    status: Status = "ok"
    error: Text | None = None
    evidence: Evidence | None = None
    histograms: Histograms | None = None  # of the metric latency_mean
    source: Source | None = None


class TextColumns(Section):
    """The columns of R results that hold texts or objects; the numbers are checked as arrays (`numbers.py`)."""

    test: Many[Identifier] = Field(min_length=1, max_length=MOST_RESULTS)
    metric: Many[Identifier] = Field(max_length=MOST_RESULTS)
    unit: Many[Unit] = Field(max_length=MOST_RESULTS)
    params: Many[Annotated[Params, Field(max_length=64)]] = Field(default_factory=list, max_length=MOST_RESULTS)
    summary: Many[GivenSummary | None] = Field(default_factory=list, max_length=MOST_RESULTS)
    status: Many[Status] = Field(default_factory=list, max_length=MOST_RESULTS)
    error: Many[Text | None] = Field(default_factory=list, max_length=MOST_RESULTS)
    evidence: Many[Evidence | None] = Field(default_factory=list, max_length=MOST_RESULTS)
    histograms: Many[Histograms | None] = Field(default_factory=list, max_length=MOST_RESULTS)


class ResultsAsColumns(TextColumns):
    """R results as columns of R entries; an absent column has the default of `Result` in every entry.

    The values of result i are `values[offsets[i]:offsets[i + 1]]`, one for each round. `lines` is parallel to `values`.
    `source[i]` is the index in `artifacts` of the list that names the artifact of each round; null without raw output.
    """

    file_size: list[PositiveBytes | None] = Field(default_factory=list, max_length=MOST_RESULTS)
    record_size: list[PositiveBytes | None] = Field(default_factory=list, max_length=MOST_RESULTS)
    threads: list[Threads | None] = Field(default_factory=list, max_length=MOST_RESULTS)
    offsets: list[Count] = Field(min_length=2, max_length=MOST_RESULTS + 1)
    values: list[Quantity | None]
    lines: list[LineNumber | None] = Field(default_factory=list)
    source: list[Count | None] = Field(default_factory=list, max_length=MOST_RESULTS)
    artifacts: list[list[Name | None]] = Field(default_factory=list, max_length=MOST_RESULTS)
