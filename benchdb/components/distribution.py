"""The distribution of the main results of runs by test and metric: quantiles and a plot that the server draws."""

from __future__ import annotations

import numpy as np

from benchagent.formats.vocabulary import METRICS, test_label
from benchagent.tools import headline_tests
from benchdb.wording.numbers import decimals_of, say_number
from benchdb.wording.units import UNITS, Unit, default_unit
from benchdb.wording.words import direction, metric_label

from .main_results import FloatArray, MainResults

WIDTH, HEIGHT, MARGIN = 240, 18, 5  # of a plot, in SVG units
LOGARITHMIC = 30  # ratio of the largest to the smallest figure


def distribution(results: MainResults, runs: int) -> list[dict[str, object]]:
    """A row for each test and metric of the first `runs` runs, in the order of `order_of`."""
    mine = np.flatnonzero(results.run < runs)
    means: dict[tuple[str, str], FloatArray] = {}
    test, metric = (results.quantities.columns[name].codes[results.quantity[mine]] for name in ("test", "metric"))
    for pair in np.unique(np.stack([test, metric]), axis=1).T if mine.size else ():
        found = mine[(test == pair[0]) & (metric == pair[1])]
        key = results.entry("test", found[0]), results.entry("metric", found[0])
        means[key] = results.mean[found]
    return [_row(*key, means[key]) for key in sorted(means, key=order_of)]


def order_of(key: tuple[str, str]) -> tuple[int, int, str]:
    """The order of a test and metric: by metric as in the vocabulary, tests that tools declare first."""
    test, metric = key
    rank = {name: place for place, name in enumerate(headline_tests())}
    return list(METRICS).index(metric), rank.get(test, len(rank)), test


def _row(test: str, metric: str, means: FloatArray) -> dict[str, object]:
    unit = UNITS[default_unit(metric)]
    low, high = float(means.min()), float(means.max())
    return {
        "test": test_label(test),
        "metric": metric_label(metric),
        "unit": unit.name,
        "direction": direction(METRICS[metric].higher_is_better),
        "lowest": _say(low, unit) if len(means) > 1 else "",
        "median": _say(float(np.median(means)), unit),
        "highest": _say(high, unit) if len(means) > 1 else "",
        "runs": len(means),
        "logarithmic": _is_logarithmic(low, high),
        "plot": _plot(means, low, high) if high > low else None,
    }


def _say(figure: float, unit: Unit) -> str:
    return say_number(figure / unit.per, decimals_of(figure, None, 1, unit))


def _is_logarithmic(low: float, high: float) -> bool:
    return low > 0 and high > LOGARITHMIC * low


def _plot(means: FloatArray, low: float, high: float) -> dict[str, object]:
    marks = np.concatenate([np.quantile(means, [0.25, 0.5, 0.75]), means])
    if _is_logarithmic(low, high):
        shares = (np.log(marks) - np.log(low)) / (np.log(high) - np.log(low))
    else:
        shares = (marks - low) / (high - low)
    lower, middle, upper, *dots = np.round(MARGIN + shares * (WIDTH - 2 * MARGIN), 1).tolist()
    # A plot in SVG units: `path` draws a dot a run, the box goes from the lower to the upper quartile.
    return {
        "path": "".join(f"M{x:g} {HEIGHT / 2:g}h0" for x in sorted(set(dots))),
        "box": lower,
        "box_width": round(max(upper - lower, 1.0), 1),
        "median": middle,
        "width": WIDTH,
        "height": HEIGHT,
        "middle": HEIGHT / 2,
    }
