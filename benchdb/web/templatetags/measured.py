"""Tables of measured cells as HTML.

A page has hundreds of cells, a large one ten thousand; templates with an include for each cell took most of the time of
a comparison. web/partials/table.html and cell.html describe the input at their top.
"""

from __future__ import annotations

from html import escape

import orjson
from django import template
from django.utils.safestring import SafeString

from benchdb.runs.cells.cell_context import CellTag, ShownCell, ShownVerdict
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, TableColumn

from .tables import align_decimals, breakable, slot

register = template.Library()

# A sign and a word each, never only a colour.
SIGNS = {
    kind: (f'<span aria-hidden="true">{sign}</span>' if sign else "") + f'<span class="visually-hidden">{word}</span>'
    for kind, sign, word in (
        ("better", "▲", "better"),
        ("worse", "▼", "worse"),
        ("equivalent", "≈", "equivalent"),
        ("inconclusive", "?", "inconclusive"),
        ("none", "–", "no verdict"),
        ("baseline", "", "baseline"),
    )
}
_BEST = '<span class="visually-hidden"> (best)</span>'
_SINGLE = '<span class="sd"><abbr title="One value only: nothing is known of its spread.">n = 1</abbr></span>'
_COMPUTING = '<abbr class="tag" title="The statistics of this result are still being computed.">…</abbr>'
_SPLIT = ' <span class="unit">split</span>'
_DELETED = '<span class="faint">deleted</span>'
_NOT_MEASURED = '<span class="not-measured" role="img" aria-label="not measured"></span>'


@register.filter
def measured_table(table: MeasuredTable) -> SafeString:
    """The HTML of web/partials/table.html."""
    space, table = slot(table), align_decimals(table)
    label, own_id = escape(table.label), escape(table.id)
    heads = "\n".join(map(_head, table.columns))
    groups = "\n".join(_group(group, table.row_head, heads) for group in table.groups)
    details = as_script(table.details, f"{table.id}-details") if table.details else ""
    if table.panels:
        details = f'<span hidden id="{own_id}-details" data-address="{escape(table.panels)}"></span>'
    return SafeString(
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">\n'
        f'<table class="data slot-{space}" id="{own_id}" data-details="{own_id}-details">\n'
        f"{groups}\n</table>\n</div>\n{details}"
    )


@register.filter
def as_script(data: object, own_id: str) -> SafeString:
    """Like Django's `json_script`, which knows no dataclasses and processes the text character by character."""
    text = orjson.dumps(data)
    for sign, written in ((b"<", b"\\u003C"), (b">", b"\\u003E"), (b"&", b"\\u0026")):
        text = text.replace(sign, written)
    return SafeString(f'<script id="{escape(own_id)}" type="application/json">{text.decode()}</script>')


def _head(column: TableColumn) -> str:
    label = str(breakable(column.label))
    if column.href:
        label = f'<a href="{escape(column.href)}">{label}</a>'
    word = "higher" if column.direction == "↑" else "lower"
    direction = f' <span title="{word} is better">{escape(column.direction)}</span>' if column.direction else ""
    unit = f' <span class="unit">{escape(column.unit)}{direction}</span>' if column.unit else ""
    return f'<th scope="col" class="measured">{label}{unit}{_unit(column.note)}</th>'


def _unit(text: str | None) -> str:
    return f' <span class="unit">{escape(text)}</span>' if text else ""


def _group(group: RowGroup, row_head: str, heads: str) -> str:
    label = breakable(group.label or row_head)
    rows = "\n".join(map(_row, group.rows))
    first = f'<th scope="col">{label}{_unit(group.note).lstrip()}</th>'
    return f'<tbody>\n<tr class="group">{first}\n{heads}</tr>\n{rows}</tbody>'


def _row(row: MeasuredRow) -> str:
    head = f'<th scope="row" class="row-head">{escape(row.label)}{_unit(row.note)}</th>'
    cells = "\n".join(map(measured_cell, row.cells))
    return f"<tr>{head}\n{cells}</tr>"


@register.filter
def measured_cell(cell: ShownCell) -> SafeString:
    """The whole of web/partials/cell.html."""
    begin = f'<td id="{escape(cell.anchor)}" class="measured' if cell.anchor else '<td class="measured'
    chosen = " chosen" if cell.chosen else ""
    if cell.status == "ok" and cell.mean:
        best = " best" if cell.best else ""
        return SafeString(f'{begin}{best}{chosen}"><div class="cell">{_figures(cell)}</div></td>')
    if cell.status == "ok":
        return SafeString(f'{begin} no-number">{_COMPUTING}</td>')
    if cell.status == "failed":
        return SafeString(f'{begin} failed-cell{chosen}">{_linked(cell, escape(cell.message))}</td>')
    if cell.status == "mixed":
        return SafeString(f'{begin} no-number mixed{chosen}">{_linked(cell, escape(cell.message) + _SPLIT)}</td>')
    if cell.status == "unmeasurable":
        return SafeString(f'{begin} no-number too-fast{chosen}">{_linked(cell, "too fast")}</td>')
    return SafeString(f'{begin} no-number">{_DELETED if cell.status == "deleted" else _NOT_MEASURED}</td>')


def _figures(cell: ShownCell) -> str:
    """Mean, spread, verdict and marks, with a space between them."""
    best = _BEST if cell.best else ""
    mean = f"{_linked(cell, escape(cell.mean))}{best}"
    parts = [f'<span class="mean{_pad(cell.mean_pad)}>{mean}</span>']
    if cell.sd:
        parts.append(f'<span class="sd{_pad(cell.sd_pad)}>± {escape(cell.sd)}</span>')
    elif cell.single:
        parts.append(_SINGLE)
    if cell.verdict:
        parts.append(verdict(cell.verdict, cell.verdict.why))
    if cell.tags:
        parts.append(f'<span class="tags">{" ".join(map(_tag, cell.tags))} </span>')
    return " ".join(parts)


def _pad(digits: str) -> str:
    """The rest of a class attribute, with the digits that a figure lacks in its column."""
    return f' pad" data-pad="{escape(digits)}"' if digits else '"'


def _linked(cell: ShownCell, inner: str) -> str:
    if not cell.href:
        return inner
    detail = f' data-cell="{escape(cell.detail)}"' if cell.detail else ""
    return f'<a href="{escape(cell.href)}"{detail}>{inner}</a>'


def _tag(tag: CellTag) -> str:
    warning = " warning" if tag.warning else ""
    why = f' title="{escape(tag.why)}"' if tag.why else ""
    return f'<abbr class="tag{warning}"{why}>{escape(tag.text)}</abbr>'


def verdict(shown: ShownVerdict, why: str | None = None) -> str:
    """A verdict as a sign, a word that is read aloud, and the change; with its reason as a title, if given."""
    title = f' title="{escape(why)}"' if why else ""
    change = f" {escape(shown.text)}" if shown.text else ""
    return f'<span class="verdict {escape(shown.kind)}"{title}>{SIGNS.get(shown.kind, "")}{change}</span>'
