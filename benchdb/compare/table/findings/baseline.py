"""Findings about each value of the factor against the baseline: the number of better and worse cells, the largest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isnan, log
from statistics import median

from benchdb.stats import Verdict, matrix
from benchdb.stats.comparing.selective import select_sides
from benchdb.wording.numbers import say_change
from benchdb.wording.words import metric_label, upper

from .baseline_pair import BOTH, BaselinePair, both_sides
from .claims import Change, RowClaim
from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding, listed, say_sized
from .table_cells import TableCells
from .trades import trades

TIER, TIER_ALIKE = 20, 60
ORDER = ("equivalent", "undecided", "marked but may be chance")  # first in the list of the other cells


@dataclass
class BaselineRow:
    """A value of the factor in one metric: its pairs, the corrected p of the row, and cells that it lacks."""

    value: str
    metric: str
    pairs: list[BaselinePair] = field(default_factory=list)
    p: float = float("nan")
    missing: int = 0

    @property
    def tested(self) -> int:
        """The number of pairs that were tested."""
        return sum(not isnan(pair.p) for pair in self.pairs)

    def of(self, kind: Verdict) -> list[BaselinePair]:
        """The pairs that a sentence may call so, the largest difference first."""
        called = [pair for pair in self.pairs if pair.called is kind]
        return sorted(called, key=lambda pair: -abs(log(pair.ratio)))


def against_baseline(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """Findings about each value of the factor, by metric, and about trades of one metric for another."""
    rows = _passed(_rows(table))
    for row in rows:
        for pair in row.pairs:
            if pair.called:
                evidence.pair(pair.entry, pair.against)

    def write() -> Iterator[TableFinding]:
        nothing = list(_nothing_differs(table, rows))
        yield from nothing or (finding for row in rows for finding in _of_row(table, evidence, row))
        yield from trades(table, evidence, [(row.value, pair) for row in rows for pair in row.pairs])

    return write


def _rows(table: TableCells) -> list[BaselineRow]:
    rows: dict[tuple[str, str], BaselineRow] = {}
    lacking: Counter[tuple[str, str]] = Counter()
    for rivals in table.rivals.values():
        base = rivals.get(table.baseline)
        if base is None:
            continue
        metric = base.measure.metric
        for value in table.values:
            entry = rivals.get(value)
            if entry is None:
                lacking[value, metric] += 1
            elif entry is not base:
                row = rows.setdefault((value, metric), BaselineRow(value, metric))
                row.pairs.append(BaselinePair.of(entry, base))
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


def _nothing_differs(table: TableCells, rows: Sequence[BaselineRow]) -> Iterator[TableFinding]:
    all_pairs = [pair for row in rows for pair in row.pairs]
    if len(all_pairs) > 1 and all(pair.kind is Verdict.EQUIVALENT for pair in all_pairs):
        text = (
            f"Nothing differs by more than {100 * table.margin:g} %: all {len(all_pairs)} comparisons are equivalent."
        )
        yield TableFinding(TIER, text, both_sides(all_pairs))


def _of_row(table: TableCells, evidence: FindingEvidence, row: BaselineRow) -> Iterator[TableFinding]:
    better, worse = (row.of(kind) for kind in BOTH)
    prefix = f"{upper(metric_label(row.metric))}: " if len(table.labels.get("metric", [])) > 1 else ""
    others = Counter(filter(None, (pair.other for pair in row.pairs)))
    others["missing"] = row.missing
    if not better and not worse:
        if others["equivalent"] == len(row.pairs) > 1:
            text = f"{prefix}{row.value} and {table.baseline} do not differ by more than {100 * table.margin:g} %"
            yield TableFinding(TIER_ALIKE, f"{text} in any of {len(row.pairs)} cells.", both_sides(row.pairs))
        return
    changes = [_largest(evidence, row, pairs) for pairs in (better, worse)]
    total = len(row.pairs) + row.missing
    sides = [
        _side(table, word, pairs, change, total)
        for word, pairs, change in zip(("better", "worse"), (better, worse), changes, strict=True)
    ]
    word = "better" if better else "worse"
    than = ", and ".join(filter(None, sides)).replace(word, f"{word} than {table.baseline}", 1)
    extremes = [*better[:1], *worse[:1]]
    yield TableFinding(
        TIER,
        f"{prefix}{row.value} is {than}{_rest(others)}.",
        both_sides([*extremes, *better, *worse, *row.pairs]),
        row.p,
        max(abs(log(pair.ratio)) for pair in extremes),
        claims=[
            RowClaim(
                row.value,
                row.metric,
                better=[pair.entry.key for pair in better],
                worse=[pair.entry.key for pair in worse],
                changes=[change for change in changes if change],
                others=+others,
            )
        ],
    )


def _largest(evidence: FindingEvidence, row: BaselineRow, pairs: Sequence[BaselinePair]) -> Change | None:
    """The largest of these differences with an interval that is simultaneous over the row and does not contain 1."""
    if not pairs:
        return None
    confidence = 1 - 0.05 / row.tested  # Bonferroni: the largest was picked from all tested cells of the row
    indices = [evidence.pair(pair.entry, pair.against) for pair in pairs]
    return next(filter(None, evidence.changes(indices, [confidence] * len(pairs))), None)


def _side(table: TableCells, word: str, pairs: Sequence[BaselinePair], most: Change | None, total: int) -> str:
    """`better in 9 of 13 cells, most in random read (+35 %, 95 % interval …)`."""
    if not pairs:
        return ""
    all_cells = "both" if total == 2 else f"all {total}"
    count = f"{word} in {all_cells if len(pairs) == total else f'{len(pairs)} of {total}'} cells"
    if most is None:
        return f"{count} ({say_change(median(pair.ratio for pair in pairs))} in the median)"
    cell_words = table.words(most.entry, "metric")  # the sentence begins with it
    if total == 1:
        return f"{word} ({say_sized(most)})"
    if len(pairs) == 1:
        return f"{word} in {cell_words} ({say_sized(most)})"
    return f"{count}, most in {cell_words} ({say_sized(most)})"


def _rest(others: Counter[str]) -> str:
    """`; 2 are equivalent, 1 is undecided and 1 failed`, for all other cells of the row."""
    in_order = [*(word for word in ORDER if others[word]), *(word for word in others if word not in ORDER)]
    texts = [
        f"{others[word]} {word}"
        if word == "failed"
        else f"{others[word]} {'is' if others[word] == 1 else 'are'} {word}"
        for word in in_order
        if others[word]
    ]
    return f"; {listed(texts)}" if texts else ""
