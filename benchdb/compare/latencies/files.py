"""The overlaid distributions as files: percentiles of each rival as CSV, the curves as a picture."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.template.loader import render_to_string

from benchdb.wording.colours import SERIES
from benchdb.wording.formulas import write_csv

from .curves import curves_of
from .measured import MeasuredRival, percentiles_of

_LEGEND, _LINE, _PLOT = 46, 20, 340  # pixels: the first line of the legend, its lines, the plot with its labels


@dataclass(frozen=True, slots=True)
class OverlayFile:
    """A kind of file; `write` takes the rivals and what they have in common."""

    media_type: str
    write: Callable[[Sequence[MeasuredRival], str], str]


def _csv(rivals: Sequence[MeasuredRival], _others: str) -> str:
    """A line for each rival and percentile: latency in seconds with its 95 % interval, rounds, operations."""
    text = io.StringIO()
    write_csv(text, [["label", "share", "latency_s", "low_s", "high_s", "rounds", "operations"]])
    for rival in rivals:
        counts = [len(rival.distribution.rounds), int(rival.distribution.operations.sum())]
        found = percentiles_of(rival)
        for i, (share, latency) in enumerate(zip(found.shares, found.latency, strict=True)):
            ends = [f"{end[i]:.9g}" for end in (found.bounds.low, found.bounds.high)] if found.bounds else ["", ""]
            write_csv(text, [[rival.label, share, f"{latency:.9g}", *ends, *counts]])
    return text.getvalue()


def _svg(rivals: Sequence[MeasuredRival], others: str) -> str:
    """The curves, with a legend of a line for each rival above them."""
    plot = curves_of(rivals)
    top = _LEGEND + _LINE * len(rivals)
    content = {
        "others": others,
        "plot": plot,
        "colours": list(enumerate(SERIES, 1)),
        "legend": [
            (_LEGEND + _LINE * i, curve) for i, curve in enumerate(cast("list[dict[str, object]]", plot["curves"]))
        ],
        "top": top,
        "height": top + _PLOT,
    }
    return render_to_string("compare/latencies.svg", content)


FILES: Mapping[str, OverlayFile] = {"csv": OverlayFile("text/csv", _csv), "svg": OverlayFile("image/svg+xml", _svg)}
