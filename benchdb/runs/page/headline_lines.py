"""The headlines on the page of a run: each test of its main metric, with aligned figures and its rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.links import result_href
from benchdb.runs.cells.strip_plot import SMALL, strip_of
from benchdb.runs.listing.headlines import Headline
from benchdb.wording.numbers import leads, pads
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import place_in_words

from .results import ResultCell


@dataclass(frozen=True, slots=True)
class AlignedFigure:
    """A mean with its sd, "" if unknown; the leads and pads are the digits that each lacks beside the others."""

    mean: str
    sd: str
    unit: str
    mean_lead: str = ""
    mean_pad: str = ""
    sd_lead: str = ""
    sd_pad: str = ""


def headline_lines(results: Sequence[ResultCell]) -> list[dict[str, object]]:
    """A line for each of these results; the decimal points of means and sds are aligned."""
    shown = [(_headline(item), item) for item in results]
    figures = iter(_aligned([figure for headline, _ in shown if (figure := headline.figure)]))
    # A test in runs/headlines.html; `figure` is None if there is none, `strip` is that of
    # web/partials/strip.html.
    return [
        {
            "test": test_label(headline.test),
            "value": headline.value,
            "figure": None if headline.mean is None else next(figures),
            "place": unbroken(place_in_words(item.result)),
            "href": result_href(str(item.result.run_id), headline.ordinal),
            "strip": strip_of(item.cell, item.unit, SMALL),
        }
        for headline, item in shown
    ]


def _headline(item: ResultCell) -> Headline:
    of = item.result
    return Headline(of.metric, of.test, of.ordinal, of.status, of.n, of.mean, of.sd)


def _aligned(figures: Sequence[Mapping[str, str]]) -> list[AlignedFigure]:
    """The figures with padding for their means and sds."""
    means, sds = [figure["mean"] for figure in figures], [figure["sd"] for figure in figures]
    padding = zip(leads(means), pads(means), leads(sds), pads(sds), strict=True)
    return [
        AlignedFigure(figure["mean"], figure["sd"], figure["unit"], *padded)
        for figure, padded in zip(figures, padding, strict=True)
    ]
