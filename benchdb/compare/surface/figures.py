"""The chosen statistic of a surface in words and units."""

from __future__ import annotations

from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.units import Unit
from benchdb.wording.words import metric_label

from .content import SurfaceContent

PERCENT = Unit("%", "ratio", 0.01)


def unit_of(content: SurfaceContent) -> Unit:
    """The unit of the shown figures: that of the metric, or per cent for the CV."""
    return PERCENT if content.statistic == "cv" else content.measure.shown


def quantity(content: SurfaceContent) -> str:
    """`throughput`, `sd of throughput`, `CV of throughput`."""
    name = metric_label(content.metric)
    return {"mean": name, "sd": f"sd of {name}", "cv": f"CV of {name}"}[content.statistic]


def say_figure(value: float, content: SurfaceContent) -> str:
    """A figure of the chosen statistic in the shown unit: four significant digits, two for sd and CV."""
    return say_in(value, content.statistic, unit_of(content))


def say_in(value: float, statistic: str, unit: Unit) -> str:
    """A figure of this statistic in this unit; for callers with many cells."""
    return say_mean_and_sd(value, None if statistic == "mean" else value, None, unit)["mean"]
