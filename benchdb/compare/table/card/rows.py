"""The rows of a card: the compared cells of each test, their signs, and which rows a card holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log

from benchagent.formats.vocabulary import test_label
from benchdb.compare.query.dimensions import with_noun
from benchdb.compare.table.grid import Grid
from benchdb.wording.words import direction, metric_label

from .facts import CardRow, Compared, Sign
from .pairs import ComparedCell

ORDERED = ("record_size", "file_size", "threads")  # dimensions of the heads, and of rows that keep their order


@dataclass(frozen=True, slots=True)
class CellsOfRow:
    """The compared cells of one row of the card."""

    label: str
    higher_is_better: bool
    cells: Sequence[ComparedCell]


def rows_of(
    table: Grid, cells: Sequence[ComparedCell], varying: Mapping[str, Sequence[str]]
) -> tuple[list[CellsOfRow], str]:
    """A row for each test and metric; if there is one test, for each value of the first dimension that varies.

    Returns the rows and the name of their dimension; `varying` are the labels of the dimensions with several.
    """
    tests = {(cell.cell.test, cell.measure.metric) for cell in cells}
    name = "test"
    if len(tests) == 1:
        factor = table.content.factor.names
        name = next((name for name in (*ORDERED, *varying) if name in varying and name not in factor), "test")
    grouped: dict[tuple[str, str], list[ComparedCell]] = defaultdict(list)
    for cell in cells:
        grouped[_label(table, cell, name), cell.measure.metric].append(cell)
    several = len({metric for _, metric in grouped}) > 1
    rows = [
        CellsOfRow(
            f"{label}, {metric_label(metric)} {direction(of_row[0].measure.higher_is_better)}" if several else label,
            of_row[0].measure.higher_is_better,
            of_row,
        )
        for (label, metric), of_row in grouped.items()
    ]
    return rows, name


def _label(table: Grid, cell: ComparedCell, name: str) -> str:
    if name == "test":
        return test_label(cell.cell.test) if cell.cell.test else "Several tests"
    return with_noun(name, table.label(cell.index, name))


def signs_of(
    table: Grid, row: CellsOfRow, compared: Compared, head_name: str, in_memory: Collection[str]
) -> list[list[Sign]]:
    """The signs of a row and compared value, by label of the dimension `head_name`; one list without one."""
    at: dict[str, list[ComparedCell]] = defaultdict(list)
    for cell in row.cells:
        if cell.value == compared.label:
            at[table.label(cell.index, head_name) if head_name else ""].append(cell)
    return [list(_by_kind(at.get(head, []), in_memory)) for head in (table.labels[head_name] if head_name else [""])]


def _by_kind(cells: Sequence[ComparedCell], in_memory: Collection[str]) -> Iterator[Sign]:
    kinds: dict[str, list[ComparedCell]] = defaultdict(list)
    for cell in cells:
        kinds["cached" if cell.key in in_memory else cell.verdict.kind].append(cell)
    for kind, found in kinds.items():
        yield Sign(kind, len(found), found[0].key, found[0].verdict.why)


def kept_rows(rows: Sequence[CardRow], most: int, *, ordered: bool) -> list[CardRow]:
    """The rows that a card holds, from the greatest gain to the greatest loss; sizes in their own order."""
    kept = sorted(rows, key=_size, reverse=True)[:most]
    return [row for row in rows if row in kept] if ordered else sorted(kept, key=_gain, reverse=True)


def _gains(row: CardRow) -> list[float]:
    """The logarithms of the ratios, positive where better."""
    sign = 1 if row.higher_is_better else -1
    return [sign * log(effect.ratio) for effect in row.effects if effect is not None and effect.ratio > 0]


def _gain(row: CardRow) -> float:
    gains = _gains(row)
    return fsum(gains) / len(gains) if gains else float("-inf")


def _size(row: CardRow) -> float:
    return max(map(abs, _gains(row)), default=-1.0)
