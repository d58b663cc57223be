"""False notifications of watched quiet trends, and the days until a lasting step is notified, beside other rules.

n is the number of days after a step. A quiet year is 365 days with one run each, after 30 days of history. The other
rules are written here from their documentation: Bencher's t-test and percentage thresholds, and a simple form of the
rule of Apache Otava (Matteson and James 2014 with a t-test, `max_pvalue` 0.001, windows of 50 runs). Otava itself also
looks for changes inside the parts, and so finds more, right and wrong: docs/alerts.md has both figures.

`python -m tests.bench.statistics.alerts FILE` applies the rules to recorded series in which nothing changed: a JSON
list of lists, one figure a day.
"""

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial

import numpy as np
from scipy import special, stats

from benchdb.alerts.limits import MARGIN
from benchdb.alerts.limits import ROUNDS as ROUNDS_OF_PLAN
from benchdb.stats.arrays import FloatArray
from benchdb.stats.change_points import SMALLEST_SEGMENT, SMALLEST_SERIES, change_points
from benchdb.stats.gate import PairedRounds, judge
from benchdb.stats.new_day import new_day

from .claims import ROUNDS, Claim, Share
from .trends import FOLLOWING, HEAVY, NOISE, NORMAL, Quiet, noise

TOPIC = "Alerts"
SEED = 40
BEFORE, YEAR, WINDOW = 30, 365, 90
HISTORY = BEFORE - SMALLEST_SEGMENT  # the day on which the watch began: a change point may be found some days early
YEARS = 24
STEPS = 200
STEP = float(np.log(0.9))
KINDS = (NORMAL, HEAVY, FOLLOWING[0])
Draw = Callable[[int], FloatArray]  # so many logarithms of the noise from day to day and from round to round
Rule = Callable[[FloatArray, Draw, float], Iterator[int]]


def watch(logs: FloatArray, draw: Draw, step: float, *, restorable: bool) -> Iterator[int]:
    """The days on which a watch notifies; `step` is the true change that a second measurement finds."""
    known: dict[int, bool] = {}
    for today in range(max(BEFORE, SMALLEST_SERIES), len(logs)):
        start = max(0, today + 1 - WINDOW)
        found = change_points(np.exp(logs[start : today + 1]))
        for point in found.points:
            at = start + point.at
            near = next((day for day in known if abs(day - at) < SMALLEST_SEGMENT), None)
            if at < HISTORY or (near is not None and (known[near] or not point.certain)):
                continue
            known[at if near is None else near] = point.certain
            up = point.ratio > 1
            if (restorable and near is None and settings_differ(draw, step, up=up)) or (
                point.certain and repetition_differs(logs[start:at], draw, step, up=up)
            ):
                yield today


def settings_differ(draw: Draw, step: float, *, up: bool) -> bool:
    """Whether the rounds of old and new settings confirm a change in this direction."""
    old, new = np.exp(draw(2 * ROUNDS_OF_PLAN).reshape(2, -1))
    [found] = judge([PairedRounds(old, new * np.exp(step), higher_is_better=True)], [ROUNDS_OF_PLAN], 1, MARGIN)
    return found.verdict.value == ("better" if up else "worse")


def repetition_differs(before: FloatArray, draw: Draw, step: float, *, up: bool) -> bool:
    """Whether a repetition on another day confirms a change in this direction."""
    found = new_day(np.exp(before), float(np.exp(draw(1)[0] + step)))
    return found is not None and found.is_outside and (found.ratio > 1) == up and abs(found.ratio - 1) >= MARGIN


def t_test(logs: FloatArray, draw: Draw, step: float) -> Iterator[int]:
    """Bencher's t-test with a lower boundary of 0.99 and at most 64 earlier runs."""
    values = np.exp(logs)
    for today in range(BEFORE, len(values)):
        sample = values[max(0, today - 64) : today]
        if values[today] < sample.mean() - special.stdtrit(len(sample) - 1, 0.99) * sample.std(ddof=1):
            yield today


def percentage(logs: FloatArray, draw: Draw, step: float, *, share: float) -> Iterator[int]:
    """Bencher's percentage threshold below the mean of at most 64 earlier runs."""
    values = np.exp(logs)
    for today in range(BEFORE, len(values)):
        if values[today] < (1 - share) * values[max(0, today - 64) : today].mean():
            yield today


def otava(logs: FloatArray, draw: Draw, step: float) -> Iterator[int]:
    """The split of the last 50 runs with the largest energy distance, if a t-test has p < 0.001."""
    known: list[int] = []
    for today in range(BEFORE, len(logs)):
        start = max(0, today + 1 - 50)
        values = np.exp(logs[start : today + 1])
        split = _largest_distance(values)
        p = float(stats.ttest_ind(values[:split], values[split:]).pvalue)
        at = start + split
        if p < 0.001 and at >= HISTORY and all(abs(at - other) >= SMALLEST_SEGMENT for other in known):
            known.append(at)
            yield today


def _largest_distance(values: FloatArray) -> int:
    """The split (at least two values on each side) with the largest scaled energy distance."""
    n = len(values)
    apart = np.abs(values[:, np.newaxis] - values)
    sums = np.zeros((n + 1, n + 1))
    sums[1:, 1:] = apart.cumsum(0).cumsum(1)
    at = np.arange(2, n - 1)
    first, second = sums[at, at] / at**2, (sums[n, n] - 2 * sums[at, n] + sums[at, at]) / (n - at) ** 2
    between = (sums[at, n] - sums[at, at]) / (at * (n - at))
    return int(at[np.argmax((2 * between - first - second) * at * (n - at) / n)])


RULES: dict[str, Rule] = {
    "watch, settings can be restored": partial(watch, restorable=True),
    "watch, nothing can be restored": partial(watch, restorable=False),
    "Bencher, t-test 0.99": t_test,
    "Bencher, percentage 10 %": partial(percentage, share=0.1),
    "Bencher, percentage 5 %": partial(percentage, share=0.05),
    "Otava": otava,
}


def quiet_year(rule: str, kind: Quiet, seed: list[int]) -> int:
    """The notifications in a year without a change."""
    rng = np.random.default_rng(seed)
    return len(list(RULES[rule](NOISE * noise(kind, BEFORE + YEAR, rng), normal(rng), 0.0)))


def normal(rng: np.random.Generator) -> Draw:
    """Normal noise of the standard size."""
    return lambda n: NOISE * rng.standard_normal(n)


def days_to_notice(rule: str, seed: list[int]) -> int:
    """The number of days after a step of −10 % until it is notified; a large number if never within 30."""
    rng = np.random.default_rng(seed)
    logs = NOISE * noise(NORMAL, BEFORE + max(ROUNDS), rng)
    logs[BEFORE:] += STEP
    return next(iter(RULES[rule](logs, normal(rng), STEP)), BEFORE + 10**6) - BEFORE + 1


def alerts(pool: Executor, effort: float) -> list[Claim]:
    """Quiet years of each rule, and steps."""
    claims = []
    years, steps = max(4, round(YEARS * effort)), max(20, round(STEPS * effort))
    for rule in RULES:
        ours = rule.startswith("watch")
        for kind in KINDS:
            seeds = [[SEED, year] for year in range(years)]
            found = list(pool.map(partial(quiet_year, rule, kind), seeds))
            with_any = Share(sum(count > 0 for count in found), years)
            text = f"quiet years with a false notification ({sum(found) / years:.2f} a year): {rule}, {kind.name}"
            claims.append(Claim(TOPIC, text, {30: with_any}, most=0.5 if ours else None))
        noticed = np.array(list(pool.map(partial(days_to_notice, rule), [[SEED, 1, i] for i in range(steps)])))
        shares = {n: Share(int((noticed <= n).sum()), steps) for n in ROUNDS}
        claims.append(Claim(TOPIC, f"−10 % at 3 % noise notified within n days: {rule}", shares))
    return claims


def recorded(path: str) -> dict[str, int]:
    """The notifications of each rule on recorded series; a second measurement draws from the days of its series."""
    with open(path, encoding="utf-8") as file:
        series = [np.log(np.array(figures, dtype=np.float64)) for figures in json.load(file)]
    found = dict.fromkeys(RULES, 0)
    for number, logs in enumerate(series):
        for name, rule in RULES.items():
            found[name] += len(list(rule(logs, drawn(logs, np.random.default_rng([SEED, number])), 0.0)))
    return found


def drawn(logs: FloatArray, rng: np.random.Generator) -> Draw:
    """Recorded figures in random order."""
    return lambda n: rng.choice(logs, n)


if __name__ == "__main__":
    print(json.dumps(recorded(sys.argv[1]), indent=2))
