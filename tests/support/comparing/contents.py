"""Contents of tables (schema `benchdb.table/3`) from numbers, without runs, for code that only reads contents."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from benchdb.compare.content import Measure
from benchdb.compare.query.dimensions import dimension
from benchdb.compare.table.content import AxisName, TableContent, TableGroup, TablePart, TableRow
from benchdb.compare.verdicts.pairs import compare_sides, stack, verdicts_of
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.clock_and_cache import CellCache
from benchdb.runs.cells.warnings import with_sentence
from benchdb.stats import best_sets, summarise
from benchdb.wording.sizes import parse_size
from tests.support.comparing.cells import a_cell

THROUGHPUT = Measure("throughput", "MiB/s", "B/s", 1024**2, True)
LATENCY = Measure("latency_p99", "ms", "s", 1e-3, False)
CPU = Measure("cpu_of_one_core", "%", "ratio", 0.01, False)
CACHED = CellCache("cached", "fits_in_memory", {}, "The file fits in memory.")


def cells(values: npt.ArrayLike) -> list[Cell]:
    """A cell of one run for each row of (C, n) values."""
    matrix = np.asarray(values, dtype=float)
    return [
        a_cell(
            n=row.n,
            mean=row.mean,
            sd=row.sd,
            median=row.median,
            low=row.mean_low,
            high=row.mean_high,
            values=line.tolist(),
            warnings=[with_sentence(warning) for warning in row.warnings],
            runs=["r"],
        )
        for row, line in zip(summarise(matrix).rows(), matrix, strict=True)
    ]


def failed(error: str) -> Cell:
    """A cell of a test that failed."""
    none = dict.fromkeys(("n", "mean", "sd", "median", "minimum", "maximum", "low", "high", "values"))
    return replace(cells([[1.0]])[0], **none, status="failed", error=error, warnings=[])


def content(
    rows: Sequence[str],
    heads: Sequence[str],
    cells_by_labels: Mapping[tuple[str, str, str], Cell],
    *,
    splits: Sequence[str] = ("",),
    row: str = "file_system",
    head: str = "test",
    split: str = "record_size",
    measures: Mapping[str, Measure] | None = None,
    margin: float = 0.05,
) -> TableContent:
    """A table of cells by (split, row, head); the first row is the baseline. `measures` are by head."""
    measure_of = {label: (measures or {}).get(label, THROUGHPUT) for label in heads}
    columns = _judged(
        {
            (split_label, label): [cells_by_labels.get((split_label, row_label, label)) for row_label in rows]
            for split_label in splits
            for label in heads
        },
        measure_of,
    )
    # All verdicts of the table are one family.
    final = _with_verdicts(columns, measure_of, margin)
    return TableContent(
        schema="benchdb.table/3",
        title="",
        subtitle="",
        query="",
        notes=[],
        runs=["r"],
        run_list=[],
        computing=[],
        statistics_version=1,
        benchdb_version="",
        statistic="mean",
        margin=margin,
        level=0.05,
        correction="benjamini_hochberg",
        differences=[],
        warnings=[],
        recomputing=[],
        factor=AxisName([row], row.replace("_", " ")),
        rows=AxisName([row], row),
        columns=AxisName([head], head),
        split=AxisName([split], split),
        baseline=rows[0],
        heads=[
            TablePart(
                label=label,
                parts={head: label},
                values=_values(head, label),
                baseline=False,
                **measure_of[label]._asdict(),
            )
            for label in heads
        ],
        groups=[
            TableGroup(
                label=split_label,
                parts={split: split_label} if split_label else {},
                values=_values(split, split_label) if split_label else {},
                baseline=False,
                n="",
                rows=[
                    TableRow(
                        label=label,
                        parts={row: label},
                        values=_values(row, label),
                        baseline=i == 0,
                        cells=[final[split_label, head_label][i] for head_label in heads],
                    )
                    for i, label in enumerate(rows)
                ],
            )
            for split_label in splits
        ],
        geometric_means=[],
        across_machines=[],
        findings=[],
    )


def _values(name: str, label: str) -> dict[str, str | int | float | None]:
    """The value of a label: bytes of a size, or the text."""
    return {name: parse_size(label) if dimension(name).kind == "size" else label}


def _judged(
    columns: Mapping[tuple[str, str], Sequence[Cell | None]], measure_of: Mapping[str, Measure]
) -> dict[tuple[str, str], list[Cell | None]]:
    """The columns with the marks of the best, and the first cell of each as the baseline."""
    places = [(key, i) for key, column in columns.items() for i, cell in enumerate(column) if cell is not None]
    measured = [cell for column in columns.values() for cell in column if cell is not None]
    index = {place: i for i, place in enumerate(places)}
    rivals = [[index[key, i] for i, cell in enumerate(column) if cell is not None] for key, column in columns.items()]
    upward = [measure_of[head].higher_is_better for _, head in columns]
    best: set[tuple[tuple[str, str], int]] = set()
    for row, found in zip(rivals, best_sets(stack(measured), rivals, upward), strict=True):
        if len(found.members) + len(found.left_out) < len(row):
            best |= {places[row[member]] for member in found.members}
    return {
        key: [
            cell and replace(cell, metric=measure_of[key[1]].metric, baseline=i == 0, best=(key, i) in best)
            for i, cell in enumerate(column)
        ]
        for key, column in columns.items()
    }


def _with_verdicts(
    columns: Mapping[tuple[str, str], Sequence[Cell | None]], measure_of: Mapping[str, Measure], margin: float
) -> dict[tuple[str, str], list[Cell | None]]:
    """The columns with the verdicts of all other cells against the first."""
    pairs = {
        (key, i): (cell, column[0])
        for key, column in columns.items()
        for i, cell in enumerate(column)
        if i > 0 and cell is not None and column[0] is not None
    }
    final = {key: [*column] for key, column in columns.items()}
    if pairs:
        compared, bases = zip(*pairs.values(), strict=True)
        upward = [measure_of[head].higher_is_better for (_, head), _ in pairs]
        comparisons = compare_sides((stack(compared), stack(bases)), upward, margin=margin)
        for (key, i), cell, verdict in zip(pairs, compared, verdicts_of(comparisons, compared), strict=True):
            final[key][i] = replace(cell, verdict=verdict)
    return final
