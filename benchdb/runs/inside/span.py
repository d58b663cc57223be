"""A span of time inside a round, and the means of series in it. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchdb.runs.store.round_series import ReadSeries


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a round, in seconds after its beginning."""

    start: float
    end: float

    @property
    def query(self) -> dict[str, str]:
        """The parameters of an address."""
        return {"from": in_a_field(self.start), "to": in_a_field(self.end)}


def in_a_field(seconds: float) -> str:
    """A time with at most three decimals, as a number field of a form has it."""
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def chosen_span(start: float | None, end: float | None, round_end: float) -> Span | None:
    """The part of the chosen span that is in the round, whose ends may be exchanged or missing; None for all of it."""
    first, last = 0.0 if start is None else start, round_end if end is None else end
    span = Span(max(0.0, min(first, last)), min(round_end, max(first, last)))
    return span if 0 < span.end - span.start < round_end else None


def mean_in(series: Sequence[ReadSeries], span: Span) -> float | None:
    """The mean of the rates, or levels, of series in a span, weighted by time; None if they have no step in it."""
    weights, rates = [], []
    for each in series:
        edges = each.start + each.step * np.arange(len(each.points) + 1)
        weights.append(np.diff(np.clip(edges, span.start, span.end)))
        rates.append(each.rates)
    weight = np.concatenate(weights)
    return float(np.concatenate(rates) @ weight / weight.sum()) if weight.sum() > 0 else None
