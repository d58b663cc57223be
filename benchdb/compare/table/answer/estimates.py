"""The estimate of each value of the factor against the baseline: numbers from the grid of a table alone.

So live pages, permalinks and pictures agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.dimensions import with_noun
from benchdb.compare.table.content import MeanRatio, MeanRatios
from benchdb.compare.table.geometric import kind_of_cells
from benchdb.compare.table.grid import Grid, lower
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import first_words
from benchdb.runs.cells.verdict import CellVerdict

MOST_METRICS = 3
MEASURED = ("device", "unknown", "cached")  # an estimate rests on memory only if there is no other
NOT_COUNTED = ("failed", "clock", "deleted")  # reasons of verdicts whose ratio counts in no estimate
ESTABLISHED = ("better", "worse")


@dataclass(frozen=True, slots=True)
class RatioEstimate:
    """A value of the factor against the baseline.

    `kind` is that of a verdict; none if nothing was tested. `ratio` is value ÷ baseline of the figure itself, with the
    ends of its 95 % interval; None if unknown. `members` are the indices of its cells, and `counts` the numbers of
    these with each kind of verdict. The further rounds are those of a `CellVerdict`.
    """

    label: str
    kind: str
    ratio: float | None
    low: float | None
    high: float | None
    counts: Counter[str]
    members: Sequence[int] = ()
    rounds_for_precision: int | None = None
    rounds_to_decide: int | None = None

    @property
    def established(self) -> bool:
        """Whether a difference is."""
        return self.kind in ESTABLISHED

    @property
    def distance(self) -> float:
        """How far the ratio is from 1, on a logarithmic scale; −1 without a ratio."""
        return abs(log(self.ratio)) if self.ratio else -1.0


@dataclass(frozen=True, slots=True)
class MetricEstimates:
    """The estimates of one metric, in the order of the table.

    They rest on `cells` cells each, which measured what `measured` says; 0 if the values have different cells and thus
    no mean. `together`: the intervals hold for all of them together. `in_memory` are the tests, sizes and the like that
    do not count, because they measured memory, with the number of further such cells; `unpaired` is the number of cells
    that count for some values only. `failures` are the numbers of failed cells and of all cells of the values that have
    such, with the words of the most frequent failure, "" if unknown. `why` is the reason if no value has a ratio.
    """

    metric: str
    measured: str
    cells: int
    together: bool
    estimates: Sequence[RatioEstimate]
    in_memory: tuple[Sequence[str], int]
    unpaired: int
    failures: Mapping[str, tuple[int, int, str]]
    why: str


def estimates_of(table: Grid) -> list[MetricEstimates]:
    """The estimates by metric, `MOST_METRICS` at most; none if nothing was compared with a baseline."""
    compared = [
        index
        for index, (cell, base) in enumerate(zip(table.cells, table.base.tolist(), strict=True))
        if cell.verdict is not None and base >= 0
    ]
    metrics = list(dict.fromkeys(table.measures[index].metric for index in compared))[:MOST_METRICS]
    return [
        _of_metric(table, metric, [index for index in compared if table.measures[index].metric == metric])
        for metric in metrics
    ]


def _of_metric(table: Grid, metric: str, compared: Sequence[int]) -> MetricEstimates:
    kinds = {index: kind_of_cells((table.cells[index], table.cells[int(table.base[index])])) for index in compared}
    counting = [index for index in compared if _counts(table.verdict(index)) and kinds[index]]
    means = {row.row: row for row in table.content.geometric_means if row.metric == metric}
    measured = next((kind for kind in MEASURED if any(getattr(row, kind) for row in means.values())), "")
    measured = measured or next((kind for kind in MEASURED if kind in {kinds[index] for index in counting}), "")
    of_value: dict[str, list[int]] = {table.value_of(index): [] for index in compared}
    for index in counting:
        if kinds[index] == measured:
            of_value[table.value_of(index)].append(index)
    single = all(len(members) == 1 for members in of_value.values())
    found = [_estimate(table, label, members, means.get(label), measured) for label, members in of_value.items()]
    numbers = [mean.cells for row in means.values() if (mean := getattr(row, measured)) is not None]
    reasons = Counter(table.verdict(index).why for index in compared)
    return MetricEstimates(
        metric=metric,
        measured=measured,
        cells=max(numbers, default=int(single)),
        together=any((mean := getattr(row, measured)) is not None and mean.verdict for row in means.values()),
        estimates=found,
        in_memory=_in_memory(table, kinds) if measured != "cached" else ([], 0),
        failures=_failures(table, metric),
        unpaired=max(0, max(map(len, of_value.values())) - max(numbers)) if numbers else 0,
        why="" if counting else reasons.most_common(1)[0][0],
    )


def _counts(verdict: CellVerdict) -> bool:
    return verdict.ratio is not None and verdict.reason not in NOT_COUNTED


def _estimate(
    table: Grid, label: str, members: Sequence[int], means: MeanRatios | None, measured: str
) -> RatioEstimate:
    """The geometric mean; without one the verdict of the only cell; else only the counts of verdicts."""
    verdicts = {index: table.verdict(index) for index in members}
    counts = Counter(verdict.kind for verdict in verdicts.values())
    mean: MeanRatio | None = getattr(means, measured, None)
    if mean is not None and mean.ratio is not None:
        kind = _kind(means.metric if means else "", mean)
        further = mean.rounds_for_precision, mean.rounds_to_decide
        return RatioEstimate(label, kind, mean.ratio, mean.low, mean.high, counts, members, *further)
    if len(members) == 1:
        (verdict,) = verdicts.values()
        figures = verdict.ratio, verdict.low, verdict.high
        further = verdict.rounds_for_precision, verdict.rounds_to_decide
        return RatioEstimate(label, verdict.kind, *figures, counts, members, *further)
    kinds = [kind for kind in ESTABLISHED if counts[kind]]
    tested = counts.total() > counts["none"]
    kind = kinds[0] if len(kinds) == 1 else "inconclusive" if tested and not kinds else "none"
    return RatioEstimate(label, kind, None, None, None, counts, members)


def _kind(metric: str, mean: MeanRatio) -> str:
    """The kind of a mean; contents of the first release have only its interval."""
    if mean.low is None or mean.high is None or mean.ratio is None:
        return "none"
    if mean.verdict:
        return mean.verdict
    if mean.low <= 1 <= mean.high:
        return "inconclusive"
    return "better" if (mean.ratio > 1) == METRICS[metric].higher_is_better else "worse"


def _in_memory(table: Grid, kinds: Mapping[int, str]) -> tuple[list[str], int]:
    """What measured memory, at least in part: tests, else sizes and the like, and the number of further cells."""
    left = {index for index, kind in kinds.items() if kind == "cached"}
    words = []
    for name in sorted(table.codes, key=lambda name: name != "test"):
        of_label: dict[str, set[int]] = {}
        for index in kinds if name not in table.content.factor.names else ():
            of_label.setdefault(table.label(index, name), set()).add(index)
        for label, cells in of_label.items() if len(of_label) > 1 else ():
            if left & cells and all(kinds[cell] == "cached" for cell in cells):
                words.append(lower(label) if name == "test" else with_noun(name, label))
                left -= cells
    return words, len(left)


def _failures(table: Grid, metric: str) -> dict[str, tuple[int, int, str]]:
    cells: dict[str, list[Cell]] = {}
    for index, cell in enumerate(table.cells):
        if table.measures[index].metric == metric:
            cells.setdefault(table.value_of(index), []).append(cell)
    words = {
        value: Counter(first_words(cell.error) if cell.error else "" for cell in of if cell.status == "failed")
        for value, of in cells.items()
    }
    return {value: (of.total(), len(cells[value]), of.most_common(1)[0][0]) for value, of in words.items() if of}
