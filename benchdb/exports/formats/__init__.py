"""The export formats, one module each. A new format is a module with a `FORMAT`, named in the list below.

The list is in the order of the menu. Everything else reads `benchdb.exports.registry`.
"""

from __future__ import annotations

from benchdb.exports.registry import register

from . import bb, csv, html, json, md, pdf, png, svg, tex, tsv

for _module in (json, csv, tsv, md, html, tex, bb, svg, png, pdf):
    register(_module.FORMAT)
