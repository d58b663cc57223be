"""A table's findings as the context of web/partials/findings.html."""

from __future__ import annotations

from typing import Any

from benchdb.runs.sizes import unbroken

from .content import Content

SHOWN = 7  # the rest is folded
MOST_CELLS = 60  # of one finding, to highlight; more is the whole table


def show_findings(content: Content) -> list[dict[str, Any]]:
    """`[{text, href, cells, folded}]`: the link jumps to the first cell that the sentence speaks of."""
    return [
        {
            "text": unbroken(found["text"]),
            "href": f"#c{found['cells'][0]}" if found["cells"] else None,
            "cells": " ".join(f"c{key}" for key in found["cells"][:MOST_CELLS]),
            "folded": place >= SHOWN,
        }
        for place, found in enumerate(content["findings"])
    ]
