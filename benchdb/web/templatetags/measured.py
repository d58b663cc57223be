"""Tables of measured cells as HTML.

A page has hundreds of cells, a large one ten thousand; templates with an include for each cell took most of the time of
a comparison. web/partials/table.html and cell.html describe the input at their top.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

import orjson
from django import template
from django.utils.safestring import SafeString

from benchagent.verdicts import VERDICTS
from benchdb.runs.cells.cell_context import MEMORY_MEANING, CellTag, ShownCell, ShownVerdict
from benchdb.runs.cells.measured_table import (
    ColumnSort,
    MeasuredRow,
    MeasuredTable,
    RowGroup,
    SortForm,
    TableColumn,
    memory_mark,
)
from benchdb.runs.cells.strips import Strip
from benchdb.wording.sizes import unbroken

from .answer import mark
from .tables import align_decimals, breakable, slot

register = template.Library()

MOST_SIDE_BY_SIDE = 6  # columns of groups that stand side by side where there is room (frontend/styles/_tables.scss)
SIGNS = {kind: f'<span role="img" aria-label="{of.word}">{of.sign}</span>' for kind, of in VERDICTS.items()}
_BEST = '<span class="visually-hidden"> (best)</span>'
_SINGLE = '<span class="sd"><abbr title="One value only: nothing is known of its spread.">n = 1</abbr></span>'
_COMPUTING = '<abbr class="tag" title="The statistics of this result are still being computed.">…</abbr>'
_SPLIT = ' <span class="unit">split</span>'
_DELETED = '<span class="faint">deleted</span>'
_NOT_MEASURED = '<span class="not-measured" role="img" aria-label="not measured"></span>'


@register.filter
def verdict_sign(kind: str) -> str:
    """The sign of a kind of verdict: ▲ of `better`."""
    return VERDICTS[kind].sign


@register.filter
def measured_table(table: MeasuredTable) -> SafeString:
    """The HTML of web/partials/table.html."""
    space, table = slot(table), align_decimals(table)
    label, own_id = escape(table.label), escape(table.id)
    units = {(column.unit, column.direction) for column in table.columns}
    unit = _unit_once(table.columns[0]) if len(units) == 1 and table.columns[0].unit else ""
    heads = "\n".join(_head(column, table.sorting, with_unit=not unit) for column in table.columns)
    over = _over(table)
    parts = f" parts-{sum(column.under == table.columns[0].under for column in table.columns)}" if over else ""
    if not over and len(table.groups) > 1 and len(table.columns) <= MOST_SIDE_BY_SIDE:
        parts = f" side-by-side-{len(table.columns)}"
    groups = "\n".join(f"{over}{_group(group, table.row_head, unit, heads)}" for group in table.groups)
    details = as_script(table.details, f"{table.id}-details") if table.details else ""
    if table.panels:
        details = f'<span hidden id="{own_id}-details" data-address="{escape(table.panels)}"></span>'
    return SafeString(
        f'{_sort_form(table.sorting)}<div class="scroll" tabindex="0" role="region" aria-label="{label}">\n'
        f'<table class="data {space}{parts}" id="{own_id}" data-details="{own_id}-details">\n'
        f"{groups}\n</table>\n</div>\n{details}"
    )


@register.filter
def as_script(data: object, own_id: str) -> SafeString:
    """Like Django's `json_script`, which knows no dataclasses and processes the text character by character."""
    return SafeString(f'<script id="{escape(own_id)}" type="application/json">{_in_script(data)}</script>')


@register.filter
def as_linked_data(data: object) -> SafeString:
    """JSON-LD for programs; browsers do not run it, so the content security policy has nothing to allow."""
    return SafeString(f'<script type="application/ld+json">{_in_script(data)}</script>')


def _in_script(data: object) -> str:
    """JSON without signs that could end the element."""
    text = orjson.dumps(data)
    for sign, written in ((b"<", b"\\u003C"), (b">", b"\\u003E"), (b"&", b"\\u0026")):
        text = text.replace(sign, written)
    return text.decode()


def _sort_form(sorting: SortForm | None) -> str:
    """The form that the buttons in the heads send; it is not in each head, because its query string is long."""
    if sorting is None:
        return ""
    fields = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in sorting.pairs
    )
    return f'<form id="{escape(sorting.id)}" action="{escape(sorting.action)}">{fields}</form>\n'


def _over(table: MeasuredTable) -> str:
    """The row of heads above those of the columns, each over its own; "" without one."""
    if not table.columns or not table.columns[0].under:
        return ""
    runs = [list(columns) for _, columns in groupby(table.columns, lambda column: column.under)]
    heads = "".join(_head_over(columns, table.sorting) for columns in runs)
    return f'<tbody><tr class="group heads-over"><td></td>{heads}</tr></tbody>\n'


def _head_over(columns: Sequence[TableColumn], sorting: SortForm | None) -> str:
    """A head over these columns, which sorts by the first."""
    first = columns[0]
    label = _pressable(first, str(breakable(first.under)), sorting)
    words = _unit(f"{first.sort.words}, {first.label}" if first.sort and first.sort.words else "")
    return f"<th scope=colgroup colspan={len(columns)}{_aria_sort(first)}>{label}{_memory(columns)}{words}</th>"


def _aria_sort(column: TableColumn) -> str:
    return f' aria-sort="{column.sort.aria}"' if column.sort and column.sort.aria else ""


def _memory(columns: Sequence[TableColumn]) -> str:
    """The mark of memory, if all figures of these columns measured it."""
    mark = memory_mark(column.memory for column in columns)
    return f' <abbr class="tag" title="{MEMORY_MEANING[mark]}: all of these.">{mark}</abbr>' if mark else ""


def _unit_once(column: TableColumn) -> str:
    """`MiB/s, more is better`: the unit of all columns."""
    better = {"↑": "more", "↓": "less"}.get(column.direction or "", "")
    words = f'<i class="wordy">, {better} is better</i>' if better else ""
    return f' <span class="unit">{escape(column.unit or "")}{words}</span>'


def _head(column: TableColumn, sorting: SortForm | None, *, with_unit: bool) -> str:
    if column.under:
        hidden = f'<span class="visually-hidden">{escape(column.under)}, </span>'
        return f'<th scope="col" class="measured">{hidden}{breakable(unbroken(column.label))}</th>'
    label = _pressable(column, str(breakable(column.label)), sorting)
    word = "higher" if column.direction == "↑" else "lower"
    direction = f' <span title="{word} is better">{escape(column.direction)}</span>' if column.direction else ""
    unit = f' <span class="unit">{escape(column.unit)}{direction}</span>' if column.unit and with_unit else ""
    words = _unit(column.sort.words if column.sort else None)
    return (
        f'<th scope="col" class="measured"{_aria_sort(column)}>{label}{_memory([column])}{unit}{_unit(column.note)}'
        f"{words}</th>"
    )


def _pressable(column: TableColumn, label: str, sorting: SortForm | None) -> str:
    """The label of a column, as a link to it or as the button that sorts by it."""
    sort = column.sort or ColumnSort()
    if column.href:
        return f'<a href="{escape(column.href)}">{label}</a>'
    if sorting is not None and sort.turned is not None:
        sends = f' name=sort value="{escape(sort.turned)}"' if sort.turned else ""
        return f"<button form={sorting.id}{sends}>{label}</button>"
    return label


def _unit(text: str | None) -> str:
    return f' <span class="unit">{escape(text)}</span>' if text else ""


def _group(group: RowGroup, row_head: str, unit: str, heads: str) -> str:
    label = breakable(group.label or row_head)
    rows = "\n".join(map(_row, group.rows))
    first = f'<th scope="col">{label}{_unit(group.note).lstrip()}{unit}</th>'
    hidden = " class=alike" if group.rows and all(row.hidden for row in group.rows) else ""
    return f'<tbody{hidden}>\n<tr class="group">{first}\n{heads}</tr>\n{rows}</tbody>'


def _row(row: MeasuredRow) -> str:
    series, of = (f"{mark(row.series)} ", f" of-{row.series}") if row.series else ("", "")
    head = f'<th scope="row" class="row-head{of}">{series}{escape(row.label)}{_unit(row.note)}</th>'
    cells = "\n".join(map(measured_cell, row.cells))
    return f"<tr{' class=alike' if row.hidden else ''}>{head}\n{cells}</tr>"


@register.filter
def measured_cell(cell: ShownCell) -> SafeString:
    """The whole of web/partials/cell.html."""
    anchor = f' id="{escape(cell.anchor)}"' if cell.anchor else ""
    chosen = "chosen" if cell.chosen else ""
    if cell.status == "ok" and cell.mean:
        shade = f"{cell.verdict.kind}-{cell.verdict.step}" if cell.verdict and cell.verdict.step else ""
        classes = ("best" if cell.best else "", "memory" if cell.memory else "", shade, chosen)
        return _td(anchor, f"<div class=cell>{_figures(cell)}</div>", *classes)
    if cell.status == "ok":
        return _td(anchor, _COMPUTING, "no-number")
    if cell.status == "failed":
        return _td(anchor, _linked(cell, escape(cell.message)), "failed-cell", chosen)
    if cell.status == "mixed":
        return _td(anchor, _linked(cell, escape(cell.message) + _SPLIT), "no-number mixed", chosen)
    if cell.status == "unmeasurable":
        return _td(anchor, _linked(cell, "too fast"), "no-number too-fast", chosen)
    return _td(anchor, _DELETED if cell.status == "deleted" else _NOT_MEASURED, "no-number")


def _td(anchor: str, inner: str, *classes: str) -> SafeString:
    names = " ".join(filter(None, classes))
    of_class = f' class="{names}"' if names else ""
    return SafeString(f"<td{anchor}{of_class}>{inner}</td>")


def _figures(cell: ShownCell) -> str:
    """Mean, spread, verdict, strip and marks, with spaces between texts; without quotes that large pages can spare."""
    parts, shown = [_mean(cell)], cell.verdict
    if shown and shown.text:  # the panel has the sd, and the page with rounds
        parts.append(_established(shown, cell.sd))
    elif cell.single:
        parts.append(_SINGLE)
    if cell.sd and (not shown or not shown.text or cell.strip):
        equal = f"{verdict(shown)} " if shown and shown.kind == "equivalent" else ""
        parts.append(f"<span class=sd{_pad(cell.sd_pad)}>{equal}± {escape(cell.sd)}</span>")
    parts += map(_tag, cell.tags)
    return " ".join(parts) + _strip(cell.strip)


def _established(shown: ShownVerdict, sd: str | None) -> str:
    """`20× slower`, with the sd for copies of the table."""
    title = f' title="{escape(shown.why)}"' if shown.why else ""
    spread = f' data-sd="{escape(sd)}"' if sd else ""
    return f'<b class="verdict {escape(shown.kind)}"{spread}{title}>{escape(shown.text)}</b>'


def _mean(cell: ShownCell) -> str:
    rest = f" class=mean{_pad(cell.mean_pad)}"
    best = _BEST if cell.best else ""
    return (
        _linked(cell, escape(cell.mean), rest) + best if cell.href else f"<span{rest}>{escape(cell.mean)}</span>{best}"
    )


def _strip(strip: Strip | None) -> str:
    """The rounds as dots, which screen readers skip: the panel has the values as text."""
    if strip is None:
        return ""
    middle = "" if strip.middle else " class=free"
    return f'<svg aria-hidden=true{middle}><path d="{strip.path}"/></svg>'


def _pad(digits: str) -> str:
    """The digits that a figure lacks in its column."""
    return f' data-pad="{escape(digits)}"' if digits else ""


def _linked(cell: ShownCell, inner: str, attributes: str = "") -> str:
    """A link to the evidence; its panel is that of `data-cell`, or of the cell's id if that has no value."""
    if not cell.href:
        return inner
    detail = ""
    if cell.detail:
        detail = " data-cell" if cell.detail == cell.anchor else f' data-cell="{escape(cell.detail)}"'
    return f'<a{attributes} href="{escape(cell.href)}"{detail}>{inner}</a>'


def _tag(tag: CellTag) -> str:
    warning = " warning" if tag.warning else ""
    why = f' title="{escape(tag.why)}"' if tag.why else ""
    return f'<abbr class="tag{warning}"{why}>{escape(tag.text)}</abbr>'


def verdict(shown: ShownVerdict) -> str:
    """A verdict as a sign, a word that is read aloud, and the change; with its reason as a title."""
    title = f' title="{escape(shown.why)}"' if shown.why else ""
    if shown.kind not in VERDICTS:
        return f'<span class="verdict {escape(shown.kind)} visually-hidden"{title}>{escape(shown.kind)}</span>'
    if not shown.text:
        sign, word = VERDICTS[shown.kind]
        return f'<span class="verdict {shown.kind}" role="img" aria-label="{word}"{title}>{sign}</span>'
    return f'<span class="verdict {shown.kind}"{title}>{SIGNS[shown.kind]} {escape(shown.text)}</span>'
