"""Findings about each value of the factor against the baseline: the number of better and worse cells, the largest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log

from benchdb.stats import Verdict
from benchdb.wording.numbers import say_changes
from benchdb.wording.words import metric_label, upper

from .baseline_pair import BOTH, BaselinePair, both_sides
from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding
from .table_cells import TableCells
from .trades import trades

TIER, TIER_ALIKE = 20, 60


def against_baseline(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """Findings about each value of the factor, by metric, and about trades of one metric for another."""
    by_value: dict[tuple[str, str], list[BaselinePair]] = defaultdict(list)
    for rivals in table.rivals.values():
        base = rivals.get(table.baseline)
        for value, entry in rivals.items():
            if base is not None and entry is not base:
                by_value[value, entry.measure.metric].append(BaselinePair.of(entry, base))

    def write() -> Iterator[TableFinding]:
        nothing = list(_nothing_differs(table, by_value))
        yield from nothing or (
            finding for (value, metric), pairs in by_value.items() for finding in _of_value(table, value, metric, pairs)
        )
        yield from trades(table, by_value)

    return write


def _nothing_differs(table: TableCells, by_value: dict[tuple[str, str], list[BaselinePair]]) -> Iterator[TableFinding]:
    all_pairs = [pair for pairs in by_value.values() for pair in pairs]
    if len(all_pairs) > 1 and all(pair.kind is Verdict.EQUIVALENT for pair in all_pairs):
        text = (
            f"Nothing differs by more than {100 * table.margin:g} %: all {len(all_pairs)} comparisons are equivalent."
        )
        yield TableFinding(TIER, text, both_sides(all_pairs))


def _of_value(table: TableCells, value: str, metric: str, pairs: Sequence[BaselinePair]) -> Iterator[TableFinding]:
    better, worse = ([pair for pair in pairs if pair.kind is kind] for kind in BOTH)
    for side in (better, worse):
        side.sort(key=lambda pair: -abs(log(pair.ratio)))
    equivalent = sum(pair.kind is Verdict.EQUIVALENT for pair in pairs)
    prefix = f"{upper(metric_label(metric))}: " if len(table.labels.get("metric", [])) > 1 else ""
    if not better and not worse:
        if equivalent == len(pairs) > 1:
            text = f"{prefix}{value} and {table.baseline} do not differ by more than {100 * table.margin:g} %"
            yield TableFinding(TIER_ALIKE, f"{text} in any of {len(pairs)} cells.", both_sides(pairs))
        return
    sides = [_side(table, "better", better, len(pairs)), _side(table, "worse", worse, len(pairs))]
    than = ", and ".join(filter(None, sides))
    word = "better" if better else "worse"
    than = than.replace(word, f"{word} than {table.baseline}", 1)
    rest = f"; {equivalent} {'is' if equivalent == 1 else 'are'} equivalent" if equivalent else ""
    extremes = [*better[:1], *worse[:1]]
    yield TableFinding(
        TIER,
        f"{prefix}{value} is {than}{rest}.",
        both_sides([*extremes, *better, *worse, *pairs]),
        max(pair.p_adjusted for pair in extremes),
        max(abs(log(pair.ratio)) for pair in extremes),
    )


def _side(table: TableCells, word: str, pairs: Sequence[BaselinePair], total: int) -> str:
    """`better in 9 of 13 cells, most in random read (+35 %, 95 % interval …)`."""
    if not pairs:
        return ""
    change, low, high = say_changes(pairs[0].ratio, *pairs[0].interval)
    most = f"{change}, 95 % interval {low} to {high}"
    cell_words = table.words(pairs[0].entry, "metric")  # the sentence begins with it
    if total == 1:
        return f"{word} ({most})"
    if len(pairs) == 1:
        return f"{word} in {cell_words} ({most})"
    all_cells = "both" if total == 2 else f"all {total}"
    count = all_cells if len(pairs) == total else f"{len(pairs)} of {total}"
    return f"{word} in {count} cells, most in {cell_words} ({most})"
