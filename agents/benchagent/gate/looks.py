"""Looks at the measured rounds: the server's verdicts after planned numbers of rounds, which end the gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchagent.client import RequestRefused, Server, ServerSilent
from benchagent.client.gate import GateAnswer, GateJudgement, GateTest
from benchagent.documents.records import PointRecord
from benchagent.errors import UsageError
from benchagent.plan.model import Gate, Plan
from benchagent.progress import Reporter

from .measured_tests import pairs_of, tests_of

UNDECIDED = "inconclusive"
MOST_TESTS = 300  # that the server judges together
BUSY = (429, 503)


class Looks:
    """The looks of one gate. `tests` and `answer` are those of the last one; `answer` is None before it."""

    def __init__(self, plan: Plan, server: Server, tell: Reporter) -> None:
        self._plan, self._server, self._tell = plan, server, tell
        self._gate = plan.gate or Gate()
        rounds = plan.rounds or plan.min_rounds
        self._planned = -(-rounds // plan.min_rounds)
        self._taken: list[int] = []
        self.tests: list[GateTest] = []
        self.answer: GateAnswer | None = None
        self.rounds = 0
        self._decided = False

    @property
    def verdicts(self) -> Sequence[GateJudgement]:
        """One for each test, in their order; none before the first look."""
        return self.answer.verdicts if self.answer is not None else ()

    def decide(self, records: Sequence[PointRecord], rounds: int, *, over: bool) -> bool:
        """Whether all tests are decided after this many rounds, so that no further one is needed.

        `over`: the budget is used up. A server that does not answer now is asked again after the next round. Raises
        RequestRefused if the server will never answer, and UsageError for too many tests.
        """
        self.rounds = rounds
        pairs = pairs_of(self._plan, records)
        if any(all(pair.records[side].skipped is not None for pair in pairs) for side in (0, 1)):
            return True  # there is nothing to compare with
        if rounds < self._plan.min_rounds * (1 + len(self._taken)) and not over:
            return False
        try:
            return self._look(records)
        except (ServerSilent, RequestRefused) as error:
            if isinstance(error, RequestRefused) and error.status not in BUSY:
                raise
            self._tell.event("unjudged", why=str(error))
            return False

    def finish(self, records: Sequence[PointRecord]) -> None:
        """Look once more if the last rounds were not judged. Raises ServerSilent and RequestRefused."""
        if self.rounds and self.rounds not in self._taken and not self._decided:
            self._look(records)

    def _look(self, records: Sequence[PointRecord]) -> bool:
        tests = tests_of(pairs_of(self._plan, records), self._gate.metrics)
        if not tests:
            return True  # every round has failed
        if len(tests) > MOST_TESTS:
            raise UsageError(f"The gate has {len(tests)} tests; {MOST_TESTS} are possible. Measure fewer sizes.")
        answer = self._server.judge(tests, [*self._taken, self.rounds], self._planned, self._gate.margin)
        self._taken.append(self.rounds)
        self.tests, self.answer = tests, answer
        counts = Counter(each.verdict for each in answer.verdicts)
        self._decided = UNDECIDED not in counts
        self._tell.event("looked", rounds=self.rounds, verdicts=dict(counts))
        return self._decided
