"""The cells of a table by their dimensions, independent of the axes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from benchdb.compare.content import Measure
from benchdb.compare.query.dimensions import DIMENSIONS, dimension, is_absent, with_noun
from benchdb.compare.table.content import TableContent, measured
from benchdb.runs.cells.cell import Cell
from benchdb.wording.words import metric_label, upper

ORDERED = tuple(name for name, of in DIMENSIONS.items() if of.kind in ("size", "number"))

Others = tuple[str, ...]


class MeasuredCell(NamedTuple):
    """A measured cell: `key` is `G-R-C`, `parts` maps each dimension to its label."""

    key: str
    parts: Mapping[str, str]
    cell: Cell
    measure: Measure

    @property
    def mean(self) -> float:
        """The mean in base units, of a cell that has one."""
        assert self.cell.mean is not None
        return self.cell.mean

    def without(self, names: Collection[str]) -> Others:
        """The labels of all other dimensions: cells that agree in these labels differ only in `names`."""
        return tuple([label for name, label in self.parts.items() if name not in names])


class TableCells:
    """The measured cells of a content (schema /2), with the words for them.

    `factor` are the dimensions compared on purpose, `baseline` is the factor's label that the others are compared with,
    `values` are all its labels.
    """

    def __init__(self, content: TableContent) -> None:
        self.margin = content.margin
        self.level = content.level
        self.factor: Sequence[str] = content.factor.names
        self.factor_label = content.factor.label
        self.baseline = content.baseline
        self.entries = [
            MeasuredCell(key, {**group.parts, **row.parts, **head.parts}, cell, measure)
            for key, group, row, head, cell, measure in measured(content)
        ]
        labels: dict[str, dict[str, None]] = defaultdict(dict)
        for entry in self.entries:
            for name, label in entry.parts.items():
                labels[name][label] = None
        self.labels = {name: list(distinct) for name, distinct in labels.items()}
        self.values = [*dict.fromkeys(map(self.value, self.entries))]

    def value(self, entry: MeasuredCell) -> str:
        """The factor's label of a cell."""
        return " · ".join([entry.parts[name] for name in self.factor if name in entry.parts])

    @cached_property
    def rivals(self) -> dict[Others, dict[str, MeasuredCell]]:
        """The cells that differ only in the factor, by its label."""
        by_others: dict[Others, dict[str, MeasuredCell]] = defaultdict(dict)
        for entry in self.entries:
            by_others[entry.without(self.factor)][self.value(entry)] = entry
        return by_others

    def lines(self, name: str) -> list[list[MeasuredCell]]:
        """The groups of two or more cells that differ only in this dimension, in its order."""
        by_others: dict[Others, list[MeasuredCell]] = defaultdict(list)
        for entry in self.entries:
            if name in entry.parts and _has_order(name, entry.parts[name]):
                by_others[entry.without([name])].append(entry)
        order = self.labels.get(name, [])
        return [
            sorted(line, key=lambda member: order.index(member.parts[name]))
            for line in by_others.values()
            if len(line) > 1
        ]

    def words(self, entry: MeasuredCell, *without: str) -> str:
        """`random read, 1 MiB records`: the labels of a cell, without those that all cells of the table share."""
        left_out = {*self.factor, *without}
        varying = {
            name: label for name, label in entry.parts.items() if name not in left_out and len(self.labels[name]) > 1
        }
        metric = metric_label(entry.measure.metric) if "metric" in varying else ""
        test = lower(varying.pop("test", ""))
        varying.pop("metric", None)
        head = f"{test} ({metric})" if test and metric else test or metric
        others = (with_noun(name, label) for name, label in varying.items() if not is_absent(name, label))
        return ", ".join(filter(None, [head, *others]))


def _has_order(name: str, label: str) -> bool:
    """Whether the label is a value; none and unknown are neither first nor last."""
    return name == "threads" or label != dimension(name).absent


def subject(table: TableCells, entry: MeasuredCell, *without: str) -> str:
    """The subject of a sentence: the labels of the cell, or the metric if all cells share the labels."""
    return upper(table.words(entry, *without) or metric_label(entry.measure.metric))


def lower(label: str) -> str:
    """A label inside a sentence: `random read`; names of tools and calls stay as they are."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
