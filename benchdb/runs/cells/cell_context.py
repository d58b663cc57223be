"""Cells (benchdb/runs/cells/cell.py) as tables show them: the number, its verdict and its marks. Pure functions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from benchagent.verdicts import VERDICTS
from benchdb.wording.changes import effect_in_words
from benchdb.wording.units import Unit
from benchdb.wording.words import cut, percentile_name

from .cell import Cell
from .strips import Strip
from .verdict import CellWarning

LONGEST_WORDS = 70  # characters of an error message in a cell; the panel has the whole message
# Warnings that every cell of a table may have: a mark or a note replaces them.
QUIET = {"one_value", "no_values", "within_one_run", "moments_only", "n_unknown"}
ESTABLISHED = ("better", "worse")
# The mark of what measured memory, by the verdict about its cache, and its meaning.
MEMORY_MARKS = {"cached": "RAM", "mixed": "part RAM"}
MEMORY_MEANING = {"RAM": "Measured memory, not the device", "part RAM": "Measured memory in part"}
STEPS = (2, 5, 10)  # factors from which an established change has a stronger shade
_ROUND = re.compile(r"^round \d+: ")


@dataclass(frozen=True, slots=True)
class CellTag:
    """A mark beside a number (p99.9 ▼, RAM, CLK, !) with its reason."""

    text: str
    why: str
    warning: bool = False


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A verdict: its kind and reason; if a difference is established, the change in words and its size, 1 to 4."""

    kind: str
    text: str
    why: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class ShownCell:
    """The context of web/partials/cell.html.

    `status` is ok, failed, unmeasurable, mixed, deleted or missing. `mean` and `sd` are texts; an ok cell without a
    mean is still being computed. `single` if n is 1: the page shows that instead of an sd. `message` is the error
    that the tool printed, or the words of a mixed cell. `href` leads to the evidence, `detail` is the key of the
    panel in the details of the table, `anchor` the id that findings link to. `strip` are the rounds as dots. The
    table fills `mean_pad` and `sd_pad`, the digits that the figures lack in their column. `memory` is the mark
    of a cell that measured that, at least in part, or "".
    """

    status: str
    mean: str = ""
    sd: str | None = None
    single: bool = False
    best: bool = False
    verdict: ShownVerdict | None = None
    tags: list[CellTag] = field(default_factory=list)
    message: str = ""
    href: str | None = None
    detail: str | None = None
    anchor: str | None = None
    chosen: bool = False
    strip: Strip | None = None
    memory: str = ""
    mean_pad: str = ""
    sd_pad: str = ""


def show_cell(
    cell: Cell | None,
    *,
    href: str = "",
    detail: str = "",
    anchor: str = "",
    chosen: bool = False,
    mark: str = "",
    brief: bool = False,
    best: bool = False,
    percent: bool | None = None,
    strip: Strip | None = None,
) -> ShownCell:
    """The cell as a table shows it; `mark` is the reason of a mark "changed" before its other marks.

    A `brief` cell has its verdict and marks without their reasons, which its panel has too. `best` if it is better than
    all of its rivals, `percent` if the changes of the table are percentages.
    """
    marks = [CellTag("changed", mark, warning=True)] if mark else []
    if cell is None or cell.status == "deleted":
        return ShownCell("missing" if cell is None else "deleted", tags=marks, anchor=anchor or None)
    return ShownCell(
        "ok" if cell.status == "computing" else cell.status,  # its missing mean is displayed as …
        mean="" if cell.status == "mixed" else cell.text.shown,
        sd=cell.text.beneath or None,
        single=cell.n == 1,
        best=best,
        verdict=_verdict(cell, brief=brief, percent=percent),
        tags=[*marks, *(replace(tag, why="") if brief else tag for tag in tags(cell))],
        message=cell.text.shown if cell.status == "mixed" else first_words(cell.error),
        href=href or None,
        detail=None if cell.status == "mixed" else detail or None,
        anchor=anchor or None,
        chosen=chosen,
        strip=strip,
        memory=MEMORY_MARKS.get(cell.cache.verdict, ""),
    )


def _verdict(cell: Cell, *, brief: bool, percent: bool | None) -> ShownVerdict | None:
    verdict = cell.verdict
    if verdict is None:
        return None
    why = "" if brief else verdict.why
    if verdict.kind not in ESTABLISHED or not verdict.ratio:
        return ShownVerdict(verdict.kind, "", why)
    words = effect_in_words(cell.metric, verdict.ratio, verdict.low, verdict.high, percent=percent)
    factor = max(verdict.ratio, 1 / verdict.ratio)
    return ShownVerdict(verdict.kind, words.change, why, 1 + sum(factor >= step for step in STEPS))


def tags(cell: Cell) -> list[CellTag]:
    """The marks beside a number, each with its reason: tail, RAM, CLK, and ! for all other warnings."""
    marks = []
    if cell.tail and has_tail_mark(cell):
        marks.append(CellTag(f"{percentile_name(cell.tail.share)} {VERDICTS[cell.tail.kind].sign}", cell.tail.why))
    if mark := MEMORY_MARKS.get(cell.cache.verdict):
        marks.append(CellTag(mark, f"{MEMORY_MEANING[mark]}. {cell.cache.text}"))
    if cell.clock.verdict in ("coarse", "unusable"):
        marks.append(CellTag("CLK", cell.clock.text, warning=cell.clock.verdict == "unusable"))
    if others := [warning.text for warning in warnings_of(cell) if warning.code not in QUIET]:
        marks.append(CellTag("!", " ".join(others), warning=True))
    return marks


def warnings_of(cell: Cell) -> list[CellWarning]:
    """The warnings about the cell, then those about its verdict."""
    return [*cell.warnings, *(cell.verdict.warnings if cell.verdict else [])]


def has_tail_mark(cell: Cell) -> bool:
    """Whether the cell has a mark because its slowest operations take more or less time than those of the baseline."""
    return cell.status == "ok" and cell.tail is not None and cell.tail.kind in ESTABLISHED


def first_words(error: str | None) -> str:
    """The first line of an error message without the number of its round, cut to fit into a cell."""
    return cut(_ROUND.sub("", (error or "failed").partition("\n")[0]), LONGEST_WORDS)


def headline(cell: Cell, unit: Unit) -> str:
    """`52.62 ± 0.10 MiB/s`, or the reason for a missing number."""
    if cell.mean is None:
        words = {"failed": first_words(cell.error), "unmeasurable": "too fast to measure", "deleted": "deleted"}
        words["mixed"] = cell.text.shown
        return words.get(cell.status, "still being computed")
    spread = f" ± {cell.text.sd}" if cell.text.sd else ""
    return f"{cell.text.mean}{spread} {unit.name}"
