"""Builds the verdict card of a table from its grid alone, so that live pages, permalinks and pictures agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from math import log

from benchdb.compare.query.dimensions import label_of
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import Grid
from benchdb.wording.colours import colours
from benchdb.wording.numbers import plural
from benchdb.wording.words import metric_label

from .effects import common_cells, effects_of
from .facts import CardLine, CardRow, Compared, VerdictCard
from .pairs import ComparedCell, compared_cells
from .rows import ORDERED, CellsOfRow, kept_rows, rows_of, signs_of
from .words import line_of

MOST_COMPARED = 6  # with the baseline, as many as there are colours that people can tell apart
MOST_ROWS = {3: 16, MOST_COMPARED: 10}  # by the number of compared values, so that the answer is on the first screen
MOST_MATRICES = 3  # if each has a column for every head
MOST_HEADS = 14
MOST_LINES = 3
DIFFERENT = ("better", "worse")


def card_of(table: Grid) -> VerdictCard | None:
    """The card; None if nothing was compared with a baseline."""
    content, cells = table.content, compared_cells(table)
    if not cells:
        return None
    values = list(dict.fromkeys(cell.value for cell in cells))
    compared = _series(content, values, cells)
    shown = {each.label for each in compared}
    cells = [cell for cell in cells if cell.value in shown]
    in_memory = _in_memory(cells)
    if not any(cell.counts for cell in cells):
        return VerdictCard(content.baseline, [], compared, [], [], [], "", None, [_why_nothing(content, cells)])
    varying = {name: labels for name, labels in table.labels.items() if len(labels) > 1}
    all_rows, row_name = rows_of(table, cells, varying)
    of_device = [row for row in all_rows if any(cell.key not in in_memory for cell in row.cells)]
    rows = [row for row in of_device if any(cell.counts for cell in row.cells)]
    without_ratio = [row.label for row in of_device if row not in rows]
    of_memory = [row.label for row in all_rows if all(cell.key in in_memory for cell in row.cells)]
    others = [name for name in ORDERED if name not in (row_name, *content.factor.names)]
    head_name = next((name for name in others if _fits(varying.get(name, ()))), "")
    heads = list(varying.get(head_name, ()))
    counting = [common_cells(cell for cell in row.cells if cell.key not in in_memory) for row in rows]
    effects = effects_of(content, counting)
    judged = _judged(compared, rows, in_memory, MOST_MATRICES if heads else MOST_COMPARED)
    lines, overall = _lines(content, compared, [cell for cell in cells if cell.key not in in_memory])
    of_rows = [
        CardRow(
            row.label,
            row.higher_is_better,
            [found.get(each.label) for each in compared],
            [signs_of(table, row, each, head_name, in_memory) for each in judged],
        )
        for row, found in zip(rows, effects, strict=True)
    ]
    most = next(most for number, most in MOST_ROWS.items() if len(compared) <= number)
    return VerdictCard(
        baseline=content.baseline,
        lines=lines,
        compared=compared,
        judged=judged,
        rows=[*overall, *kept_rows(of_rows, most, ordered=row_name in ORDERED)],
        heads=heads,
        head_name=label_of([head_name]) if head_name else "",
        warning=_warning(content),
        notes=[
            *_left_out(content.factor.label, len(values), compared, judged, (len(rows), most)),
            *_say_rows("No ratio", without_ratio),
            *_say_rows("Left out because memory was measured, at least in part", of_memory),
        ],
    )


def _fits(labels: Sequence[str]) -> bool:
    """Whether a dimension with these labels can be the heads of a matrix."""
    return 1 < len(labels) <= MOST_HEADS


def _series(content: TableContent, values: Sequence[str], cells: Sequence[ComparedCell]) -> list[Compared]:
    """The compared values with the numbers of their colours, beside that of the baseline.

    Of too many these are the ones with the largest mean that differs, then with the most cells that do. Intervals of
    means hold for all values together, so also for those that were chosen.
    """
    largest: dict[str, float] = defaultdict(float)
    for row in content.geometric_means:
        for mean in (row.device, row.cached, row.unknown):
            if mean is not None and mean.ratio and mean.verdict in DIFFERENT:
                largest[row.row] = max(largest[row.row], abs(log(mean.ratio)))
    different = Counter(cell.value for cell in cells if cell.verdict.kind in DIFFERENT)
    kept = sorted(values, key=lambda value: (-largest[value], -different[value]))[:MOST_COMPARED]
    shown = [value for value in values if value in kept]
    return [Compared(*each) for each in zip(shown, colours([content.baseline, *shown])[1:], strict=True)]


def _judged(
    compared: Sequence[Compared], rows: Sequence[CellsOfRow], in_memory: Collection[str], most: int
) -> list[Compared]:
    """The compared values whose verdicts have room: those with the most differences, in their own order."""
    differences = Counter(
        cell.value for row in rows for cell in row.cells if cell.verdict.kind in DIFFERENT and cell.key not in in_memory
    )
    kept = sorted(compared, key=lambda each: -differences[each.label])[:most]
    return [each for each in compared if each in kept]


def _in_memory(cells: Sequence[ComparedCell]) -> set[str]:
    """The keys of cells that do not count because they measured memory and others of their metric did not."""
    others = {cell.measure.metric for cell in cells if cell.counts and cell.measured != "cached"}
    return {cell.key for cell in cells if cell.measured == "cached" and cell.measure.metric in others}


def _why_nothing(content: TableContent, cells: Sequence[ComparedCell]) -> str:
    """`No difference from ext4 is known: …`, with the most frequent reason."""
    (why, number), *_ = Counter(cell.verdict.why for cell in cells).most_common(1)
    of = "" if number == len(cells) else f" ({number} of {plural(len(cells), 'cell')})"
    return f"There is no ratio to {content.baseline}. {why}{of}"


def _lines(
    content: TableContent, compared: Sequence[Compared], cells: Sequence[ComparedCell]
) -> tuple[list[CardLine], list[CardRow]]:
    """The lines of words by metric, and the rows of the means over all cells."""
    metrics = list(dict.fromkeys(cell.measure.metric for cell in cells))[:MOST_LINES]
    lines, overall = [], []
    for metric in metrics:
        of_metric = [cell for cell in cells if cell.measure.metric == metric]
        line, effects = line_of(content, metric, compared, of_metric)
        lines.append(line)
        if effects:
            label = "All together" if len(metrics) == 1 else f"All, {metric_label(metric)}"
            overall.append(CardRow(label, of_metric[0].measure.higher_is_better, effects, [], overall=True))
    return lines, overall


def _left_out(
    factor: str, values: int, compared: Sequence[Compared], judged: Sequence[Compared], rows: tuple[int, int]
) -> list[str]:
    """What a card has no room for: `Shown are 6 of 7 values of file system, those with the largest differences`.

    `rows` are their number and the number that has room.
    """
    parts = []
    if values > MOST_COMPARED:
        parts.append(f"{MOST_COMPARED} of {values} values of {factor}")
    if len(judged) < len(compared):
        parts.append(f"the verdicts of {len(judged)} of {len(compared)}")
    number, most = rows
    if number > most:
        parts.append(f"{most} of {number} rows")
    if not parts:
        return []
    listed = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    return [f"Shown are {listed}, those with the largest differences; the table below has all."]


def _say_rows(why: str, rows: Sequence[str]) -> list[str]:
    """The rows that are left out and the reason: `No ratio: Read, Reread.`"""
    return [f"{why}: {', '.join(rows)}."] if rows else []


def _warning(content: TableContent) -> str | None:
    """What makes the whole table doubtful."""
    severe = [difference.label for difference in content.differences if difference.severe]
    return None if not severe else f"Not only the {content.factor.label} differs: {', '.join(severe)} too."
