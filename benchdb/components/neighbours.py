"""A component against others of its kind: the ratio for each test and metric over pairs of runs, with its interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.quantities.columns import IntArray
from benchdb.stats import Cells, compare, matrix, random_effects
from benchdb.wording.changes import change_and_interval
from benchdb.wording.words import direction, metric_label

from .distribution import order_of
from .kinds import Identity
from .main_results import FloatArray, MainResults
from .pairs import Pair

WIDTH, HEIGHT, MARGIN = 200, 16, 4  # of an interval, in SVG units
SMALLEST_AXIS, LARGEST_AXIS = log(1.25), log(100)  # half of the axis
LARGEST_LOG = 700.0  # of a ratio that is a number
USUAL = 0.9  # of the ratios are inside the axis, so that one large ratio does not put all others at 1
WIDEST = log(1000)  # of an interval that says anything
TOO_WIDE = "wider than a factor of 1000"


def plot_of(
    dot: float, line: tuple[float, float] | None, *, beyond: bool = False, one: float = WIDTH / 2
) -> dict[str, object]:
    """An interval and its ratio in SVG units, cut at the ends of the axis; without `line` if there is no interval.

    The dot is at an end of the axis if the ratio is `beyond` it.
    """
    size = {"width": WIDTH, "height": HEIGHT, "middle": HEIGHT / 2}
    return {"dot": dot, "line": line, "beyond": beyond, "one": one, **size}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another component: the newest pair with it, the number of pairs and of their machines, and the ratios."""

    identity: Identity
    newest: Pair
    pairs: int
    machines: int
    rows: Sequence[dict[str, object]]


@dataclass(frozen=True, slots=True)
class _Effect:
    """ln of a ratio with its interval, NaN if there is none; `pairs` is the number of pairs behind it."""

    log: float
    low: float
    high: float
    pairs: int


def neighbours(pairs: Sequence[Pair], results: MainResults) -> list[Neighbour]:
    """The components in these pairs, those with the most pairs first; all plots have one axis."""
    found, first, second = _shared(pairs, results)
    if not found.size:
        return []
    ratios = compare(_cells(results, first), _cells(results, second), checked=False).ratios
    members: dict[tuple[Identity, str, str], list[int]] = defaultdict(list)
    for place in np.flatnonzero(np.isfinite(ratios.log)).tolist():
        key = pairs[found[place]].other, results.entry("test", first[place]), results.entry("metric", first[place])
        members[key].append(place)
    if not members:
        return []
    interval = ratios.interval(0.95)
    ends = np.log(interval.low), np.log(interval.high)
    effects = {key: _effect(np.array(places), ratios.log, ratios.error, ends) for key, places in members.items()}
    usual = 1.15 * float(np.quantile([abs(effect.log) for effect in effects.values()], USUAL))
    half = min(max(SMALLEST_AXIS, usual), LARGEST_AXIS)
    return _neighbours(pairs, {pairs[place] for place in found.tolist()}, effects, half)


def _neighbours(
    pairs: Sequence[Pair], used: set[Pair], effects: Mapping[tuple[Identity, str, str], _Effect], half: float
) -> list[Neighbour]:
    of_other: dict[Identity, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if pair in used:
            of_other[pair.other].append(pair)
    rows: dict[Identity, list[tuple[str, str]]] = defaultdict(list)
    for other, test, metric in effects:
        rows[other].append((test, metric))
    listed = [
        Neighbour(
            identity=other,
            newest=mine[0],
            pairs=len(mine),
            machines=len({pair.machine for pair in mine}),
            rows=[_row(*key, effects[other, *key], half) for key in sorted(rows[other], key=order_of)],
        )
        for other, mine in of_other.items()
        if other in rows
    ]
    return sorted(listed, key=lambda each: (-each.pairs, tuple(value or "" for value in each.identity)))


def _shared(pairs: Sequence[Pair], results: MainResults) -> tuple[IntArray, IntArray, IntArray]:
    """Pair, result and result of the other run for each quantity that both runs of a pair have, (S,) each."""
    width = max(len(results.quantities), 1)
    codes = results.run * width + results.quantity
    order = np.argsort(codes)
    index = {run: place for place, run in enumerate(results.runs)}
    starts = np.searchsorted(codes[order], np.arange(len(results.runs) + 1) * width)
    found, first, second = [], [], []
    for place, pair in enumerate(pairs):
        mine, theirs = index[pair.run], index[pair.against]
        own = order[starts[mine] : starts[mine + 1]]
        other = order[starts[theirs] : starts[theirs + 1]]
        _, at, beside = np.intersect1d(results.quantity[own], results.quantity[other], return_indices=True)
        found.append(np.full(len(at), place))
        first.append(own[at])
        second.append(other[beside])
    columns = [np.concatenate(parts or [np.zeros(0, dtype=np.int64)]) for parts in (found, first, second)]
    return columns[0], columns[1], columns[2]


def _cells(results: MainResults, places: IntArray) -> Cells:
    values = matrix([results.values[place] or [] for place in places.tolist()])
    return Cells.of_moments(results.n[places], results.mean[places], results.sd[places], values=values)


def _effect(places: IntArray, logs: FloatArray, errors: FloatArray, ends: tuple[FloatArray, FloatArray]) -> _Effect:
    """Over several pairs the mean of random effects; of one pair its own interval; else the median without any."""
    known = places[errors[places] > 0]
    if len(known) > 1:
        mean = random_effects(logs[np.newaxis, known], errors[np.newaxis, known])
        return _Effect(float(mean.mean[0]), float(mean.interval.low[0]), float(mean.interval.high[0]), len(known))
    if len(known) == 1:
        (place,) = known.tolist()
        return _Effect(float(logs[place]), float(ends[0][place]), float(ends[1][place]), 1)
    return _Effect(float(np.median(logs[places])), np.nan, np.nan, len(places))


def _row(test: str, metric: str, effect: _Effect, half: float) -> dict[str, object]:
    logs = [effect.log, effect.low, effect.high]
    known = bool(np.isfinite(logs).all()) and max(map(abs, logs)) < LARGEST_LOG
    change, interval = change_and_interval(metric, *map(exp, logs if known else logs[:1]))
    x = (WIDTH / 2) * (1 + np.clip(np.nan_to_num(logs) / half, -1, 1) * (1 - 2 * MARGIN / WIDTH))
    dot, low, high = np.round(x, 1).tolist()
    # The ratio of a test and metric in components/partials/neighbours.html; `interval` is "" if there is none.
    return {
        "test": test_label(test),
        "metric": metric_label(metric),
        "direction": direction(METRICS[metric].higher_is_better),
        "change": change,
        "interval": TOO_WIDE if known and effect.high - effect.low > WIDEST else interval,
        "pairs": effect.pairs,
        "plot": plot_of(dot, (low, high) if known else None, beyond=abs(effect.log) > half),
    }
