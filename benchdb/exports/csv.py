"""CSV (RFC 4180): a line a measured cell with all its figures, in base units and with every digit."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from .cells import Row, cells

MEDIA_TYPE = "text/csv"

PLACE = ["split", "row", "column", "metric", "unit"]
FIGURES = ["status", "n", "mean", "sd", "interval_low", "interval_high", "median"]
VERDICT = ["best", "verdict", "ratio", "ratio_low", "ratio_high", "p", "p_adjusted", "method"]
WORTH = ["cache", "clock", "warnings", "error", "runs"]
COLUMNS = [*PLACE, *FIGURES, *VERDICT, *WORTH]
# Spreadsheets take text that begins so for a formula; a quote before it keeps it text (OWASP, CSV injection).
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def export(content: Mapping[str, Any]) -> str:
    """The cells of a table or surface that were measured."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in cells(content):
        writer.writerow(_line(row))
    return out.getvalue()


def _line(row: Row) -> Iterator[Any]:
    values = {**_figures(row.cell), "split": row.split, "row": row.row, "column": row.column}
    values |= {"metric": row.metric, "unit": row.unit}
    return (_safe(values[column]) for column in COLUMNS)


def _figures(cell: Mapping[str, Any]) -> dict[str, Any]:
    verdict = cell.get("verdict") or {}
    return {
        **{name: cell[name] for name in ("status", "n", "mean", "sd", "median", "error")},
        "interval_low": cell["low"],
        "interval_high": cell["high"],
        "best": "yes" if cell.get("best") else "",
        "verdict": verdict.get("kind"),
        "ratio": verdict.get("ratio"),
        "ratio_low": verdict.get("low"),
        "ratio_high": verdict.get("high"),
        **{name: verdict.get(name) for name in ("p", "p_adjusted", "method")},
        "cache": cell["cache"]["verdict"],
        "clock": cell["clock"]["verdict"],
        "warnings": " ".join(warning["code"] for warning in [*cell["warnings"], *verdict.get("warnings", [])]),
        "runs": " ".join(cell["runs"]),
    }


def _safe(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA) else value
