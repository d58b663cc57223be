"""The rounds of each test of a run on one axis. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.links import result_href
from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.words import metric_label

from .results import ResultCell

MOST_TESTS = 16
WIDTH, EDGE = 1000, 12  # of a strip in its own units; the page stretches it
LOGARITHMIC = 10  # largest ÷ smallest value from which on the axis is logarithmic: one test must not hide the others


def strips_of_tests(headlines: Sequence[ResultCell]) -> dict[str, object] | None:
    """The strips of the headlines with a figure; None if there is none."""
    measured = [item for item in headlines if item.cell.mean is not None and item.cell.mean > 0]
    if not measured:
        return None
    shown = measured[:MOST_TESTS]
    values = [value for item in shown for value in _values(item)]
    logarithmic = min(values) > 0 and max(values) / min(values) > LOGARITHMIC
    low, high = (min(values) if logarithmic else 0.0), max(values)

    def x(value: float) -> float:
        share = log(value / low) / log(high / low) if logarithmic else value / high
        return round(EDGE + (WIDTH - 2 * EDGE) * share, 1)

    unit = shown[0].unit
    # The strips of runs/picture.html; `ticks` are the ends of the axis.
    return {
        "metric": metric_label(shown[0].result.metric),
        "width": WIDTH,
        "strips": [
            # The rounds of a test as points of a path, and its mean; `figure` is the mean as text.
            {
                "test": test_label(item.result.test),
                "href": result_href(str(item.result.run_id), item.result.ordinal),
                "dots": "".join(f"M{x(value)} 7h0" for value in _values(item)),
                "mean": x(item.cell.mean or 0.0),
                "figure": f"{item.cell.text.mean} {unit.name}",
            }
            for item in shown
        ],
        "ticks": [f"{say_mean_and_sd(end, None, 1, unit)['mean'] if end else '0'} {unit.name}" for end in (low, high)],
        "logarithmic": logarithmic,
        "single": all(len(_values(item)) == 1 for item in shown),
        "left_out": len(measured) - len(shown),
    }


def _values(item: ResultCell) -> list[float]:
    """The values of the rounds; the mean if a publication gives only that."""
    values = [value for value in item.cell.values or [] if value is not None]
    return values or [item.cell.mean or 0.0]
