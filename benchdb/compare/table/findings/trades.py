"""Where one metric of a test gains what another one loses: throughput up, and CPU too."""

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
    """One place of the factor's value: what is better there, and what is worse."""

    gains: Sequence[BaselinePair]
    losses: Sequence[BaselinePair]


def trades(table: TableCells, asked: Mapping[tuple[str, str], Sequence[BaselinePair]]) -> Iterator[TableFinding]:
    """`xfs against ext4 in 8 of 12 cells: better in throughput, but worse in CPU; most in read (+10 %, −23 %).`"""
    by_value: dict[str, dict[Others, list[BaselinePair]]] = defaultdict(lambda: defaultdict(list))
    for (value, _), own in asked.items():
        for each in own:
            if "metric" in each.place.parts:
                by_value[value][each.place.without([*table.factor, "metric"])].append(each)
    for value, places in by_value.items():
        alike: dict[tuple[str, str], list[Trade]] = defaultdict(list)
        for own in places.values():
            trade = Trade(*([each for each in own if each.kind is kind] for kind in BOTH))
            if trade.gains and trade.losses:
                alike[_metrics(trade.gains), _metrics(trade.losses)].append(trade)
        for (gains, losses), found in alike.items():
            yield _finding(table, value, gains, losses, found, list(places.values()))


def _finding(
    table: TableCells,
    value: str,
    gains: str,
    losses: str,
    found: list[Trade],
    looked_at: Sequence[Sequence[BaselinePair]],
) -> TableFinding:
    total = len(looked_at)
    found.sort(key=lambda trade: -_size(trade))
    every = [each for trade in found for each in (*trade.gains, *trade.losses)]
    most = [*found[0].gains, *found[0].losses]
    where = table.words(most[0].place, "metric")
    changes = ", ".join(say_change(each.ratio) for each in most)
    if total == 1:
        text = f"{value} is better than {table.baseline} in {gains}, but worse in {losses} ({changes})."
    else:
        count = "all" if len(found) == total else f"{len(found)} of"
        tail = (
            f"in {count} {total} places, most in {where} ({changes})" if len(found) > 1 else f"in {where} ({changes})"
        )
        text = f"{value} is better than {table.baseline} in {gains}, but worse in {losses}, {tail}."
    p = max(each.p_adjusted for each in every)
    counted = both_sides([each for own in looked_at for each in own])
    return TableFinding(TIER, text, both_sides(every), p, _size(found[0]), counted)


def _metrics(asked: Sequence[BaselinePair]) -> str:
    return listed(metric_label(each.place.measure.metric) for each in asked)


def _size(trade: Trade) -> float:
    return max(abs(log(each.ratio)) for each in (*trade.gains, *trade.losses))
