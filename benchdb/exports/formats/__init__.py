"""The export formats, one module each. A new format is a module with a `FORMAT`, named in the lists below.

The list is in the order of the menu. Everything else takes `FORMATS` from here, so that no format is missing in it.
"""

from __future__ import annotations

from benchdb.exports.registry import FORMATS, register

from . import bb, bmf, csv, github, html, json, junit, md, openmetrics, parquet, pdf, png, svg, tex, tsv

__all__ = ["FORMATS"]

for _module in (json, csv, tsv, parquet, md, html, tex, bb, svg, png, pdf):
    register(_module.FORMAT)
for _format in (bmf.FORMAT, github.BIGGER, github.SMALLER, junit.FORMAT, openmetrics.FORMAT):
    register(_format)
