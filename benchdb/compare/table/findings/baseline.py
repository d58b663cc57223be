"""Findings about values of the factor against the baseline: the number of better and worse cells, the largest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log
from statistics import median
from typing import NamedTuple

from benchdb.compare.table.grid import Grid
from benchdb.stats import Verdict, matrix
from benchdb.stats.comparing.selective import select_sides
from benchdb.wording.words import metric_label

from .baseline_pair import BOTH, BaselinePair, both_sides
from .baseline_row import BaselineRow, largest_first
from .baseline_words import of_nothing, of_rows
from .claims import Change, RowClaim
from .evidence import FindingEvidence
from .finding import Clause, FindingWriter, TableFinding, change_in_words, listed, say

SIMILAR = 2.0  # the largest factor between the median changes of rows that share a sentence


def against_baseline(table: Grid, evidence: FindingEvidence) -> FindingWriter:
    """Findings about values of the factor, by metric, and about trades of one metric for another."""
    rows = _passed(_rows(table))
    for row in rows:
        for pair in row.pairs:
            if pair.called:
                evidence.pair(pair.cell, pair.against)

    def write() -> Iterator[TableFinding]:
        nothing = list(_nothing_differs(table, rows))
        yield from nothing or (_of_rows(table, evidence, alike) for alike in _alike(rows))
        yield from trades(table, evidence, [(row.value, pair) for row in rows for pair in row.pairs])

    return write


def _rows(table: Grid) -> list[BaselineRow]:
    rows: dict[tuple[str, str], BaselineRow] = {}
    lacking: Counter[tuple[str, str]] = Counter()
    for rivals in table.contests:
        base = rivals.get(table.content.baseline)
        if base is None:
            continue
        metric = table.measures[base].metric
        for value in table.values:
            cell = rivals.get(value)
            if cell is None:
                lacking[value, metric] += 1
            elif cell != base:
                row = rows.setdefault((value, metric), BaselineRow(value, metric))
                row.pairs.append(BaselinePair.of(table, cell, base))
    for key, row in rows.items():
        row.missing = lacking[key]
    return [*rows.values()]


def _passed(rows: list[BaselineRow]) -> list[BaselineRow]:
    """The rows with the pairs that pass by selective inference over rows."""
    if any(pair.kind in BOTH for row in rows for pair in row.pairs):
        p = matrix([[pair.p for pair in row.pairs] for row in rows])
        sides = select_sides(p, matrix([[float(pair.is_gain) for pair in row.pairs] for row in rows]) > 0)
        passed = (sides.up | sides.down).tolist()
        for row, p_of_row, flags in zip(rows, sides.p.tolist(), passed, strict=True):
            row.p = p_of_row
            row.pairs = [pair._replace(passed=flag) for pair, flag in zip(row.pairs, flags, strict=False)]
    return rows


def _nothing_differs(table: Grid, rows: Sequence[BaselineRow]) -> Iterator[TableFinding]:
    """The finding that all cells are equivalent, or that none is known to differ, and by how much they may."""
    pairs = [pair for row in rows for pair in row.pairs]
    kinds, values = Counter(pair.kind for pair in pairs), list(dict.fromkeys(row.value for row in rows))
    if len(pairs) == kinds[Verdict.EQUIVALENT] > 1:
        margin = f"{100 * table.content.margin:g} %"
        text = f"Nothing differs by more than {margin}, in any of {len(pairs)} comparisons."
        yield TableFinding("baseline", values, text, both_sides(pairs))
    elif kinds[Verdict.INCONCLUSIVE] and not any(kinds[kind] for kind in BOTH):
        tested = largest_first(pair for pair in pairs if pair.kind is not Verdict.NONE)
        text = of_nothing(table.content.baseline, rows, tested)
        yield TableFinding("baseline", values, text, both_sides(tested), counted=both_sides(pairs))


def _alike(rows: Sequence[BaselineRow]) -> list[list[BaselineRow]]:
    """The rows that have a sentence; those that differ in the same way share it.

    They are of one metric, or of the same values in several metrics.
    """
    told = [[row] for row in rows if row.is_flat or any(row.of[kind] for kind in BOTH)]
    return _gathered(_gathered(told, lambda row: row.metric), lambda row: row.value)


def _gathered(groups: Sequence[list[BaselineRow]], common: Callable[[BaselineRow], str]) -> list[list[BaselineRow]]:
    """The groups; those with the same `common` labels and similar rows are one."""
    gathered: list[list[BaselineRow]] = []
    for group in groups:
        labels = {*map(common, group)}
        found = (other for other in gathered if {*map(common, other)} == labels and _are_similar(other[0], group[0]))
        if other := next(found, None):
            other += group
        else:
            gathered.append([*group])
    return gathered


def _are_similar(first: BaselineRow, second: BaselineRow) -> bool:
    """Whether both rows have the same sides, with similar median changes."""
    for kind in BOTH:
        sizes = sorted(median([abs(log(pair.ratio)) for pair in row.of[kind]] or [0.0]) for row in (first, second))
        if sizes[1] > SIMILAR * sizes[0]:
            return False
    return True


def _of_rows(table: Grid, evidence: FindingEvidence, rows: Sequence[BaselineRow]) -> TableFinding:
    """The finding about rows that are alike."""
    pairs = [pair for row in rows for pair in row.pairs]
    values = list(dict.fromkeys(row.value for row in rows))
    if rows[0].is_flat:
        return TableFinding("same", values, of_rows(table, rows, {}), both_sides(pairs))
    sides = {kind: largest_first(pair for row in rows for pair in row.of[kind]) for kind in BOTH}
    changes = {kind: _largest(evidence, rows, of_side) for kind, of_side in sides.items()}
    extremes = [pair for of_side in sides.values() for pair in of_side[:1]]
    return TableFinding(
        "baseline",
        values,
        of_rows(table, rows, changes),
        both_sides([*extremes, *(pair for of_side in sides.values() for pair in of_side), *pairs]),
        max(row.p for row in rows),
        max(abs(log(pair.ratio)) for pair in extremes),
        claims=[_claim(row, [*filter(None, changes.values())]) for row in rows],
    )


def _claim(row: BaselineRow, changes: Sequence[Change]) -> RowClaim:
    better, worse = ([pair.cell for pair in row.of[kind]] for kind in BOTH)
    own = [change for change in changes if change.cell in (*better, *worse)]
    return RowClaim(row.value, row.metric, better, worse, own, row.others)


def _largest(evidence: FindingEvidence, rows: Sequence[BaselineRow], pairs: Sequence[BaselinePair]) -> Change | None:
    """The largest of these differences with an interval that is simultaneous over the rows and does not contain 1."""
    if not pairs:
        return None
    confidence = 1 - 0.05 / sum(row.tested for row in rows)  # Bonferroni: the largest was picked from all tested cells
    indices = [evidence.pair(pair.cell, pair.against) for pair in pairs]
    return next(filter(None, evidence.changes(indices, [confidence] * len(pairs))), None)


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
