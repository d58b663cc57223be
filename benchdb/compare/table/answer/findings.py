"""The findings below the card: the first few, and in each a link at the noun that names its cells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchagent.formats.vocabulary import test_label
from benchdb.compare.table.content import Finding, TablePlace
from benchdb.compare.table.grid import Grid
from benchdb.wording.sizes import unbroken

SHOWN = 3  # the rest is folded
MOST_CELLS = 60  # of one finding, to highlight; more is the whole table
_COUNT = re.compile(r"(?:all )?(?:\d+ to )?\d+ (?:of \d+ )?(?:cells|comparisons|cases)")


def show_findings(table: Grid) -> list[dict[str, object]]:
    """The findings; those after the first few are folded."""
    return [_shown(finding, table, folded=index >= SHOWN) for index, finding in enumerate(table.content.findings)]


def _shown(finding: Finding, table: Grid, *, folded: bool) -> dict[str, object]:
    begin, end = _noun(finding, table)
    # For web/partials/findings.html: the link jumps to the first of its `cells` (anchors). The text is in three parts.
    return {
        "before": unbroken(finding.text[:begin]),
        "linked": unbroken(finding.text[begin:end]),
        "after": unbroken(finding.text[end:]),
        "href": f"#c{finding.cells[0]}" if finding.cells else None,
        "cells": " ".join(f"c{key}" for key in finding.cells[:MOST_CELLS]),
        "folded": folded,
    }


def _noun(finding: Finding, table: Grid) -> tuple[int, int]:
    """Where the text names its first cell: by its test, by a count of cells, or by its row; else the whole text."""
    cell = table.index.get(finding.cells[0]) if finding.cells else None
    for pattern in _nouns(table.places[cell]) if cell is not None else ():
        if found := pattern.search(finding.text):
            return found.span()
    return 0, len(finding.text)


def _nouns(place: TablePlace) -> Iterator[re.Pattern[str]]:
    if place.cell.test:
        # The sizes behind a test are part of its name: `write, 64 KiB records`.
        size = r"(?:, [\d.]+ [KMGT]?i?B records)?"
        yield re.compile(rf"\b{re.escape(test_label(place.cell.test))}\b{size}", re.IGNORECASE)
    yield _COUNT
    yield re.compile(rf"(?<!\w){re.escape(place.row.label)}(?!\w)")
