"""Sentences about values of the factor against the baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from benchdb.compare.table.grid import Grid
from benchdb.stats import Verdict
from benchdb.wording.changes import common_metric, effect_in_words, largest_difference
from benchdb.wording.words import metric_label, upper

from .baseline_pair import BOTH, BaselinePair
from .baseline_row import BaselineRow
from .claims import Change
from .finding import Clause, change_in_words, listed, say

MOST_COUNTS = 4  # of other cells, in a clause
ORDER = ("equal within the margin", "undecided", "marked but may be chance")  # first in the list of the other cells


def of_nothing(baseline: str, rows: Sequence[BaselineRow], tested: Sequence[BaselinePair]) -> str:
    """`No difference was found against ext4; 95 % intervals allow up to 13 %.`

    The farthest end of all intervals exceeds the largest true difference at least as often as a single interval
    contains the true one.
    """
    lows, highs = zip(*(pair.interval for pair in tested), strict=True)
    bound = largest_difference(min(lows), max(highs))
    start = f"No difference was found against {baseline}"
    return say(start, Clause("; ", f"95 % intervals allow up to {bound}"), *_rest(rows))


def of_rows(table: Grid, rows: Sequence[BaselineRow], changes: Mapping[Verdict, Change | None]) -> str:
    """The sentences about rows that are alike; `changes` has the largest of each side whose size is known."""
    values = list(dict.fromkeys(row.value for row in rows))
    metrics = upper(listed(dict.fromkeys(metric_label(row.metric) for row in rows)))
    start = f"{metrics}: {listed(values)}" if len(table.labels.get("metric", ())) > 1 else listed(values)
    one = len(values) == 1
    if rows[0].is_flat:
        cells = sum(len(row.pairs) for row in rows)
        do, margin = "does" if one else "do", f"{100 * table.content.margin:g} %"
        return say(
            f"{start} {do} not differ from {table.content.baseline} by more than {margin} in any of {cells} cells"
        )
    sides = [kind for kind in BOTH if any(row.of[kind] for row in rows)]
    they_are = "It is" if one else "They are"
    first, *others = (clause for kind in sides for clause in _side(table, rows, kind, changes[kind], they_are))
    return say(f"{start} {'is' if one else 'are'} {first.text}", *others, *_rest(rows))


def _side(
    table: Grid, rows: Sequence[BaselineRow], kind: Verdict, most: Change | None, they_are: str
) -> Iterator[Clause]:
    """`better than ext4 in 9 of 13 cells`, `most in random read (35 % faster, 95 % interval …)`."""
    pairs = [pair for row in rows for pair in row.of[kind]]
    total = sum(len(row.pairs) + row.missing for row in rows)
    where = f" in {_count([len(row.of[kind]) for row in rows], [len(row.pairs) + row.missing for row in rows])}"
    place = _place(table, rows, most) if most else ""
    if most is None:
        words = effect_in_words(common_metric(row.metric for row in rows), median(pair.ratio for pair in pairs))
        where += f" ({words.phrase} in the median)"
    elif len(pairs) == 1:
        where = f"{f' {place}' if total > 1 else ''} ({change_in_words(most)})"
    text = f"{kind.value} than {table.content.baseline}{where}"
    yield Clause(", and ", text, f"{they_are} {text}")
    if most and len(pairs) > 1:
        sized = f"{place} ({change_in_words(most)})"
        yield Clause(", ", f"most {sized}", f"The largest difference is {sized}")


def _count(counts: Sequence[int], totals: Sequence[int]) -> str:
    """`9 of 13 cells`, `all 26 cells` of two rows, `9 to 12 of 13 cells each`."""
    if sum(counts) == sum(totals):
        return f"{'both' if sum(totals) == 2 else f'all {sum(totals)}'} cells"
    if len({*counts}) == 1 or len({*totals}) > 1:
        return f"{sum(counts)} of {sum(totals)} cells"
    return f"{min(counts)} to {max(counts)} of {totals[0]} cells each"


def _place(table: Grid, rows: Sequence[BaselineRow], change: Change) -> str:
    """`in random read on xfs`; a metric or a value that all rows share is in the sentence already."""
    metric = [] if len({row.metric for row in rows}) > 1 else ["metric"]
    value = f" on {table.value_of(change.cell)}" if len({row.value for row in rows}) > 1 else ""
    words = table.words(change.cell, *metric)
    return f"in {words}{value}" if words else value.lstrip()


def _rest(rows: Sequence[BaselineRow]) -> Iterator[Clause]:
    """`2 are equal within the margin, 1 is undecided and 1 failed`, for all other cells of the rows."""
    others = sum((row.others for row in rows), Counter[str]())
    in_order = [*(word for word in ORDER if others[word]), *(word for word in others if word not in ORDER)]
    texts = [
        f"{others[word]} {word}"
        if word == "failed"
        else f"{others[word]} {'is' if others[word] == 1 else 'are'} {word}"
        for word in in_order
    ]
    for start in range(0, len(texts), MOST_COUNTS):
        yield Clause("; ", listed(texts[start : start + MOST_COUNTS], most=MOST_COUNTS))
