"""A finding: a sentence, the cells that it rests on, and its corrected p."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchdb.compare.table.content import Finding
from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.verdict import CellWarning
from benchdb.runs.cells.warnings import with_sentence
from benchdb.stats import StatisticsWarning, WarningCode
from benchdb.wording.numbers import LARGEST_DECREASE, LARGEST_FACTOR, say_changes
from benchdb.wording.numbers import say_interval as say_ends
from benchdb.wording.words import upper

from .claims import Change, Claim


@dataclass(frozen=True)
class TableFinding:
    """A sentence of one of `KINDS` about `values` of the factor, with its cells; `weight` orders those of one kind.

    `p` is corrected, None if nothing was tested. The sentence is about `cells`, indices in the table's grid; those in
    `counted` are only part of a count ("of 26"). `compares` is True for a sentence about cells that differ or do not
    differ. `claims` are what the sentence claims, as data.
    """

    kind: str
    values: Sequence[str]
    text: str
    cells: Sequence[int]
    p: float | None = None
    weight: float = 0.0
    counted: Sequence[int] = ()
    compares: bool = True
    claims: Sequence[Claim] = ()

    def for_content(self, table: Grid) -> Finding:
        """The finding as the table's content has it."""
        cells = dict.fromkeys(self.cells)
        counted = [table.keys[cell] for cell in dict.fromkeys(self.counted) if cell not in cells]
        keys = [table.keys[cell] for cell in cells]
        return Finding(self.text, keys, counted, self.p, self._warnings(table), self.kind, list(self.values))

    def _warnings(self, table: Grid) -> list[CellWarning]:
        """The warnings of verdicts on these cells."""
        one_run_only = self.compares and any(len(table.cells[cell].runs) == 1 for cell in self.cells)
        return [with_sentence(StatisticsWarning(WarningCode.WITHIN_ONE_RUN))] if one_run_only else []


# In the order in which they are told.
KINDS = ("unlike", "failed", "baseline", "best", "trade", "along", "cached", "same_along", "stability", "same")
FindingWriter = Callable[[], Iterator[TableFinding]]
MOST_WORDS = 30  # of a sentence; numbers, signs and units between spaces count as words
MOST_LISTED = 3


class Clause(NamedTuple):
    """A part of a sentence with what joins it to the part before; `alone` is its text as a sentence of its own."""

    joint: str
    text: str
    alone: str = ""


def say(first: str, *clauses: Clause) -> str:
    """The clauses in as few sentences as possible, of at most `MOST_WORDS` words each."""
    sentences = [first]
    for joint, text, alone in clauses:
        joined = f"{sentences[-1]}{joint}{text}"
        if len(joined.split()) <= MOST_WORDS:
            sentences[-1] = joined
        else:
            sentences.append(alone or upper(text))
    return f"{'. '.join(sentences)}."


def say_margin(bound: float) -> str:
    """`± 0.4 %`, rounded up so that the statement holds."""
    percent = np.ceil(1000 * bound) / 10
    return f"±\N{NO-BREAK SPACE}{percent:.1f}\N{NO-BREAK SPACE}%"


def say_bound(intervals: Sequence[tuple[float, float]]) -> str:
    """The largest change that these intervals allow, rounded up: `± 12.4 %`, beyond × 1.5 `a factor of 2.3`."""
    largest = max(max(1 / low, high) for low, high in intervals)
    if largest <= LARGEST_DECREASE:
        return say_margin(largest - 1)
    return f"a factor of {np.ceil(10 * min(largest, LARGEST_FACTOR)) / 10:.1f}"


def say_interval(low: float, high: float) -> str:
    """`95 % interval +30 % to +41 %`."""
    return f"95 % interval {say_ends(low, high)}"


def say_sized(change: Change) -> str:
    """`+35 %, 95 % interval +30 % to +41 %`."""
    ratio, low, high = say_changes(change.ratio, change.low, change.high)
    return f"{ratio}, 95 % interval {low} to {high}"


def say_together(changes: Sequence[Change]) -> str:
    """`95 % interval +30 % to +41 %`, or `95 % intervals within …` for several changes in the same direction."""
    low, high = min(change.low for change in changes), max(change.high for change in changes)
    return say_interval(low, high) if len(changes) == 1 else f"95 % intervals within {say_ends(low, high)}"


def listed(words: Iterable[str], most: int = MOST_LISTED) -> str:
    """`write, rewrite and read`, `write, rewrite, read and 4 more`; empty if there are no words."""
    items = list(words)
    if len(items) > most + 1:
        items = [*items[:most], f"{len(items) - most} more"]
    return "".join(items) if len(items) < 2 else f"{', '.join(items[:-1])} and {items[-1]}"
