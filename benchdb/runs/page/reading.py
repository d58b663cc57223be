"""Reads what the page of a run shows: an outline of all results, and whole only those that are on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchdb.runs.costs import before_quantities
from benchdb.runs.listing.headlines import kept_overviews
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.units import possible

from .outline import Outline, outline_of, results_at
from .paging import part_of_results


@dataclass(frozen=True, slots=True)
class ReadResults:
    """The outline of all results, and in document order the whole results of the page and of the headlines.

    `part` is None if the page has all results. `unit` is the chosen unit of throughputs, "" for the usual one.
    """

    outline: Outline
    part: dict[str, object] | None
    on_page: Sequence[Measured]
    of_headlines: Sequence[Measured]
    unit: str


def chosen_unit(parameters: Mapping[str, str]) -> str:
    """The unit of throughputs that a query string names; "" for the usual one."""
    return parameters["unit"] if parameters.get("unit") in possible("B/s") else ""


def read_results(run: Run, parameters: Mapping[str, str]) -> ReadResults:
    """The results for the page with these parameters; two queries, and one for headlines that are not cached.

    `parameters` may have `unit`, the unit of throughputs, and `results`, `size`, `metric` and `from`, which select a
    part of many results. Impossible values count as missing. Raises MustWait.
    """
    unit = chosen_unit(parameters)
    before_quantities(run.runstate.result_count)
    outline = outline_of(run.id)
    shown, part = part_of_results(outline, run.get_absolute_url(), {**parameters, "unit": unit})
    on_page = set(outline.ordinals[shown].tolist())
    of_headlines = {each.ordinal for overview in kept_overviews([run]).values() for each in overview.headlines}
    results = results_at(run.id, outline, shown | np.isin(outline.ordinals, list(of_headlines)))
    return ReadResults(
        outline,
        part,
        [result for result in results if result.ordinal in on_page],
        [result for result in results if result.ordinal in of_headlines],
        unit,
    )
