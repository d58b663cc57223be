"""Error rates of whole gates, by few simulations; `make bench-statistics ONLY=gates` makes thousands."""

import numpy as np

from tests.bench.statistics.gates import alarm, gate

TESTS, GATES = 8, 60


def test_quiet_gates_raise_no_alarm_and_slower_tests_are_found() -> None:
    """One of 60 quiet gates may be called worse: uncorrected, nearly half of them would be.

    Of 60 gates with a slower test 57 must find it: a procedure that finds 85 % does so in one case of a hundred.
    """
    rng = np.random.default_rng(1)
    quiet = sum(alarm(gate(rng, TESTS, "skewed", "a drift of 20 %", (0.01, 0.05), 0.0)) for _ in range(GATES))
    found = [gate(rng, TESTS, "skewed", "", (0.03, 0.03), 0.1) for _ in range(GATES)]
    assert quiet <= 1
    assert sum(each[0].verdict == "worse" for each in found) >= 57
    assert sum(each.verdict == "worse" for verdicts in found for each in verdicts[1:]) <= 1
