"""A finding: a sentence, the cells that it rests on, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchdb.runs.cells.warnings import with_sentence
from benchdb.stats import StatisticsWarning, WarningCode
from benchdb.wording.numbers import say_change

from .table_cells import MeasuredCell


@dataclass(frozen=True)
class TableFinding:
    """`tier` orders kinds of findings, `weight` those of one kind; `p` is corrected, None where nothing was tested.

    `places` are those that the sentence speaks of, `counted` those that it only counts: 26 of these. `compares`: it
    says that cells differ, or that they do not.
    """

    tier: int
    text: str
    places: Sequence[MeasuredCell]
    p: float | None = None
    weight: float = 0.0
    counted: Sequence[MeasuredCell] = ()
    compares: bool = True

    def as_dict(self) -> dict[str, Any]:
        """For the table's content."""
        cells = dict.fromkeys(place.key for place in self.places)
        counted = [key for key in dict.fromkeys(place.key for place in self.counted) if key not in cells]
        return {
            "text": self.text,
            "cells": list(cells),
            "counted": counted,
            "p_adjusted": self.p,
            "warnings": self._warnings(),
        }

    def _warnings(self) -> list[dict[str, Any]]:
        """What verdicts on these cells are warned of."""
        alone = self.compares and any(len(place.cell["runs"]) == 1 for place in self.places)
        return [with_sentence(StatisticsWarning(WarningCode.WITHIN_ONE_RUN))] if alone else []


FindingWriter = Callable[[], Iterator[TableFinding]]


def say_margin(bound: float) -> str:
    """`± 0.4 %`, rounded up so that it holds."""
    percent = np.ceil(1000 * bound) / 10
    return f"±\N{NO-BREAK SPACE}{percent:.1f}\N{NO-BREAK SPACE}%"


def say_interval(low: float, high: float) -> str:
    """`95 % interval +30 % to +41 %`."""
    return f"95 % interval {say_change(low)} to {say_change(high)}"


def listed(words: Iterable[str], most: int = 5) -> str:
    """`write, rewrite and read`, `write, rewrite and 4 more`; empty for nothing."""
    every = list(words)
    if len(every) > most + 1:
        every = [*every[:most], f"{len(every) - most} more"]
    return "".join(every) if len(every) < 2 else f"{', '.join(every[:-1])} and {every[-1]}"
