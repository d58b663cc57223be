"""Predicts the remaining time of a plan from the times of the points measured so far."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Callable

from benchagent.plan.model import Plan

MOST_ROUNDS = 10_000  # looked ahead; a prediction for a longer plan is useless


class Estimate:
    """Follows a plan's progress. `blocks` are the ids of the points that each block measures in every round.

    All time is assigned to points: the time between the ends of two points, preparation included, to the later one.
    """

    def __init__(
        self, plan: Plan, blocks: Sequence[Sequence[str]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._plan, self._blocks, self._clock = plan, blocks, clock
        self._spent: dict[str, list[float]] = {}
        self._begun = self._mark = self._block_begun = clock()
        self._block, self._round = 0, 0
        self._done: set[str] = set()
        self._rounds: int | None = None

    def block_started(self, index: int) -> None:
        self._block, self._round = index, -self._plan.warm_ups
        self._block_begun = self._clock()
        self._rounds = None

    def rounds_expected(self, rounds: int | None) -> None:
        """Set the number of rounds in which the current block will reach the plan's precision; None: use its limits."""
        self._rounds = rounds

    def round_started(self, number: int) -> None:
        self._round, self._done = number, set()

    def point_finished(self, point: str) -> None:
        now = self._clock()
        self._spent.setdefault(point, []).append(now - self._mark)
        self._mark = now
        self._done.add(point)

    def left(self) -> float | None:
        """The remaining seconds of the plan; None before the first point ends, unless the plan has a time budget."""
        now = self._clock()
        if not self._spent:
            budget = self._plan.time_budget
            return max(0.0, budget - (now - self._begun)) if budget is not None else None
        rest = [point for point in self._blocks[self._block] if point not in self._done]
        current = max(0.0, self._expected(rest) - (now - self._mark))
        left = self._ahead(self._block, self._round + 1, now - self._block_begun + current) + current
        for index in range(self._block + 1, len(self._blocks)):
            left += self._ahead(index, -self._plan.warm_ups, 0.0)
        return left

    def share(self) -> float:
        """The finished share of the plan, from 0 to 1."""
        left, spent = self.left(), self._clock() - self._begun
        return spent / (spent + left) if left is not None and spent + left > 0 else 0.0

    def _ahead(self, block: int, rounds: int, elapsed: float) -> float:
        """Seconds from the end of round `rounds` - 1 to the end of the block."""
        length, start = self._expected(self._blocks[block]), elapsed
        for finished in range(rounds, MOST_ROUNDS):
            precise = block == self._block and self._rounds is not None and finished >= self._rounds
            if self._plan.is_over(finished, elapsed, precise=precise):
                break
            elapsed += length
        return elapsed - start

    def _expected(self, points: Sequence[str]) -> float:
        """Seconds of one round of these points; a point without a measurement counts as the average of the others."""
        means = {point: sum(spent) / len(spent) for point, spent in self._spent.items()}
        typical = sum(means.values()) / len(means)
        return sum(means.get(point, typical) for point in points)
