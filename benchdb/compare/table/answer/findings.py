"""The findings below the table: the first few, and in each a link to its cells."""

from __future__ import annotations

from benchdb.compare.table.content import TableContent
from benchdb.wording.sizes import unbroken

SHOWN = 3  # the rest is folded
MOST_CELLS = 60  # of one finding, to highlight; more is the whole table


def show_findings(content: TableContent) -> list[dict[str, object]]:
    """The findings; those after the first few are folded."""
    # For web/partials/findings.html: the link jumps to the first of its `cells` (anchors).
    return [
        {
            "text": unbroken(finding.text),
            "href": f"#c{finding.cells[0]}" if finding.cells else None,
            "cells": " ".join(f"c{key}" for key in finding.cells[:MOST_CELLS]),
            "folded": index >= SHOWN,
        }
        for index, finding in enumerate(content.findings)
    ]
