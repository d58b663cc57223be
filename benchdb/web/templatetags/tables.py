"""Aligns the numbers of a table on the decimal point, and computes the space for their marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from benchdb.wording.numbers import pads

register = template.Library()

TableContext = dict[str, Any]
CellContext = dict[str, Any]


@register.filter
def align_decimals(table: TableContext) -> TableContext:
    """A copy of `table` (shape: web/partials/table.html) with padding in its cells, `slot` and `details_id`.

    A number with fewer decimals than others of its column gets the missing digits as `mean_pad` or `sd_pad`. The style
    sheet makes them invisible, so that the decimal points align in any font.
    """
    groups = [{**group, "rows": [_copied(row) for row in group["rows"]]} for group in table["groups"]]
    rows = [row for group in groups for row in group["rows"]]
    for column in range(len(table["columns"])):
        cells = [row["cells"][column] for row in rows]
        means = pads(cell.get("mean") for cell in cells)
        sds = pads(cell.get("sd") for cell in cells)
        for row, cell, mean_pad, sd_pad in zip(rows, cells, means, sds, strict=True):
            row["cells"][column] = {**cell, "mean_pad": mean_pad, "sd_pad": sd_pad}
    return {**table, "groups": groups, "slot": slot(_cells(rows)), "details_id": f"{table['id']}-details"}


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


def slot(cells: Iterable[CellContext]) -> str:
    """The space that marks need in the fullest cell: "verdicts", "tags" (several), "tag" or "none"."""
    cells = list(cells)
    if any(cell.get("verdict") for cell in cells):
        return "verdicts"
    return ["none", "tag", "tags"][min(2, max((len(cell.get("tags") or []) for cell in cells), default=0))]


def _copied(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "cells": [*row["cells"]]}


def _cells(rows: list[dict[str, Any]]) -> Iterator[CellContext]:
    return (cell for row in rows for cell in row["cells"])


@register.filter
def plain_cells(texts: Iterable[str]) -> SafeString:
    """A `<td>` for each text; with 10,000 cells, a loop in the template took half of the page's time."""
    cells = escape("\n".join(texts)).replace("\n", "</td><td>")
    return mark_safe(f"<td>{cells}</td>")  # escaped above


@register.filter
def coloured_cells(classes: Iterable[str]) -> SafeString:
    """An empty `<td>` for each class, for heat maps."""
    cells = escape("\n".join(classes)).replace("\n", '"></td><td class="')
    return mark_safe(f'<td class="{cells}"></td>')  # escaped above
