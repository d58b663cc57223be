"""Findings about tests in which one metric is better and another one worse: more throughput, but also more CPU."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import NamedTuple

from benchdb.compare.table.grid import Grid
from benchdb.wording.words import metric_label

from .baseline_pair import BOTH, BaselinePair, both_sides
from .claims import Change
from .evidence import FindingEvidence
from .finding import Clause, TableFinding, change_in_words, listed, say


class Trade(NamedTuple):
    """The metrics of a factor's value that are better in one test, and those that are worse."""

    gains: Sequence[BaselinePair]
    losses: Sequence[BaselinePair]


def trades(table: Grid, evidence: FindingEvidence, pairs: Iterable[tuple[str, BaselinePair]]) -> Iterator[TableFinding]:
    """`xfs is better than ext4 in throughput, but worse in CPU, in 8 of 12 places, most in read (…).`"""
    if "metric" not in table.labels:
        return
    by_value: dict[str, dict[int, list[BaselinePair]]] = defaultdict(lambda: defaultdict(list))
    place = table.alike([*table.content.factor.names, "metric"]).tolist()
    for value, pair in pairs:
        by_value[value][place[pair.cell]].append(pair)
    by_metrics: dict[tuple[str, str], dict[str, list[Trade]]] = defaultdict(lambda: defaultdict(list))
    for value, pairs_by_place in by_value.items():
        for pairs_of_place in pairs_by_place.values():
            trade = Trade(*([pair for pair in pairs_of_place if pair.called is kind] for kind in BOTH))
            if trade.gains and trade.losses:
                by_metrics[_metrics(table, trade.gains), _metrics(table, trade.losses)][value].append(trade)
    for (gains, losses), by in by_metrics.items():
        is_ = "is" if len(by) == 1 else "are"
        text = f"{listed(by)} {is_} better than {table.content.baseline} in {gains}, but worse in {losses}"
        shared = [trade for of_value in by.values() for trade in of_value]
        yield _finding(table, evidence, text, shared, [place for value in by for place in by_value[value].values()])


def _finding(
    table: Grid,
    evidence: FindingEvidence,
    text: str,
    shared: list[Trade],
    all_places: Sequence[Sequence[BaselinePair]],
) -> TableFinding:
    total = len(all_places)
    shared.sort(key=lambda trade: -_size(trade))
    traded = [pair for trade in shared for pair in (*trade.gains, *trade.losses)]
    # The largest was picked from all of them, so the intervals are simultaneous.
    confidence = 1 - 0.05 / sum(map(len, all_places))
    sizes = ((trade, _changes(evidence, trade, confidence)) for trade in shared)
    largest, changes = next(((trade, known) for trade, known in sizes if known), (shared[0], []))
    first = largest.gains[0].cell
    value = f" on {table.value_of(first)}" if len({table.value_of(trade.gains[0].cell) for trade in shared}) > 1 else ""
    place = f"{table.words(first, 'metric')}{value}"
    clauses = [Clause("; " if index else ": ", change_in_words(change)) for index, change in enumerate(changes)]
    if total > 1:
        count = "all" if len(shared) == total else f"{len(shared)} of"
        where = f"in {place}" if len(shared) == 1 else f"in {count} {total} places"
        clauses.insert(0, Clause(", ", where, f"This is so {where}"))
        if len(shared) > 1 and changes:
            clauses.insert(1, Clause(", ", f"most in {place}", f"The largest differences are in {place}"))
    counted = both_sides([pair for pairs in all_places for pair in pairs])
    p = max(pair.p_adjusted for pair in traded)
    values = list(dict.fromkeys(table.value_of(trade.gains[0].cell) for trade in shared))
    return TableFinding("trade", values, say(text, *clauses), both_sides(traded), p, _size(shared[0]), counted)


def _changes(evidence: FindingEvidence, trade: Trade, confidence: float) -> list[Change]:
    """The changes of all metrics; none if the size of one of them is not known."""
    pairs = [*trade.gains, *trade.losses]
    indices = [evidence.pair(pair.cell, pair.against) for pair in pairs]
    known = [*filter(None, evidence.changes(indices, [confidence] * len(pairs)))]
    return known if len(known) == len(pairs) else []


def _metrics(table: Grid, pairs: Sequence[BaselinePair]) -> str:
    return listed(metric_label(table.measures[pair.cell].metric) for pair in pairs)


def _size(trade: Trade) -> float:
    return max(abs(log(pair.ratio)) for pair in (*trade.gains, *trade.losses))
