"""Findings about tests in which one metric is better and another one worse: more throughput, but also more CPU."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from benchdb.wording.numbers import say_change
from benchdb.wording.words import metric_label

from .baseline_pair import BOTH, BaselinePair, both_sides
from .finding import TableFinding, listed
from .table_cells import Others, TableCells

TIER = 30


class Trade(NamedTuple):
    """The metrics of a factor's value that are better in one test, and those that are worse."""

    gains: Sequence[BaselinePair]
    losses: Sequence[BaselinePair]


def trades(table: TableCells, by_metric: Mapping[tuple[str, str], Sequence[BaselinePair]]) -> Iterator[TableFinding]:
    """`xfs against ext4 in 8 of 12 cells: better in throughput, but worse in CPU; most in read (+10 %, −23 %).`"""
    by_value: dict[str, dict[Others, list[BaselinePair]]] = defaultdict(lambda: defaultdict(list))
    for (value, _), pairs in by_metric.items():
        for pair in pairs:
            if "metric" in pair.entry.parts:
                by_value[value][pair.entry.without([*table.factor, "metric"])].append(pair)
    for value, pairs_by_place in by_value.items():
        by_metrics: dict[tuple[str, str], list[Trade]] = defaultdict(list)
        for pairs in pairs_by_place.values():
            trade = Trade(*([pair for pair in pairs if pair.kind is kind] for kind in BOTH))
            if trade.gains and trade.losses:
                by_metrics[_metrics(trade.gains), _metrics(trade.losses)].append(trade)
        for (gains, losses), shared in by_metrics.items():
            yield _finding(table, value, gains, losses, shared, list(pairs_by_place.values()))


def _finding(
    table: TableCells,
    value: str,
    gains: str,
    losses: str,
    shared: list[Trade],
    all_places: Sequence[Sequence[BaselinePair]],
) -> TableFinding:
    total = len(all_places)
    shared.sort(key=lambda trade: -_size(trade))
    traded = [pair for trade in shared for pair in (*trade.gains, *trade.losses)]
    most = [*shared[0].gains, *shared[0].losses]
    largest_place = table.words(most[0].entry, "metric")
    changes = ", ".join(say_change(pair.ratio) for pair in most)
    if total == 1:
        text = f"{value} is better than {table.baseline} in {gains}, but worse in {losses} ({changes})."
    else:
        count = "all" if len(shared) == total else f"{len(shared)} of"
        tail = (
            f"in {count} {total} places, most in {largest_place} ({changes})"
            if len(shared) > 1
            else f"in {largest_place} ({changes})"
        )
        text = f"{value} is better than {table.baseline} in {gains}, but worse in {losses}, {tail}."
    p = max(pair.p_adjusted for pair in traded)
    counted = both_sides([pair for pairs in all_places for pair in pairs])
    return TableFinding(TIER, text, both_sides(traded), p, _size(shared[0]), counted)


def _metrics(pairs: Sequence[BaselinePair]) -> str:
    return listed(metric_label(pair.entry.measure.metric) for pair in pairs)


def _size(trade: Trade) -> float:
    return max(abs(log(pair.ratio)) for pair in (*trade.gains, *trade.losses))
