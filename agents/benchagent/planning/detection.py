"""How large a difference a plan can find with its rounds, given the spread of this machine's earlier results.

The server compares the logarithms of two points' values by Welch's test (docs/statistics.md). The power of this test
for equal noise and equal numbers of rounds is computed here, so that a plan can be judged before it is measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from benchagent.plan.model import Plan
from benchagent.planning.precision import FEWEST, t_quantile

from .explained import ExplainedDetection

DIFFERENCE = 0.10  # the difference that the explanation is about
LEVEL = 0.05 * 0.98  # the error that the first look at a run spends, see docs/statistics.md
WANTED = 0.8  # the share of cases in which a plan should find the difference
DEFAULT_SPREAD = 0.05  # cv of the rounds, if nothing was measured here yet
DEFAULT_RESULTS = 20  # of a point, likewise
MOST_ROUNDS = 1000
STEPS = 400  # of Simpson's rule
ANGLES = 24  # of the midpoint rule


def detection(
    plan: Plan, rounds: int | None, spreads: Iterable[float], results: float | None, points: int
) -> ExplainedDetection:
    """What the plan can find.

    `rounds` are those of the plan, None if too many to count; `spreads` the cv of this machine's earlier results,
    `results` their number for each point, None if unknown; `points` the points that are measured.
    """
    past = sorted(spreads)
    spread = past[len(past) // 2] if past else DEFAULT_SPREAD
    targets = max(len(plan.targets), 1)
    others = (targets - 1) / targets if targets > 1 else 1.0  # of a single target the next campaign is the other side
    comparisons = max(1, round(points * others * (results or DEFAULT_RESULTS)))
    if plan.precision is not None:
        rounds = min(rounds or MOST_ROUNDS, max(plan.min_rounds, _rounds_of_precision(spread, plan.precision)))
    return {
        "difference": DIFFERENCE,
        "spread": spread,
        "spread_of_results": len(past),
        "comparisons": comparisons,
        "results_known": results is not None,
        "rounds": rounds,
        "found": None if rounds is None else power(rounds, DIFFERENCE, spread, comparisons),
        "rounds_wanted": rounds_for(DIFFERENCE, spread, comparisons),
        "wanted": WANTED,
    }


def power(rounds: int, difference: float, spread: float, comparisons: int) -> float:
    """The share of cases in which one true `difference` (0.1: 10 %) among `comparisons` is found.

    `spread` is the sd of the logarithms of the values, nearly their cv. Found means p below the level divided by the
    number of comparisons, which both corrections of the server require of a single difference.
    """
    if rounds < 2:
        return 0.0
    if spread <= 0:
        return 1.0
    freedom, tail = rounds - 1, LEVEL / comparisons
    centre = math.log1p(difference) / (spread * math.sqrt(2 / rounds))
    total = weights = 0.0
    for index in range(ANGLES):
        # The share of one side in the sum of both variances is sin²(angle), independent of the sum.
        angle = (index + 0.5) / ANGLES * math.pi / 4
        share = math.sin(angle) ** 2
        weight = (math.sin(angle) * math.cos(angle)) ** (rounds - 2)
        critical = _t_between(freedom / (share**2 + (1 - share) ** 2), 1 - tail)
        total += weight * noncentral_t_above(critical, 2 * freedom, centre)
        weights += weight
    return total / weights


def _t_between(freedom: float, confidence: float) -> float:
    """The quantile of Student's t for degrees of freedom between whole numbers: ln t is nearly linear in 1/freedom."""
    low = math.floor(freedom)
    first, second = math.log(t_quantile(low, confidence)), math.log(t_quantile(low + 1, confidence))
    return math.exp(first + (second - first) * (1 / low - 1 / freedom) / (1 / low - 1 / (low + 1)))


def rounds_for(difference: float, spread: float, comparisons: int) -> int | None:
    """The fewest rounds that find the difference in four cases of five; None if more than a thousand."""
    low, high = 1, 2  # low is not enough
    while power(high, difference, spread, comparisons) < WANTED:
        low, high = high, 2 * high
        if low > MOST_ROUNDS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if power(middle, difference, spread, comparisons) < WANTED:
            low = middle
        else:
            high = middle
    return high


def noncentral_t_above(t: float, freedom: int, centre: float) -> float:
    """P(T > t) of the noncentral t distribution (Johnson, Kotz and Balakrishnan 1995, 31.1): T = (Z + centre)/u.

    u² is chi-squared by its degrees of freedom. P(Z > t·u − centre) is averaged over the density of u (Simpson's rule).
    """
    constant = math.log(2) + freedom / 2 * math.log(freedom / 2) - math.lgamma(freedom / 2)
    reach = 12 / math.sqrt(2 * freedom)  # twelve standard deviations of u
    low, high = max(0.0, 1 - reach), 1 + reach
    step, total = (high - low) / STEPS, 0.0
    for index in range(STEPS + 1):
        u = low + index * step
        if u > 0:
            density = math.exp(constant + (freedom - 1) * math.log(u) - freedom * u * u / 2)
            weight = 1 if index in (0, STEPS) else 4 if index % 2 else 2
            total += weight * density * math.erfc((t * u - centre) / math.sqrt(2)) / 2
    return min(1.0, total * step / 3)


def _rounds_of_precision(spread: float, precision: float) -> int:
    """The rounds after which the 95 % interval of a mean is about as narrow as the plan wants."""
    rounds = FEWEST
    while rounds < MOST_ROUNDS and t_quantile(rounds - 1) * spread / math.sqrt(rounds) > precision:
        rounds += 1
    return rounds
