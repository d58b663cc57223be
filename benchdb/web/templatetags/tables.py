"""Aligns the numbers of a table on the decimal point; long rows of elements."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from benchdb.compare.trend.contexts import HistoryTable
from benchdb.runs.cells.cell_context import ShownCell
from benchdb.runs.cells.measured_table import MeasuredTable
from benchdb.runs.page.raw_output import RawLine
from benchdb.wording.numbers import pads

register = template.Library()

Table = TypeVar("Table", MeasuredTable, HistoryTable)
MORE = '<span class="faint">… {} more: download the output</span>'


@register.filter
def align_decimals(table: Table) -> Table:
    """The table with the digits that its numbers lack beside those of their columns, as `mean_pad` and `sd_pad`.

    The style sheet makes these digits invisible, so that the decimal points align in any font.
    """
    columns = zip(*(row.cells for group in table.groups for row in group.rows), strict=True)
    lines = iter(list(zip(*map(_aligned, columns), strict=True)))
    groups = [
        replace(group, rows=[replace(row, cells=list(next(lines))) for row in group.rows]) for group in table.groups
    ]
    return replace(table, groups=groups)


def _aligned(cells: Sequence[ShownCell]) -> list[ShownCell]:
    """The cells of one column."""
    means, sds = pads(cell.mean for cell in cells), pads(cell.sd for cell in cells)
    return [
        replace(cell, mean_pad=mean_pad, sd_pad=sd_pad) if mean_pad or sd_pad else cell
        for cell, mean_pad, sd_pad in zip(cells, means, sds, strict=True)
    ]


@register.filter
def slot(table: MeasuredTable | HistoryTable) -> str:
    """The class for the space of strips beside numbers, the same in all cells of a table, so that its numbers align."""
    strips = any(cell.strip for group in table.groups for row in group.rows for cell in row.cells)
    return "slotted" if strips else ""


@register.filter
def breakable(label: str) -> SafeString:
    """A label that may break after its commas, so that `data=ordered,barrier=1` does not widen a column."""
    return format_html_join(mark_safe(",<wbr>"), "{}", ((piece,) for piece in str(label).split(",")))


@register.simple_tag
def heads(*labels: str) -> SafeString:
    """A table's head: `#Runs` is for numbers, `(Revoke)` for screen readers only; an empty label makes no column."""
    cells = format_html_join("", "{}", ((_head(label),) for label in labels if label))
    return format_html("<thead><tr>{}</tr></thead>", cells)


def _head(label: str) -> SafeString:
    if label.startswith("#"):
        return format_html('<th scope="col" class="number">{}</th>', label[1:])
    if label.startswith("("):
        return format_html('<th scope="col"><span class="visually-hidden">{}</span></th>', label[1:-1])
    return format_html('<th scope="col">{}</th>', label)


@register.filter
def plain_cells(texts: Iterable[str]) -> SafeString:
    """A `<td>` for each text; with 10,000 cells, a loop in the template took half of the page's time."""
    cells = escape("\n".join(texts)).replace("\n", "</td><td>")
    return mark_safe(f"<td>{cells}</td>")  # escaped above


@register.filter
def coloured_cells(cells: Iterable[tuple[str, str]]) -> SafeString:
    """A `<td>` for each class and figure, for heat maps; a figure may be empty."""
    return format_html_join("", '<td class="{}">{}</td>', cells)


@register.filter
def raw_lines(lines: Iterable[RawLine] | None) -> SafeString:
    """An `<li>` with its anchor for each line; of 5,000 lines, a loop in the template took most of the page's time."""
    return mark_safe(  # all texts are escaped
        "".join(
            f'<li id="L{line.number}"><a href="#L{line.number}">{line.number}</a>{html.escape(line.text)}'
            f"{line.cut and MORE.format(line.cut)}</li>\n      "
            for line in lines or ()
        )
    )
