"""The compared quantities as CSV and JSON, in base units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

import orjson

from benchdb.runs.totals.quantities import Per, Quantity, Work
from benchdb.wording.formulas import write_csv

from .compared import ComparedRivals

COLUMNS = (
    *("rival", "baseline", "rank", "quantity", "series", "unit", "per", "baseline_mean", "rival_mean"),
    *("ratio", "low", "high", "p", "p_adjusted"),
)
Row = Sequence[str | float | None]


def as_csv(compared: ComparedRivals) -> bytes:
    """A line for each quantity of each rival; `rank` is empty if no change was shown."""
    text = StringIO()
    write_csv(text, [COLUMNS, *_rows(compared)])
    return text.getvalue().encode()


def as_json(compared: ComparedRivals) -> bytes:
    """The same as a list of objects."""
    return orjson.dumps([dict(zip(COLUMNS, row, strict=True)) for row in _rows(compared)])


def per_of(quantity: Quantity, work: Work) -> str:
    """What the figures of a quantity are divided by: operation, byte, round, second, request or level."""
    return work.value if quantity.per is Per.WORK else quantity.per.value


def _rows(compared: ComparedRivals) -> Iterator[Row]:
    for rival in compared.rivals:
        for each in rival.quantities:
            quantity = each.quantity
            per = per_of(quantity, compared.work)
            names = (
                rival.label,
                compared.baseline_label,
                each.rank,
                quantity.name,
                quantity.amount,
                quantity.unit,
                per,
            )
            yield (*names, each.baseline, each.rival, each.ratio, each.low, each.high, each.p, each.p_adjusted)


FILES = {"csv": (as_csv, "text/csv; charset=utf-8"), "json": (as_json, "application/json")}
