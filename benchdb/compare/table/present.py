"""The contexts of the partials that show a table, live or frozen. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.guard.mixed import split_href
from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.warning_box import PageWarning
from benchdb.compare.query.dimensions import dimension, label_of
from benchdb.compare.verdicts.sentences import warnings_of_all
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import ESTABLISHED, MEMORY_MEANING, ShownCell, has_tail_mark, show_cell, tags
from benchdb.runs.cells.links import result_href, run_href
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, SortForm, TableColumn
from benchdb.runs.cells.strips import Strip, StripPlace, strips
from benchdb.stats import NoVerdict
from benchdb.wording.changes import change_and_interval, effect_in_words, in_percent, range_in_words
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import unbroken
from benchdb.wording.times import read_start
from benchdb.wording.words import direction, metric_label

from .cell_views.chosen_cell import split_label
from .content import AcrossMachines, MeanRatio, TableContent, TablePart
from .grid import Grid
from .sorting.differing import DIFFERENCES, ROUNDS, differing_rows
from .sorting.heads import sorts_of_heads
from .sorting.rows import rows_as_shown, sort_of

MOST_EXPLAINED = 100  # cells with the reasons of verdicts and marks in the page; in larger tables only panels have them
RUNS_ANCHOR = "#runs"
TABLE_ID = "comparison"

CORRECTIONS = {"benjamini_hochberg": "Benjamini and Hochberg", "holm": "Holm"}
STATISTICS = {"median": "medians", "minimum": "smallest values", "maximum": "largest values"}
KINDS = {"device": "on the device", "cached": "in memory, at least in part", "unknown": "device or memory, unknown"}


class ShownMean(NamedTuple):
    """A geometric mean of ratios: the change in words, its interval or "", the number of cells, and warnings."""

    change: str
    interval: str
    cells: str
    warnings: list[str]


class MeansRow(NamedTuple):
    """The geometric means of a value of the factor, one for each of the table's kinds."""

    label: str
    means: list[ShownMean | None]


class ShownMeans(NamedTuple):
    """The context of compare/geometric_means.html.

    `machines` are sentences about the means on several machines.
    """

    baseline: str
    kinds: list[str]
    rows: list[MeansRow]
    machines: list[str]


def show_table(table: Grid, options: PageOptions, ranking: Mapping[str, int] | None = None) -> MeasuredTable:
    """The table of measured cells; `ranking` has the labels of its rows from best to worst, with their series."""
    content, judged = table.content, _is_judged(table)
    strips = dict(zip(table.keys, strips_of(table), strict=True)) if ROUNDS in options.show else {}
    differing = differing_rows(content) if DIFFERENCES in options.show else None
    percent, best = _is_in_percent(table), _best_alone(table)
    brief = sum(len(group.rows) for group in content.groups) * len(content.heads) > MOST_EXPLAINED

    series = ranking or {}
    places = {label: place for place, label in enumerate(series)} if sort_of(content) is None else {}

    def shown(cell: Cell | None, key: str) -> ShownCell:
        chosen = key == options.chosen
        mark = options.marks.get(key, "")
        name = f"c{key}"
        return show_cell(
            cell,
            href=_href(content, cell),
            detail=name,
            anchor=name,
            chosen=chosen,
            mark=mark,
            brief=brief,
            best=key in best,
            percent=percent,
            strip=strips.get(key),
        )

    groups = [
        RowGroup(
            label=split_label(group),
            note=" · ".join(filter(None, [_note(group, judged), group.n])),
            rows=[
                MeasuredRow(
                    unbroken(row.label),
                    _note(row, judged),
                    [shown(cell, f"{g}-{r}-{c}") for c, cell in enumerate(row.cells)],
                    hidden=differing is not None and r not in differing[g],
                    series=series.get(row.label),
                    baseline=row.baseline,
                )
                for r, row in sorted(rows, key=lambda numbered: places.get(numbered[1].label, len(places)))
            ],
        )
        for g, (group, rows) in enumerate(zip(content.groups, rows_as_shown(content), strict=True))
    ]
    row_head = content.rows.label[:1].upper() + content.rows.label[1:]
    sorting = SortForm(f"{TABLE_ID}-sort", options.address, options.sortable) if options.sortable else None
    columns = _columns(content, judged)
    return MeasuredTable(TABLE_ID, content.title, row_head, columns, groups, panels=options.panels, sorting=sorting)


def _is_in_percent(table: Grid) -> bool:
    """Whether the changes in the cells are percentages: if all established ones can be."""
    verdicts = [cell.verdict for cell in table.cells if cell.verdict and cell.verdict.kind in ESTABLISHED]
    return in_percent([verdict.ratio for verdict in verdicts if verdict.ratio])


def _best_alone(table: Grid) -> set[str]:
    """The keys of cells that are better than all of their rivals."""
    best = [[cell for cell in rivals.values() if table.cells[cell].best] for rivals in table.contests]
    return {table.keys[cells[0]] for cells in best if len(cells) == 1}


def _is_judged(table: Grid) -> bool:
    """Whether any cell has a verdict; a table with a single row compares nothing."""
    return any(cell.verdict for cell in table.cells)


def _note(part: TablePart, judged: bool) -> str | None:
    """The note beside a row or a group: "baseline" if it is the one of verdicts, and the unit if it has a metric."""
    unit = f"{part.unit} {direction(bool(part.higher_is_better))}" if part.metric else None
    return " · ".join(filter(None, ["baseline" if part.baseline and judged else None, unit])) or None


def _columns(content: TableContent, judged: bool) -> list[TableColumn]:
    """The heads; if one has the note "baseline", the others have an empty one, so that all names are aligned."""
    heads = content.heads
    with_note = judged and any(head.baseline for head in heads)
    return [
        TableColumn(
            label=unbroken(head.label),
            unit=head.unit,
            direction=direction(bool(head.higher_is_better)) if head.metric else None,
            note=("baseline" if head.baseline else "\u00a0") if with_note else None,
            sort=sort,
        )
        for head, sort in zip(heads, sorts_of_heads(content), strict=True)
    ]


def _href(content: TableContent, cell: Cell | None) -> str:
    """The address of the cell's evidence: its result, or the list of runs if the cell has several runs.

    The address of a mixed cell is that of the table which splits it.
    """
    if cell is None:
        return ""
    if cell.splits is not None:
        return split_href(content.query, cell.splits)
    return result_href(cell.runs[0], cell.ordinals[0]) if len(cell.runs) == 1 else RUNS_ANCHOR


def show_warnings(content: TableContent) -> list[PageWarning]:
    """The warnings that make the whole table doubtful, for documents without its answer."""
    severe = [difference.label for difference in content.differences if difference.severe]
    warnings = []
    if severe:
        factor = content.factor.label
        text = (
            f"Not only the {factor} differs: {', '.join(severe)} too. The differences in the table may come from there."
        )
        warnings.append(PageWarning(text, severe=True))
    return [*warnings, *(PageWarning(warning.text, severe=False) for warning in content.warnings)]


def notes(table: Grid) -> list[str]:
    """The notes below the table, which apply to the whole table."""
    verdicts = [cell.verdict for cell in table.cells]
    return [*table.content.notes, *warnings_of_all([*verdicts, *table.content.findings])]


def show_legend(table: Grid, shown: MeasuredTable) -> dict[str, object] | None:
    """The marks of the table to explain (compare/legend.html); None if there are none. `shown` is what the page has."""
    content, strips = table.content, shown.strips
    marks = {tag.text for cell in table.cells for tag in tags(cell)}
    judged = _is_judged(table)
    if not judged and not marks and not strips and content.statistic == "mean":
        return None
    # Whether there is such a mark, and the words for it. `statistic` is None if the large numbers are means; `centred`
    # is the baseline in the middle of strips, if there is one.
    return {
        "factor": content.factor.label,
        "judged": judged,
        "margin": f"{100 * content.margin:g}",
        "level": f"{content.level:g}",
        "correction": CORRECTIONS[content.correction],
        "statistic": None if content.statistic == "mean" else STATISTICS[content.statistic],
        "best": any(cell.best for group in shown.groups for row in group.rows for cell in row.cells),
        "tails": any(map(has_tail_mark, table.cells)),
        "memory": [(mark, meaning) for mark, meaning in MEMORY_MEANING.items() if mark in marks],
        "clk": "CLK" in marks,
        "warned": "!" in marks,
        "strips": bool(strips),
        "centred": content.baseline if any(strip.middle for strip in strips) else None,
        "established": any(cell.verdict and cell.verdict.kind in ESTABLISHED for cell in table.cells),
        "equal": any(cell.verdict and cell.verdict.kind == "equivalent" for cell in table.cells),
    }


def show_geometric_means(content: TableContent) -> ShownMeans | None:
    """Rows of the geometric means; None if there are none."""
    means = content.geometric_means
    if not means and not content.across_machines:
        return None
    columns = {"device": [row.device for row in means], "cached": [row.cached for row in means]}
    columns |= {"unknown": [row.unknown for row in means]}
    columns = {kind: column for kind, column in columns.items() if any(column)}
    several = len({row.metric for row in means} | {mean.metric for mean in content.across_machines}) > 1
    rows = [
        MeansRow(
            " · ".join(
                [
                    row.row,
                    *(
                        [f"{metric_label(row.metric)} {direction(METRICS[row.metric].higher_is_better)}"]
                        if several
                        else []
                    ),
                ]
            ),
            [_geometric_mean(row.metric, column[i]) for column in columns.values()],
        )
        for i, row in enumerate(means)
    ]
    machines = [_on_machines(mean, several=several) for mean in content.across_machines]
    return ShownMeans(content.baseline, [KINDS[kind] for kind in columns], rows, machines)


def _geometric_mean(metric: str, mean: MeanRatio | None) -> ShownMean | None:
    if mean is None:
        return None
    change, interval = change_and_interval(metric, mean.ratio, mean.low, mean.high)
    return ShownMean(change, interval, plural(mean.cells, "cell"), [warning.text for warning in mean.warnings])


def _on_machines(mean: AcrossMachines, *, several: bool) -> str:
    """`xfs, on the device: 8 % faster on average of 5 machines (95 % interval …), and holds on 4 of 5. …`."""
    name = " · ".join([mean.row, *([metric_label(mean.metric)] if several else [])])
    words = effect_in_words(mean.metric, mean.ratio, mean.low, mean.high)
    return (
        f"{name}, {KINDS[mean.measured]}: {words.change} on average of {mean.machines} machines "
        f"(95 % interval {words.interval}, {plural(mean.cells, 'cell')} each), "
        f"and holds on {mean.holds_on} of {mean.machines}. On another machine, "
        f"{range_in_words(mean.metric, mean.expected_low, mean.expected_high)} would be expected (95 %)."
    )


def runs_head(content: TableContent) -> str:
    """The head of the runs' labels: the dimensions of the factor that are of runs."""
    names = [name for name in content.factor.names if dimension(name).of is not None]
    return label_of(names or ["file_system"])


def show_runs(content: TableContent, links: Mapping[str, str]) -> list[dict[str, object]]:
    """The runs in the table, with their pages; `links` are the addresses of their surfaces."""
    return [
        {
            "label": line.label,
            "href": run_href(line.id),
            "tool": line.tool,
            "machine": line.machine,
            "rounds": line.rounds,
            "started_at": read_start(line.started_at),
            "surface": links.get(line.id),
        }
        for line in content.run_list
    ]


def strips_of(table: Grid) -> list[Strip | None]:
    """The strip of each cell; None for cells that have none.

    A rival that cannot be compared, because one of both measured memory, has an axis of its own.
    """
    axes = [
        (place, cell.verdict is not None and cell.verdict.reason == NoVerdict.CACHE.value)
        for place, cell in zip(table.place.tolist(), table.cells, strict=True)
    ]
    numbers = {axis: number for number, axis in enumerate(dict.fromkeys(axes))}
    middles = {axis: cell.mean for axis, cell in zip(axes, table.cells, strict=True) if cell.baseline}
    places = [StripPlace(cell, numbers[axis], middles.get(axis)) for axis, cell in zip(axes, table.cells, strict=True)]
    return strips(places, table.content.margin)
