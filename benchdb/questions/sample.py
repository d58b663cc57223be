"""The runs that answer a question: a quantity of the newest matching runs, the mean of each, and their facts.

The number of queries is the same for any number of runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from uuid import UUID

import numpy as np

from benchagent.formats.vocabulary import METRICS
from benchdb.components.pairs import WORKLOAD as WORKLOAD_DIGEST
from benchdb.facts.dimension import DimensionValue
from benchdb.http.requests import Reader
from benchdb.replica.reading import reading
from benchdb.runs.listing.counting import count
from benchdb.runs.listing.search import listed, matching
from benchdb.runs.models import Run, RunQuerySet, State
from benchdb.runs.quantities.columns import BoolArray, Entry, Quantities
from benchdb.runs.quantities.reading import quantities_of, smallest
from benchdb.stats import STATISTICS_VERSION
from benchdb.stats.arrays import FloatArray, IntArray

from .facts import FacetCodes, facet_codes
from .query import WORKLOAD, Question
from .similar import Similar, similar_rows

MOST_RUNS = 10_000
MAIN_METRICS = ("throughput", "rate", "elapsed")

# The mean of one result of each run, of the newest statistics.
_SQL = """
SELECT w.place, coalesce(s.mean, (r.given->>'mean')::float)
FROM unnest(%s::uuid[], %s::int[]) WITH ORDINALITY w(run_id, ordinal, place)
JOIN runs_runstate t ON t.run_id = w.run_id
JOIN runs_result r ON r.run_id = w.run_id AND r.parse = t.current_parse AND r.ordinal = w.ordinal
LEFT JOIN LATERAL (
  SELECT own.mean FROM runs_summary own
  WHERE own.run_id = r.run_id AND own.parse = r.parse AND own.ordinal = r.ordinal AND own.statistics_version <= %s
  ORDER BY own.statistics_version DESC LIMIT 1
) s ON true
WHERE coalesce(s.mean, (r.given->>'mean')::float) > 0
"""


@dataclass(frozen=True, slots=True, eq=False)
class QuestionChoices:
    """What can be chosen: tools and tests with their runs, the values of each dimension of the quantity."""

    tools: Sequence[tuple[DimensionValue, int]]
    tests: Sequence[tuple[DimensionValue, int]]
    dimensions: Mapping[str, Sequence[Entry]]
    machines: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """N runs, newest first: `logs` (N,) of their means, their facets, and a code (N,) of the work that is no facet.

    `question` has the tool, test and quantity that were chosen. `matched` is the number of runs that match, `read` that
    of the newest of them that were read, which are among `reads`. `without` is the number of those that have no figure.
    `missing` is the name of a chosen value that no run has, or "".
    """

    question: Question
    choices: QuestionChoices
    runs: Sequence[UUID]
    logs: FloatArray
    facets: FacetCodes
    work: IntArray
    matched: int
    read: int
    without: int
    similar: Similar | None
    reads: RunQuerySet
    missing: str = ""

    @property
    def machines(self) -> IntArray:
        """A code (N,) for the machine of each run."""
        return self.facets.of("machine")[0]


def sample(question: Question, reader: Reader) -> Sample:
    """The runs of a question. Raises `NoSuchMachine` if hardware should be like that of a machine without runs."""
    states = listed(reader, question.runs)
    counted = count(states, question.runs, reader)
    tools = counted.facets.get("tool", [])
    tool = _chosen(question, "tool") or _most(tools)
    of_tool = count(states, replace(question.runs, facets={**question.runs.facets, "tool": (tool,)}), reader)
    tests = of_tool.facets.get("test", [])
    test = _chosen(question, "test") or _most([each for each in tests if each[0] is not None])
    question = question.of(tool, test)
    both = count(states, question.runs, reader)
    similar = similar_rows(question, both.rows, reader)
    rows = both.rows if similar is None else similar.rows
    found = matching(states, question.runs, replace(both, rows=rows), reader).filter(state=State.READY)
    newest = found.annotate(workload=WORKLOAD_DIGEST).order_by("-run")[: MOST_RUNS + 1]
    read = list(newest.values_list("run", "facets", "workload", "result_count"))
    more = len(read) > MOST_RUNS
    matched = found.count() if more else len(read)
    choices = QuestionChoices(tools, tests, {}, counted.machines)
    reads = Run.objects.filter(pk__in=found.order_by("-run").values("run")[:MOST_RUNS])
    return _of_runs(
        question,
        [*compress(read[:MOST_RUNS], smallest(row[-1] for row in read[:MOST_RUNS]))],
        matched,
        similar,
        choices,
        reads,
    )


def _of_runs(
    question: Question,
    read: Sequence[tuple[UUID, int, str, int]],
    matched: int,
    similar: Similar | None,
    choices: QuestionChoices,
    reads: RunQuerySet,
) -> Sample:
    quantities = quantities_of([row[0] for row in read], sum(row[-1] for row in read))
    chosen, dimensions, missing = _quantity(quantities, question)
    place_of = {run: place for place, (run, *_) in enumerate(read)}
    places, ordinals = _ordinals(quantities, chosen, place_of)
    means = np.full(len(read), np.nan)
    if places:
        with reading().prepared_cursor() as cursor:
            cursor.execute(_SQL, [[read[place][0] for place in places], ordinals, STATISTICS_VERSION])
            for number, mean in cursor.fetchall():
                means[places[number - 1]] = mean
    facets, stored = facet_codes(np.array([row for _, row, *_ in read], dtype=np.int64))
    kept = np.isfinite(means) & stored
    known: dict[str, int] = {}
    work = np.array([known.setdefault(digest, len(known)) for _, _, digest, _ in read], dtype=np.int64)
    return Sample(
        question=replace(question, workload=dimensions[1]),
        choices=replace(choices, dimensions=dimensions[0]),
        runs=[read[place][0] for place in np.flatnonzero(kept).tolist()],
        logs=np.log(means[kept]),
        facets=FacetCodes(facets.codes[:, kept[stored]], facets.values),
        work=work[kept],
        matched=matched,
        read=len(read),
        without=int((~kept).sum()),
        similar=similar,
        reads=reads,
        missing=missing,
    )


def _chosen(question: Question, name: str) -> str:
    return next((str(value) for value in question.runs.facets.get(name, ()) if value), "")


def _most(values: Sequence[tuple[DimensionValue, int]]) -> str:
    return str(max(values, key=lambda each: each[1])[0] or "") if values else ""


def _quantity(
    quantities: Quantities, question: Question
) -> tuple[BoolArray, tuple[dict[str, list[Entry]], dict[str, Entry]], str]:
    """The mask of one quantity, choices and values by dimension, and the name of a chosen value that no run has."""
    mask = quantities.having("test", question.runs.facets["test"])
    mask &= quantities.having("tool", question.runs.facets["tool"])
    choices: dict[str, list[Entry]] = {}
    values: dict[str, Entry] = {}
    missing = ""
    for name in WORKLOAD:
        weights = quantities.weights(name, mask)
        choices[name] = sorted(
            weights, key=lambda entry: (entry is None, entry if isinstance(entry, int) else 0, str(entry))
        )
        if name in question.workload:
            values[name] = question.workload[name]
            missing = missing or ("" if values[name] in weights else name)
        elif weights:
            values[name] = max(weights, key=lambda entry: (weights[entry], _preference(name, entry)))
        mask = mask & quantities.having(name, [values[name]]) if name in values else mask
    return mask, (choices, values), missing


def _preference(name: str, entry: Entry) -> float:
    """Among equally frequent values: the main metric, the largest sizes, the fewest threads."""
    if name == "metric":
        return -float(MAIN_METRICS.index(str(entry)) if entry in MAIN_METRICS else 9 + list(METRICS).index(str(entry)))
    number = float(entry) if isinstance(entry, int) else 0.0
    return -number if name == "threads" else number


def _ordinals(quantities: Quantities, chosen: BoolArray, place_of: Mapping[UUID, int]) -> tuple[list[int], list[int]]:
    """The runs that have the quantity, by place, and the ordinal of its result in each."""
    places: list[int] = []
    ordinals: list[int] = []
    for parse in quantities.places:
        found = parse.ordinals[chosen[parse.quantities]]
        if found.size:
            places += [place_of[run] for run in parse.runs]
            ordinals += [int(found[0])] * len(parse.runs)
    return places, ordinals
