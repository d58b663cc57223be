"""The cells behind an answer: in which tests a value differs from the baseline, and where most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log, log1p
from typing import NamedTuple

from django.utils.text import get_text_list

from benchagent.formats.vocabulary import test_label
from benchdb.compare.table.grid import Grid, lower
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.wording.changes import effect_in_words, in_percent
from benchdb.wording.numbers import plural

from .estimates import ESTABLISHED, RatioEstimate

MOST_TESTS = 3  # that are named
UNDECIDED = {"equivalent": "equal", "inconclusive": "undecided"}


class TestsAlike(NamedTuple):
    """The cells of some tests: their names and the range of their changes: `write and rewrite`, `1.5× to 2×` and
    `1.5× to 2× slower`; or `equal`, `undecided`, `equal or undecided`.
    """

    where: str
    size: str
    change: str


def by_test(table: Grid, metric: str, each: RatioEstimate) -> dict[str, TestsAlike]:
    """The tests by the kind of verdict that at least half of their cells have, "" for those without a difference.

    Empty if a test has both kinds or a difference in few of its cells, and if all tests are alike.
    """
    tests: dict[str, list[int]] = {}
    for index in each.members:
        tests.setdefault(table.cells[index].test or "", []).append(index)
    of_kind: dict[str, list[str]] = {}
    for test, cells in tests.items():
        kinds = Counter(table.verdict(cell).kind for cell in cells)
        established = [kind for kind in ESTABLISHED if kinds[kind]]
        if len(established) > 1 or (established and 2 * kinds[established[0]] < len(cells)):
            return {}
        of_kind.setdefault("".join(established), []).append(test)
    if len(of_kind) < 2:
        return {}
    ratios = [
        verdict.ratio for cell in each.members if (verdict := table.verdict(cell)).kind in of_kind and verdict.ratio
    ]
    percent = in_percent(ratios)
    found = {}
    for kind, of in of_kind.items():
        names = [lower(test_label(test)) for test in of]
        if len(names) > MOST_TESTS:
            names[MOST_TESTS - 1 :] = [plural(len(names) - MOST_TESTS + 1, "more test")]
        size, change = _range(
            metric, [table.verdict(cell) for test in of for cell in tests[test]], kind, percent=percent
        )
        found[kind] = TestsAlike(get_text_list(names, "and"), size, change)
    return found


def _range(metric: str, verdicts: Sequence[CellVerdict], kind: str, *, percent: bool) -> tuple[str, str]:
    """`1.5× to 2×` and `1.5× to 2× slower`: the changes of cells with this kind of verdict, "" for no difference."""
    ratios = sorted(each.ratio for each in verdicts if each.kind == kind and each.ratio)
    if not ratios:
        return "", " or ".join(sorted({UNDECIDED.get(each.kind, "untested") for each in verdicts}))
    words = effect_in_words(metric, ratios[0], ratios[0], ratios[-1], percent=percent)
    size = words.size if words.interval in ("", f"{words.size} to {words.size}") else words.interval
    return size, f"{size} {words.direction} {words.noun}".rstrip()


def largest_cell(table: Grid, each: RatioEstimate, kind: str) -> int | None:
    """The cell with the largest difference of this kind; None if the value has a single cell, or none of it."""
    sizes = {
        index: abs(log(verdict.ratio))
        for index in each.members
        if (verdict := table.verdict(index)).kind == kind and verdict.ratio
    }
    return max(sizes, key=sizes.__getitem__, default=None) if len(each.members) > 1 else None


def in_cells(table: Grid, metric: str, each: RatioEstimate, kind: str) -> str:
    """`faster in 6 of 15 cells, most in read, 4 KiB records: 1.4×`: the cells of a value with this kind of verdict.

    Empty unless the largest difference is beyond the margin.
    """
    largest, number = largest_cell(table, each, kind), each.counts[kind]
    verdict = table.verdict(largest) if largest is not None else None
    if largest is None or verdict is None or abs(log(verdict.ratio or 1.0)) <= log1p(table.content.margin):
        return ""
    if found := by_test(table, metric, each).get(kind):
        return f"{found.change} in {found.where}"
    where = table.words(largest)
    words = effect_in_words(metric, verdict.ratio or 1.0, verdict.low, verdict.high)
    of_all = f"in {number} of {plural(each.counts.total(), 'cell')}"
    cells = f"{of_all}, most in {where}" if number > 1 and where else f"in {where}" if where else of_all
    return f"{words.direction} {words.noun}".rstrip() + f" {cells}: {words.size}"
