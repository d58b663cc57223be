"""The panel of a cell: all of its figures, its values by round, and links to their evidence. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from benchagent.formats.vocabulary import own_name
from benchdb.runs.queries import ValuePlace
from benchdb.stats import Method, too_few_sentence
from benchdb.wording.changes import effect_in_words
from benchdb.wording.numbers import decimals_of, plural, say_exact, say_number, say_numbers
from benchdb.wording.units import UNITS, Unit

from .cell import Cell
from .cell_context import headline, warnings_of
from .clock_and_cache import CellCache, CellClock
from .links import line_href, result_href
from .verdict import CellVerdict

TermList = list[tuple[str, str]]
CellPanel = dict[str, object]  # the page holds it as JSON (docs/frontend.md, "Panel")

LONGEST_COMMAND = 4_000  # characters: the panel of every cell contains it


def show_panel(
    cell: Cell, title: str, unit: Unit, command: str | None = None, tool: str | None = None, plan: str | None = None
) -> CellPanel:
    """The panel of a cell; numbers are in the displayed unit. `tool` measured it, if it was one.

    `labels` are the values as text, `each` is the noun for a value: round or run. `plan` is the address of a plan with
    more rounds.
    """
    decimals = decimals_of(cell.mean, cell.sd, cell.n, unit)
    values, per = cell.values or [], unit.per
    labels = iter(say_numbers([value / per for value in values if value is not None], decimals))
    return {
        "title": title,
        "headline": headline(cell, unit),
        "facts": [*own_name_fact(tool, cell.test), *cell_facts(cell, unit, decimals)],
        "values": [None if value is None else float(f"{value / per:.6g}") for value in values],  # for the plot
        "labels": ["no value" if value is None else next(labels) for value in values],
        "each": "run" if len(cell.runs) > 1 else "round",
        "mean": None if cell.mean is None else cell.mean / per,
        "interval": None if cell.low is None or cell.high is None else [cell.low / per, cell.high / per],
        "command": command if command is None or len(command) <= LONGEST_COMMAND else f"{command[:LONGEST_COMMAND]} …",
        "links": [*([{"text": "plan with more rounds", "href": plan}] if plan else []), *_links(cell)],
    }


def cell_facts(cell: Cell, unit: Unit, decimals: int | None = None) -> TermList:
    """All facts of a cell besides its mean and its values, as terms and texts; without `decimals`, computes them."""
    facts: TermList = []
    if cell.mean is not None:
        if decimals is None:
            decimals = decimals_of(cell.mean, cell.sd, cell.n, unit)
        facts += [("n", _counted(cell)), *_figures(cell, unit, decimals), ("exact", exact(cell.mean, unit))]
    if verdict := cell.verdict:
        facts += [("compared", verdict.why), *_ratio_of_means(cell.metric, verdict)]
    if tail := cell.tail:
        facts.append(("tail", tail.why))
    if cell.status != "failed":
        facts += [("cache", _judged(cell.cache)), ("clock", _judged(cell.clock))]
    facts += [("note", warning.text) for warning in warnings_of(cell)]
    if cell.values and (too_few := too_few_sentence(cell.n or 0, "run" if len(cell.runs) > 1 else "round")):
        facts.append(("note", too_few))
    return [*facts, ("error", cell.error)] if cell.error else facts


def own_name_fact(tool: str | None, test: str | None) -> TermList:
    """What the tool itself calls the test, if that is another name: `("named by filebench", "IO Summary")`."""
    name = own_name(tool, test) if tool and test else None
    return [(f"named by {tool}", name)] if name else []


def _ratio_of_means(metric: str, verdict: CellVerdict) -> TermList:
    """The ratio of the arithmetic means, which the table shows, if the verdict is about the geometric means."""
    if verdict.method in (None, Method.NONE, Method.WELCH_ON_MOMENTS) or verdict.ratio_of_means is None:
        return []
    return [
        (
            "ratio of means",
            f"{effect_in_words(metric, verdict.ratio_of_means).phrase}; compared are the geometric means",
        )
    ]


def _judged(judgement: CellClock | CellCache) -> str:
    verdict = "ok" if judgement.verdict == "fine" else judgement.verdict
    return f"{verdict}: {judgement.text}"


def _counted(cell: Cell) -> str:
    if cell.n is None:
        return "unknown"
    repeated = "run" if len(cell.runs) > 1 else "round"
    total = len(cell.values or []) or cell.n
    return plural(cell.n, repeated) if total == cell.n else f"{cell.n} of {plural(total, repeated)}"


def _figures(cell: Cell, unit: Unit, decimals: int) -> TermList:
    def text(figure: float | None) -> str:
        return "" if figure is None else say_number(figure / unit.per, decimals)

    facts: TermList = []
    if cell.low is not None:
        facts.append(("95 % interval", f"{text(cell.low)} to {text(cell.high)} {unit.name}"))
    if cell.median is not None and (cell.n or 0) > 1:
        between = f" ({text(cell.median_low)} to {text(cell.median_high)})" if cell.median_low is not None else ""
        facts.append(("median", f"{text(cell.median)}{between} {unit.name}"))
    if (cell.n or 0) > 1 and cell.minimum is not None:
        facts.append(("range", f"{text(cell.minimum)} to {text(cell.maximum)} {unit.name}"))
    if cell.within_sd is not None:
        facts.append(("inside runs", f"sd {text(cell.within_sd)} {unit.name}; the ± is that of the runs' means"))
    if cell.between_sd is not None:
        facts.append(("between runs", f"sd {text(cell.between_sd)} {unit.name} apart from what the rounds explain"))
    return facts


def exact(value: float, unit: Unit) -> str:
    """A figure with all digits in the base unit and in the unit of tools: throughputs in KiB/s, times in minutes."""
    base = f"{say_exact(value)} {unit.base}"
    if unit.base == "s" and abs(value) >= 60:
        minutes, seconds = divmod(Decimal(f"{value:.15g}"), 60)
        return f"{base} = {minutes:,} m {seconds.normalize():f} s"
    kib = UNITS["KiB/s"]
    return f"{say_exact(value / kib.per)} {kib.name} = {base}" if unit.base == kib.base else base


def _links(cell: Cell) -> list[dict[str, object]]:
    if len(cell.runs) == 1:
        (run,) = cell.runs
        result: dict[str, object] = {"text": "all figures", "href": result_href(run, cell.ordinals[0])}
        return [result, *raw_links(run, cell.places, cell.values)]
    numbered = enumerate(zip(cell.runs, cell.ordinals, strict=True), start=1)
    return [{"text": f"run {i}", "href": result_href(run, ordinal)} for i, (run, ordinal) in numbered]


def raw_links(
    run: str, sources: Sequence[ValuePlace | None], values: Sequence[float | None] | None
) -> list[dict[str, object]]:
    """A link for each value to its line of raw output."""
    if len(sources) == 1 and sources[0] is not None:
        return [{"text": f"raw output, line {sources[0]['line']}", "href": line_href(run, sources[0])}]
    return [
        {"text": f"round {i}", "href": line_href(run, source)}
        for i, (source, value) in enumerate(zip(sources, values or [None] * len(sources), strict=False), start=1)
        if source is not None and value is not None
    ]
