"""How long a plan still takes: the first round measures, then it predicts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Callable

from benchagent.plan.model import Plan

MOST_ROUNDS = 10_000  # looked ahead; a plan of more has no time left worth telling


class Estimate:
    """Follows a plan's progress. `blocks` are the ids of the points that each block measures in every round.

    All time is accounted to points: what passes between two points' ends belongs to the later one, preparation too.
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
        """How many rounds the block at hand will take to reach the plan's precision; None: as many as it may."""
        self._rounds = rounds

    def round_started(self, number: int) -> None:
        self._round, self._done = number, set()

    def point_finished(self, point: str) -> None:
        now = self._clock()
        self._spent.setdefault(point, []).append(now - self._mark)
        self._mark = now
        self._done.add(point)

    def left(self) -> float | None:
        """Seconds; None as long as nothing is known."""
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
        """How much of the whole is done, from 0 to 1."""
        left, spent = self.left(), self._clock() - self._begun
        return spent / (spent + left) if left is not None and spent + left > 0 else 0.0

    def _ahead(self, block: int, rounds: int, elapsed: float) -> float:
        """Seconds from the end of round `rounds` - 1 to the end of the block."""
        length, start = self._expected(self._blocks[block]), elapsed
        for done in range(rounds, MOST_ROUNDS):
            precise = block == self._block and self._rounds is not None and done >= self._rounds
            if self._plan.is_over(done, elapsed, precise=precise):
                break
            elapsed += length
        return elapsed - start

    def _expected(self, points: Sequence[str]) -> float:
        """Seconds that these points take once; one that was never measured takes as long as the others on average."""
        means = {point: sum(spent) / len(spent) for point, spent in self._spent.items()}
        typical = sum(means.values()) / len(means)
        return sum(means.get(point, typical) for point in points)
