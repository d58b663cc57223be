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
from benchdb.wording.changes import EffectWords, common_metric, effect_in_words
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


def change_in_words(change: Change) -> str:
    """`35 % faster, 95 % interval 30 % to 41 %`."""
    words = effect_in_words(change.metric, change.ratio, change.low, change.high)
    return f"{words.phrase}, 95 % interval {words.interval}"


def changes_in_words(changes: Sequence[Change]) -> tuple[list[EffectWords], str]:
    """Changes in the same direction, each in words, and all their intervals: `95 % intervals within 30 % to 41 %`."""
    low, high = min(change.low for change in changes), max(change.high for change in changes)
    metric = common_metric(change.metric for change in changes)
    words = [effect_in_words(metric, change.ratio, low, high) for change in changes]
    return words, f"95 % interval{'' if len(changes) == 1 else 's within'} {words[0].interval}"


def listed(words: Iterable[str], most: int = MOST_LISTED) -> str:
    """`write, rewrite and read`, `write, rewrite, read and 4 more`; empty if there are no words."""
    items = list(words)
    if len(items) > most + 1:
        items = [*items[:most], f"{len(items) - most} more"]
    return "".join(items) if len(items) < 2 else f"{', '.join(items[:-1])} and {items[-1]}"
