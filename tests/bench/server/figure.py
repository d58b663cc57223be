"""What is measured in turns, and where."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import psycopg

Measure = Callable[[int], float]  # the seconds of the call with this number; every number asks for something else


class Figure(NamedTuple):
    """A call to measure, and its number of repetitions in a round.

    `steady`: one uncounted call comes first, so that preceding calls of another kind do not affect the time.
    """

    measure: Measure
    repeats: int = 1
    steady: bool = False

    def seconds(self, turn: int) -> float:
        """The mean of a round."""
        if self.steady:
            self.measure(turn * self.repeats)
        return mean(self.measure(turn * self.repeats + i) for i in range(self.repeats))


@dataclass(frozen=True)
class Stored:
    """A server with its directory, its database and the number of its runs."""

    url: str
    var: Path
    database: psycopg.Connection[Any]
    runs: int
