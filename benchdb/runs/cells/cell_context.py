"""Template contexts of cells (benchdb/runs/cells/cell.py): the cell of a table, its tags, and its panel.

All functions are pure functions of plain data, so the same code displays frozen and live tables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from benchdb.wording.numbers import decimals_of, plural, say_exact, say_number, say_numbers
from benchdb.wording.units import UNITS, Unit

from .cell import Cell
from .links import line_href, result_href

Context = dict[str, Any]
TermList = list[tuple[str, str]]

LONGEST_COMMAND = 4_000  # characters: the panel of every cell contains it
LONGEST_WORDS = 70  # characters of an error message in a cell; the panel has the whole message
# Warnings that every cell of a table may have: a mark or a note replaces them.
QUIET = {"one_value", "no_values", "within_one_run", "moments_only", "n_unknown"}
_ROUND = re.compile(r"^round \d+: ")


def show_cell(cell: Cell | None, *, href: str = "", detail: str = "") -> Context:
    """The context of web/partials/cell.html; `detail` is the key of the cell's panel in the table's details."""
    if cell is None or cell["status"] == "deleted":
        return {"status": "missing" if cell is None else "deleted"}
    text = cell["text"]  # cells frozen with the first schema have only mean and sd
    return {
        "status": "ok" if cell["status"] == "computing" else cell["status"],  # its missing mean is displayed as …
        "mean": text.get("shown", text["mean"]),
        "sd": text.get("beneath", text["sd"]) or None,
        "single": cell["n"] == 1,
        "best": cell.get("best", False),
        "verdict": _verdict(cell.get("verdict")),
        "tags": tags(cell),
        "message": first_words(cell["error"]),
        "href": href or None,
        "detail": detail or None,
    }


def _verdict(verdict: Mapping[str, Any] | None) -> Context | None:
    if verdict is None:
        return None
    text = verdict["change"] if verdict["kind"] in ("better", "worse") else ""
    return {"kind": verdict["kind"], "text": text, "why": verdict["why"]}


def tags(cell: Cell) -> list[Context]:
    """The marks beside a number, each with its reason: RAM, CLK, and ! for all other warnings."""
    marks = []
    if cell["cache"]["verdict"] == "cached":
        marks.append(_tag("RAM", f"Measured memory, not the device. {cell['cache']['text']}"))
    if cell["clock"]["verdict"] in ("coarse", "unusable"):
        marks.append(_tag("CLK", cell["clock"]["text"], warning=cell["clock"]["verdict"] == "unusable"))
    if others := [warning["text"] for warning in warnings_of(cell) if warning["code"] not in QUIET]:
        marks.append(_tag("!", " ".join(others), warning=True))
    return marks


def _tag(text: str, why: str, *, warning: bool = False) -> Context:
    return {"text": text, "why": why, "warning": warning}


def warnings_of(cell: Cell) -> list[dict[str, Any]]:
    """The warnings about the cell, then those about its verdict."""
    return [*cell["warnings"], *(cell.get("verdict") or {"warnings": []})["warnings"]]


def first_words(error: str | None) -> str:
    """The first line of an error message without the number of its round, cut to fit into a cell."""
    line = _ROUND.sub("", (error or "failed").partition("\n")[0])
    return line if len(line) <= LONGEST_WORDS else line[: LONGEST_WORDS - 1] + "…"


def show_panel(cell: Cell, title: str, unit: Unit, command: str | None = None) -> Context:
    """The data of a cell's panel (docs/frontend.md, "Panel"); numbers are in the displayed unit."""
    decimals = decimals_of(cell["mean"], cell["sd"], cell["n"], unit)
    values, per = cell["values"] or [], unit.per
    labels = iter(say_numbers([value / per for value in values if value is not None], decimals))
    return {
        "title": title,
        "headline": headline(cell, unit),
        "facts": cell_facts(cell, unit, decimals),
        "values": [None if value is None else float(f"{value / per:.6g}") for value in values],  # for the plot
        "labels": ["no value" if value is None else next(labels) for value in values],
        "each": "run" if len(cell["runs"]) > 1 else "round",
        "mean": None if cell["mean"] is None else cell["mean"] / unit.per,
        "interval": None if cell["low"] is None else [cell["low"] / unit.per, cell["high"] / unit.per],
        "command": command if command is None or len(command) <= LONGEST_COMMAND else f"{command[:LONGEST_COMMAND]} …",
        "links": _links(cell),
    }


def headline(cell: Cell, unit: Unit) -> str:
    """`52.62 ± 0.10 MiB/s`, or the reason for a missing number."""
    if cell["mean"] is None:
        words = {"failed": first_words(cell["error"]), "unmeasurable": "too fast to measure", "deleted": "deleted"}
        return words.get(cell["status"], "still being computed")
    spread = f" ± {cell['text']['sd']}" if cell["text"]["sd"] else ""
    return f"{cell['text']['mean']}{spread} {unit.name}"


def cell_facts(cell: Cell, unit: Unit, decimals: int | None = None) -> TermList:
    """All facts of a cell besides its mean and its values, as terms and texts; without `decimals`, computes them."""
    facts: TermList = []
    if cell["mean"] is not None:
        if decimals is None:
            decimals = decimals_of(cell["mean"], cell["sd"], cell["n"], unit)
        facts += [("n", _counted(cell)), *_figures(cell, unit, decimals), ("exact", exact(cell["mean"], unit))]
    if verdict := cell.get("verdict"):
        facts.append(("compared", verdict["why"]))
    if cell["status"] != "failed":
        facts += [("cache", _judged(cell["cache"])), ("clock", _judged(cell["clock"]))]
    facts += [("note", warning["text"]) for warning in warnings_of(cell)]
    return [*facts, ("error", cell["error"])] if cell["error"] else facts


def _judged(judgement: Mapping[str, Any]) -> str:
    return f"{judgement['verdict']}: {judgement['text']}"


def _counted(cell: Cell) -> str:
    if cell["n"] is None:
        return "unknown"
    repeated = "run" if len(cell["runs"]) > 1 else "round"
    total = len(cell["values"] or []) or cell["n"]
    return plural(cell["n"], repeated) if total == cell["n"] else f"{cell['n']} of {plural(total, repeated)}"


def _figures(cell: Cell, unit: Unit, decimals: int) -> TermList:
    def text(name: str) -> str:
        return say_number(cell[name] / unit.per, decimals)

    facts: TermList = []
    if cell["low"] is not None:
        facts.append(("95 % interval", f"{text('low')} to {text('high')} {unit.name}"))
    if cell["median"] is not None and (cell["n"] or 0) > 1:
        between = f" ({text('median_low')} to {text('median_high')})" if cell["median_low"] is not None else ""
        facts.append(("median", f"{text('median')}{between} {unit.name}"))
    if (cell["n"] or 0) > 1 and cell.get("minimum") is not None:
        facts.append(("range", f"{text('minimum')} to {text('maximum')} {unit.name}"))
    if cell.get("within_sd") is not None:
        facts.append(("inside runs", f"sd {text('within_sd')} {unit.name}; the ± is that of the runs' means"))
    if cell.get("between_sd") is not None:
        facts.append(("between runs", f"sd {text('between_sd')} {unit.name} apart from what the rounds explain"))
    return facts


def exact(value: float, unit: Unit) -> str:
    """A figure with all digits in the base unit and in the unit of tools: throughputs in KiB/s, times in minutes."""
    base = f"{say_exact(value)} {unit.base}"
    if unit.base == "s" and abs(value) >= 60:
        minutes, seconds = divmod(Decimal(f"{value:.15g}"), 60)
        return f"{base} = {minutes:,} m {seconds.normalize():f} s"
    kib = UNITS["KiB/s"]
    return f"{say_exact(value / kib.per)} {kib.name} = {base}" if unit.base == kib.base else base


def _links(cell: Cell) -> list[dict[str, str]]:
    if len(cell["runs"]) == 1:
        (run,) = cell["runs"]
        result = {"text": "all figures", "href": result_href(run, cell["ordinals"][0])}
        return [result, *raw_links(run, cell["places"], cell["values"])]
    numbered = enumerate(zip(cell["runs"], cell["ordinals"], strict=True), start=1)
    return [{"text": f"run {i}", "href": result_href(run, ordinal)} for i, (run, ordinal) in numbered]


def raw_links(
    run: str, sources: Sequence[Mapping[str, Any] | None], values: Sequence[float | None] | None
) -> list[dict[str, str]]:
    """A link for each value to its line of raw output."""
    if len(sources) == 1 and sources[0] is not None:
        return [{"text": f"raw output, line {sources[0]['line']}", "href": line_href(run, sources[0])}]
    return [
        {"text": f"round {i}", "href": line_href(run, source)}
        for i, (source, value) in enumerate(zip(sources, values or [None] * len(sources), strict=False), start=1)
        if source is not None and value is not None
    ]
