"""How often quantities are named that did not change, and how often a quantity that did: by simulation.

A comparison has 36 quantities with n rounds a side, as samples of the machine give them. Their noise differs from 1 %
to 100 %. In the first rows nothing differs.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import stats

from benchdb.stats.goes_with import QuantityFigures, QuantityPair, changed_quantities

FloatArray = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], FloatArray]

QUANTITIES = 36
ROUNDS = (6, 10, 20)
PAIRS = 6  # of a page with seven rivals
STATE = 0.5  # of the machine, in standard deviations of its rounds
TRIALS = 2_000
MOST_FALSE = 0.05
FACTORS = (1.1, 1.2, 1.5, 2.0)
_SPREADS = (0.01, 0.03, 0.1, 0.3, 1.0)
_SPREAD_OF_CHANGED = 0.1
_FLOORS = np.full(QUANTITIES, 0.001)


def _spread(random: np.random.Generator) -> FloatArray:
    return random.choice(_SPREADS, (QUANTITIES, 1))


def _normal(random: np.random.Generator, rounds: int) -> FloatArray:
    return np.exp(_spread(random) * random.normal(size=(QUANTITIES, rounds)))


def _together(random: np.random.Generator, rounds: int) -> FloatArray:
    """Half of the variance of all quantities is that of the round."""
    common = random.normal(size=(1, rounds)) * random.choice((-1, 1), (QUANTITIES, 1))
    return np.exp(_spread(random) * (common + random.normal(size=(QUANTITIES, rounds))) / 2**0.5)


def _two_levels(random: np.random.Generator, rounds: int) -> FloatArray:
    upper = random.random((QUANTITIES, rounds)) < random.uniform(0.1, 0.5, (QUANTITIES, 1))
    return np.exp(_spread(random) * (3 * upper + 0.1 * random.normal(size=(QUANTITIES, rounds))))


def _heavy_tails(random: np.random.Generator, rounds: int) -> FloatArray:
    return np.exp(_spread(random) * random.standard_t(3, (QUANTITIES, rounds)))


def _few_events(random: np.random.Generator, rounds: int) -> FloatArray:
    """Counters of a tenth of an event to a hundred events in a round."""
    return random.poisson(np.exp(random.uniform(-2.3, 4.6, (QUANTITIES, 1))), (QUANTITIES, rounds)).astype(np.float64)


def _state(random: np.random.Generator, rounds: int) -> FloatArray:
    """The machine differs between the two sides, in each quantity by itself."""
    state = np.repeat(STATE * random.normal(size=(QUANTITIES, 2)), rounds // 2, axis=1)
    return np.exp(_spread(random) * (state + random.normal(size=(QUANTITIES, rounds))))


NOISE: dict[str, Draw] = {
    "normal logarithms": _normal,
    "rounds in common": _together,
    "two levels": _two_levels,
    "heavy tails (t, 3 degrees)": _heavy_tails,
    "few events": _few_events,
}


def main() -> None:
    """Print the rates with their 95 % intervals (Clopper and Pearson)."""
    random = np.random.default_rng(31)
    print(f"comparisons that name any quantity, {TRIALS} of each kind; at most {MOST_FALSE:.0%} if nothing differs")
    print(f"{'':32}" + "".join(f"{f'n = {rounds}':>21}" for rounds in ROUNDS))
    for name, draw in NOISE.items():
        print(f"{name:32}" + "".join(f"{_said(_falsely(random, draw, rounds)):>21}" for rounds in ROUNDS), flush=True)
    of_page = (_of_page(random, rounds) for rounds in ROUNDS)
    print(f"{f'two levels, {PAIRS} comparisons':32}" + "".join(f"{_said(each):>21}" for each in of_page), flush=True)
    print("nothing differs but the state of the machine, by half the spread of its rounds")
    stated = (_falsely(random, _state, rounds) for rounds in ROUNDS)
    print(f"{'any quantity is named':32}" + "".join(f"{_said(each):>21}" for each in stated), flush=True)
    print("the changed quantity is named, one of 36, noise 10 %")
    for factor in FACTORS:
        found = (_found(random, factor, rounds) for rounds in ROUNDS)
        print(f"{f'× {factor}':32}" + "".join(f"{_said(each):>21}" for each in found), flush=True)


def _named(sides: FloatArray, floors: FloatArray) -> npt.NDArray[np.bool_]:
    (changed,) = changed_quantities([_pair(*np.split(sides, 2, axis=1), floors)])
    return changed.named


def _pair(first: FloatArray, second: FloatArray, floors: FloatArray) -> QuantityPair:
    return QuantityPair(
        *(QuantityFigures(side, np.full(side.shape, np.nan)) for side in (first, second)), floors, floors
    )


def _of_page(random: np.random.Generator, rounds: int) -> int:
    """Pages that name a quantity: several rivals, whose quantities have the noise of those of one baseline."""
    found = 0
    for _ in range(TRIALS):
        sides = np.split(_two_levels(random, (PAIRS + 1) * rounds), PAIRS + 1, axis=1)
        changed = changed_quantities([_pair(side, sides[0], _FLOORS) for side in sides[1:]])
        found += any(bool(each.named.any()) for each in changed)
    return found


def _falsely(random: np.random.Generator, draw: Draw, rounds: int) -> int:
    floors = np.full(QUANTITIES, 1.0) if draw is _few_events else _FLOORS
    return sum(bool(_named(draw(random, 2 * rounds), floors).any()) for _ in range(TRIALS))


def _found(random: np.random.Generator, factor: float, rounds: int) -> int:
    found = 0
    for _ in range(TRIALS):
        sides = _normal(random, 2 * rounds)
        sides[0] = np.exp(_SPREAD_OF_CHANGED * random.normal(size=2 * rounds))
        sides[0, rounds:] *= factor
        found += bool(_named(sides, _FLOORS)[0])
    return found


def _said(count: int) -> str:
    exact = stats.binomtest(count, TRIALS).proportion_ci()
    return f"{count / TRIALS:.1%} [{exact.low:.1%}, {exact.high:.1%}]".replace("%", "")
