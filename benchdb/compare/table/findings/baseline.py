"""Each value of the factor against the baseline: in how many cells it is better or worse, and where most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log

from benchdb.stats import Verdict
from benchdb.wording.numbers import say_change
from benchdb.wording.words import metric_label, upper

from .baseline_pair import BOTH, BaselinePair, both_sides
from .evidence import FindingEvidence
from .finding import FindingWriter, TableFinding, say_interval
from .table_cells import TableCells
from .trades import trades

TIER, TIER_ALIKE = 20, 60


def against_baseline(table: TableCells, evidence: FindingEvidence) -> FindingWriter:
    """Findings about each value of the factor, by metric; and those about what one metric gains and another loses."""
    asked: dict[tuple[str, str], list[BaselinePair]] = defaultdict(list)
    for rivals in table.rivals.values():
        base = rivals.get(table.baseline)
        for value, place in rivals.items():
            if base is not None and place is not base:
                asked[value, place.measure.metric].append(BaselinePair.of(place, base))

    def write() -> Iterator[TableFinding]:
        nothing = list(_nothing_differs(table, asked))
        yield from nothing or (
            found for (value, metric), own in asked.items() for found in _of_value(table, value, metric, own)
        )
        yield from trades(table, asked)

    return write


def _nothing_differs(table: TableCells, asked: dict[tuple[str, str], list[BaselinePair]]) -> Iterator[TableFinding]:
    every = [each for own in asked.values() for each in own]
    if len(every) > 1 and all(each.kind is Verdict.EQUIVALENT for each in every):
        text = f"Nothing differs by more than {100 * table.margin:g} %: all {len(every)} comparisons are equivalent."
        yield TableFinding(TIER, text, both_sides(every))


def _of_value(table: TableCells, value: str, metric: str, own: Sequence[BaselinePair]) -> Iterator[TableFinding]:
    better, worse = ([each for each in own if each.kind is kind] for kind in BOTH)
    better.sort(key=lambda each: -each.ratio)
    worse.sort(key=lambda each: each.ratio)
    equivalent = sum(each.kind is Verdict.EQUIVALENT for each in own)
    prefix = f"{upper(metric_label(metric))}: " if len(table.labels.get("metric", [])) > 1 else ""
    if not better and not worse:
        if equivalent == len(own) > 1:
            text = f"{prefix}{value} and {table.baseline} do not differ by more than {100 * table.margin:g} %"
            yield TableFinding(TIER_ALIKE, f"{text} in any of {len(own)} cells.", both_sides(own))
        return
    said = [_side(table, "better", better, len(own)), _side(table, "worse", worse, len(own))]
    than = ", and ".join(filter(None, said))
    word = "better" if better else "worse"
    than = than.replace(word, f"{word} than {table.baseline}", 1)
    rest = f"; {equivalent} {'is' if equivalent == 1 else 'are'} equivalent" if equivalent else ""
    told = [*better[:1], *worse[:1]]
    yield TableFinding(
        TIER,
        f"{prefix}{value} is {than}{rest}.",
        both_sides([*told, *better, *worse, *own]),
        max(each.p_adjusted for each in told),
        max(abs(log(each.ratio)) for each in told),
    )


def _side(table: TableCells, word: str, found: Sequence[BaselinePair], total: int) -> str:
    """`better in 9 of 13 cells, most in random read (+35 %, 95 % interval …)`."""
    if not found:
        return ""
    most = f"{say_change(found[0].ratio)}, {say_interval(*found[0].interval)}"
    where = table.words(found[0].place, "metric")  # the sentence begins with it
    if total == 1:
        return f"{word} ({most})"
    if len(found) == 1:
        return f"{word} in {where} ({most})"
    every = "both" if total == 2 else f"all {total}"
    count = every if len(found) == total else f"{len(found)} of {total}"
    return f"{word} in {count} cells, most in {where} ({most})"
