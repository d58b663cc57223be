"""The headlines on the page of a run: each test of its main metric, with aligned figures and its rounds."""

from __future__ import annotations

from collections.abc import Sequence

from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.cell_context import headline
from benchdb.runs.cells.links import result_href
from benchdb.runs.cells.strip_plot import SMALL, strip_of
from benchdb.wording.numbers import pads
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import common_and_own, place_words

from .results import ResultCell


def headline_lines(results: Sequence[ResultCell]) -> tuple[str, list[dict[str, object]]]:
    """The place that all of these results have in common, and a line for each; decimal points are aligned."""
    common, places = common_and_own([place_words(item.result) for item in results])
    padding = pads([item.cell.text.mean for item in results])
    # A test in runs/headlines.html; `reason` is why there is no figure, "" if there is one. `pad` are the digits that
    # the mean lacks beside the others, `strip` is that of web/partials/strip.html.
    return unbroken(common), [
        {
            "test": test_label(item.result.test),
            "figure": item.cell.text,
            "pad": pad,
            "unit": item.unit.name,
            "reason": headline(item.cell, item.unit) if item.cell.mean is None else "",
            "place": unbroken(place),
            "href": result_href(str(item.result.run_id), item.result.ordinal),
            "strip": strip_of(item.cell, item.unit, SMALL),
        }
        for item, place, pad in zip(results, places, padding, strict=True)
    ]
