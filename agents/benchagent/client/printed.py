"""A table for a terminal: for each column its rows with figures, verdicts, and a strip of the values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from benchagent.verdicts import VERDICTS

from .table import Table, TableCell

STRIP = 24  # characters
DOTS = " ·•●"  # none, one, two or three, more values at one place


def lines_of(table: Table) -> Iterator[str]:
    """The lines of a table."""
    yield table.title
    if table.subtitle:
        yield table.subtitle
    yield from (f"• {finding}" for finding in table.findings)
    for (split, column), cells in groupby(_by_column(table), lambda cell: (cell.split, cell.column)):
        yield ""
        yield from _column(" · ".join(part for part in (split, column) if part), list(cells), table)
    yield ""
    yield from (f"Note: {note}" for note in table.notes)
    yield table.address


def _by_column(table: Table) -> list[TableCell]:
    """The cells with those of a column together, in the order of the table."""
    places: dict[tuple[str, str], int] = {}
    for cell in table.cells:
        places.setdefault((cell.split, cell.column), len(places))
    return sorted(table.cells, key=lambda cell: places[cell.split, cell.column])


def _column(title: str, cells: Sequence[TableCell], table: Table) -> Iterator[str]:
    values = [value for cell in cells for value in cell.values if value is not None]
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    rows = [("", cells[0].shown_unit, f"than {table.baseline}", "n", "", "")]
    rows += [
        (
            cell.row,
            cell.shown if cell.status == "ok" else cell.status,
            _verdict(cell),
            "" if cell.n is None else str(cell.n),
            _strip(cell, low, high),
            _p(cell),
        )
        for cell in cells
    ]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    yield title
    for row in rows:
        padded = [
            text.rjust(width) if place in (1, 3) else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths))
        ]
        yield ("  " + "  ".join(padded)).rstrip()


def _verdict(cell: TableCell) -> str:
    if cell.baseline:
        return "baseline"
    tail = f", tail {VERDICTS[cell.tail].sign}" if cell.tail in ("better", "worse") else ""
    sign = VERDICTS[cell.verdict].sign if cell.verdict else ""
    return f"{sign} {cell.change}".strip() + tail


def _p(cell: TableCell) -> str:
    """The corrected p of a difference that was shown."""
    if cell.p_adjusted is None or cell.verdict not in ("better", "worse"):
        return ""
    return "p < 0.001" if cell.p_adjusted < 0.001 else f"p = {cell.p_adjusted:.3f}"


def _strip(cell: TableCell, low: float, high: float) -> str:
    """The values of a cell on the axis that all cells of the column share."""
    counts = [0] * STRIP
    for value in cell.values:
        if value is not None:
            counts[round((value - low) / (high - low) * (STRIP - 1)) if high > low else STRIP // 2] += 1
    dots = "".join(DOTS[0 if count == 0 else 1 if count == 1 else 2 if count <= 3 else 3] for count in counts)
    return f"│{dots}│" if any(counts) else ""
