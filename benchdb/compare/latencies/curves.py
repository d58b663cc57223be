"""The curves of rivals over each other, as paths of a plot."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np

from benchdb.runs.cells.links import result_href
from benchdb.runs.distributions.axis import HEIGHT, WIDTH, axes_for
from benchdb.runs.distributions.section import LEAST_LATENCY
from benchdb.stats.arrays import FloatArray
from benchdb.wording.numbers import plural, say_number

from .measured import MeasuredRival

MOST_ROUNDS_DRAWN = 10  # of each


def curves_of(rivals: Sequence[MeasuredRival]) -> dict[str, object]:
    """All rounds of each rival together, and at most `MOST_ROUNDS_DRAWN` of them alone."""
    latencies = [np.maximum(rival.distribution.latency, LEAST_LATENCY) for rival in rivals]
    most = max(*(log10(int(rival.distribution.operations.sum())) for rival in rivals), 1.0)
    axes = axes_for((float(end) for latency in latencies for end in latency[[0, -1]]), most)

    def curve(rival: MeasuredRival, latency: FloatArray) -> dict[str, object]:
        counts = rival.distribution.counts
        drawn = np.unique(np.linspace(0, len(counts) - 1, MOST_ROUNDS_DRAWN).round().astype(int)).tolist()
        operations = say_number(int(rival.distribution.operations.sum()), 0)
        # The curves of one rival: all rounds together, and single rounds. `series` is its colour, `href` its evidence.
        return {
            "label": rival.label,
            "series": rival.series,
            "href": result_href(rival.cell.runs[0], rival.cell.ordinals[0]),
            "note": f"{operations} operations in {plural(len(counts), 'round')}",
            "together": axes.path(counts.sum(axis=0, keepdims=True), latency),
            "rounds": [axes.path(counts[i : i + 1], latency) for i in drawn] if len(counts) > 1 else [],
        }

    return {
        "width": WIDTH,
        "height": HEIGHT,
        "curves": [curve(rival, latency) for rival, latency in zip(rivals, latencies, strict=True)],
        "shares": axes.shares(),
        "latencies": axes.latencies(),
        "grid": axes.grid(),
    }
