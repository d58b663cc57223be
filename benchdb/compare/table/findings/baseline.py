"""Findings about values of the factor against the baseline: the number of better and worse cells, the largest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import log
from statistics import median

from benchdb.compare.table.grid import Grid
from benchdb.stats import Verdict, matrix
from benchdb.stats.comparing.selective import select_sides

from .baseline_pair import BOTH, BaselinePair, both_sides
from .baseline_row import BaselineRow, largest_first
from .baseline_words import of_nothing, of_rows
from .claims import Change, RowClaim
from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding
from .trades import trades

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
        gains = matrix([[float(pair.is_gain) for pair in row.pairs] for row in rows]) > 0
        sides = select_sides(p, gains)
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
