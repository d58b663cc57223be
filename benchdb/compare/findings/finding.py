"""A finding: a sentence, the cells that it rests on, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchdb.runs.numbers import say_change

from .places import Place


@dataclass(frozen=True)
class Finding:
    """`tier` orders kinds of findings, `weight` those of one kind; `p` is corrected, None where nothing was tested."""

    tier: int
    text: str
    places: Sequence[Place]
    p: float | None = None
    weight: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """For the table's content."""
        return {"text": self.text, "cells": list(dict.fromkeys(p.key for p in self.places)), "p_adjusted": self.p}


Tell = Callable[[], Iterator[Finding]]


def say_margin(bound: float) -> str:
    """`± 0.4 %`, rounded up so that it holds."""
    percent = np.ceil(1000 * bound) / 10
    return f"± {percent:.1f} %"


def say_interval(low: float, high: float) -> str:
    """`95 % interval +30 % to +41 %`."""
    return f"95 % interval {say_change(low)} to {say_change(high)}"


def listed(words: Iterable[str], most: int = 5) -> str:
    """`write, rewrite and read`, `write, rewrite and 4 more`; empty for nothing."""
    every = list(words)
    if len(every) > most + 1:
        every = [*every[:most], f"{len(every) - most} more"]
    return "".join(every) if len(every) < 2 else f"{', '.join(every[:-1])} and {every[-1]}"
