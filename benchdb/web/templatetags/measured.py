"""Tables of measured cells and their bars as HTML.

A page has hundreds of cells, a large one ten thousand; templates with an include for each cell took most of the time of
a comparison. web/partials/table.html, cell.html and compare/bars.html describe the input at their top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import orjson
from django import template
from django.utils.safestring import SafeString

from .tables import align_decimals, breakable

register = template.Library()

# A sign and a word each, never only a colour.
_SIGNS = {
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
_DELETED = '<span class="faint">deleted</span>'
_NOT_MEASURED = '<span class="not-measured" role="img" aria-label="not measured"></span>'


@register.filter
def measured_table(table: dict[str, Any]) -> SafeString:
    """The HTML of web/partials/table.html."""
    table = align_decimals(table)
    label, own_id, details_id = (escape(table[name]) for name in ("label", "id", "details_id"))
    caption = f"<caption>{escape(table['caption'])}</caption>" if table.get("caption") else ""
    heads = "\n".join(_head(column) for column in table["columns"])
    groups = "\n".join(_group(group, table["row_head"], heads) for group in table["groups"])
    details = _script(table["details"], details_id) if table["details"] else ""
    return SafeString(
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">\n'
        f'<table class="data slot-{table["slot"]}" id="{own_id}" data-details="{details_id}">{caption}\n'
        f"{groups}\n</table>\n</div>\n{details}"
    )


def _script(data: Any, own_id: str) -> str:
    """Like Django's `json_script`, which processes half a megabyte of details character by character."""
    text = orjson.dumps(data)
    for sign, written in ((b"<", b"\\u003C"), (b">", b"\\u003E"), (b"&", b"\\u0026")):
        text = text.replace(sign, written)
    return f'<script id="{own_id}" type="application/json">{text.decode()}</script>'


def _head(column: Mapping[str, Any]) -> str:
    label = str(breakable(column["label"]))
    if column.get("href"):
        label = f'<a href="{escape(column["href"])}">{label}</a>'
    arrow = column.get("direction")
    word = "higher" if arrow == "↑" else "lower"
    direction = f' <span title="{word} is better">{escape(arrow)}</span>' if arrow else ""
    unit = f' <span class="unit">{escape(column["unit"])}{direction}</span>' if column.get("unit") else ""
    return f'<th scope="col" class="measured">{label}{unit}{_unit(column.get("note"))}</th>'


def _unit(text: str | None) -> str:
    return f' <span class="unit">{escape(text)}</span>' if text else ""


def _group(group: Mapping[str, Any], row_head: str, heads: str) -> str:
    label = breakable(group.get("label") or row_head)
    rows = "\n".join(map(_row, group["rows"]))
    first = f'<th scope="col">{label}{_unit(group.get("note")).lstrip()}</th>'
    return f'<tbody>\n<tr class="group">{first}\n{heads}</tr>\n{rows}</tbody>'


def _row(row: Mapping[str, Any]) -> str:
    own_id = f' id="{escape(row["id"])}"' if row.get("id") else ""
    label = escape(row["label"])
    if row.get("href"):
        label = f'<a href="{escape(row["href"])}">{label}</a>'
    head = f'<th scope="row" class="row-head">{label}{_unit(row.get("note"))}</th>'
    cells = "\n".join(map(measured_cell, row["cells"]))
    return f"<tr{own_id}>{head}\n{cells}</tr>"


@register.filter
def measured_cell(cell: Mapping[str, Any]) -> SafeString:
    """The whole of web/partials/cell.html."""
    status = cell["status"]
    begin = f'<td id="{escape(cell["anchor"])}" class="measured' if cell.get("anchor") else '<td class="measured'
    chosen = " chosen" if cell.get("chosen") else ""
    if status == "ok" and cell.get("mean"):
        best = " best" if cell.get("best") else ""
        return SafeString(f'{begin}{best}{chosen}"><div class="cell">{_figures(cell)}</div></td>')
    if status == "ok":
        return SafeString(f'{begin} no-number">{_COMPUTING}</td>')
    if status == "failed":
        return SafeString(f'{begin} failed-cell{chosen}">{_linked(cell, escape(cell.get("message") or ""))}</td>')
    if status == "unmeasurable":
        return SafeString(f'{begin} no-number too-fast{chosen}">{_linked(cell, "too fast")}</td>')
    return SafeString(f'{begin} no-number">{_DELETED if status == "deleted" else _NOT_MEASURED}</td>')


def _figures(cell: Mapping[str, Any]) -> str:
    """Mean, spread, verdict and marks, with a space between them."""
    best = _BEST if cell.get("best") else ""
    pad = escape(cell.get("mean_pad") or "")
    parts = [f'<span class="mean pad" data-pad="{pad}">{_linked(cell, escape(cell["mean"]))}{best}</span>']
    if cell.get("sd"):
        pad = escape(cell.get("sd_pad") or "")
        parts.append(f'<span class="sd pad" data-pad="{pad}">± {escape(cell["sd"])}</span>')
    elif cell.get("single"):
        parts.append(_SINGLE)
    if cell.get("verdict"):
        parts.append(verdict(cell["verdict"]))
    if cell.get("tags"):
        parts.append(f'<span class="tags">{" ".join(map(_tag, cell["tags"]))} </span>')
    return " ".join(parts)


def _linked(cell: Mapping[str, Any], inner: str) -> str:
    if not cell.get("href"):
        return inner
    detail = f' data-cell="{escape(cell["detail"])}"' if cell.get("detail") else ""
    return f'<a href="{escape(cell["href"])}"{detail}>{inner}</a>'


def _tag(tag: Mapping[str, Any]) -> str:
    warning = " warning" if tag.get("warning") else ""
    return f'<abbr class="tag{warning}" title="{escape(tag.get("why") or "")}">{escape(tag["text"])}</abbr>'


def verdict(found: Mapping[str, Any]) -> str:
    """`{"kind", "text", "why"}` as a sign, a word that is read aloud, and the change."""
    kind, why, text = found["kind"], found.get("why"), found.get("text")
    title = f' title="{escape(why)}"' if why else ""
    change = f" {escape(text)}" if text else ""
    return f'<span class="verdict {escape(kind)}"{title}>{_SIGNS.get(kind, "")}{change}</span>'


@register.filter
def bars(found: Iterable[Mapping[str, Any]], chosen: str | None) -> SafeString:
    """An item a bar, of compare/bars.html; `chosen` is the key of the cell that is chosen."""
    return SafeString("\n".join(_bar(bar, bar["key"] == chosen) for bar in found))


def _bar(bar: Mapping[str, Any], chosen: bool) -> str:
    current = ' aria-current="true"' if chosen else ""
    shown = _drawn(bar) if bar.get("end") else f'<span class="words">{_words(bar["cell"])}</span>'
    return (
        f'<li><button name="cell" value="{escape(bar["key"])}" data-cell="{escape(bar["detail"])}"{current}>'
        f'<span class="label">{escape(bar["label"])}</span> {shown}</button></li>'
    )


def _words(cell: Mapping[str, Any]) -> str:
    if cell["status"] == "failed":
        return escape(cell.get("message") or "")
    return "too fast" if cell["status"] == "unmeasurable" else "…"


def _drawn(bar: Mapping[str, Any]) -> str:
    """The bar with its interval, its figure and its verdict."""
    cell, lines = bar["cell"], ""
    if base := bar.get("baseline"):
        lines = f'<line class="base" x1="{base}" x2="{base}" y1="0" y2="100%"/>'
    if low := bar.get("low"):
        high = bar["high"]
        lines += f'<line x1="{low}" x2="{high}" y1="50%" y2="50%"/><line x1="{low}" x2="{low}" y1="25%" y2="75%"/>'
        lines += "" if bar.get("cut") else f'<line x1="{high}" x2="{high}" y1="25%" y2="75%"/>'
    best, best_note = (" best", _BEST) if cell.get("best") else ("", "")
    unit = f" {escape(bar['unit'])}" if bar.get("unit") else ""
    mean = f'<span class="mean pad" data-pad="{escape(bar["pad"])}">{escape(cell.get("mean") or "")}</span>'
    judged = f" {verdict(cell['verdict'])}" if cell.get("verdict") else ""
    return (
        f'<svg class="series-{bar["series"]}" aria-hidden="true">'
        f'<rect width="{bar["end"]}" height="100%"/>{lines}</svg> '
        f'<span class="figure{best}">{mean}{unit}{best_note}</span>{judged}'
    )
