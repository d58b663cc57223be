"""The cells of a table by what they are of, whatever axis that stands on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from benchdb.compare.content import Content, Measure
from benchdb.compare.query.dimensions import dimension
from benchdb.compare.table.content import measured
from benchdb.runs.cells.cell import Cell
from benchdb.wording.words import metric_label, upper

ORDERED = ("record_size", "file_size", "threads", "raid_chunk", "raid_members", "read_ahead", "memory", "fill")
NOUNS = {"record_size": "{} records", "file_size": "{} file", "threads": "{} threads", "read_ahead": "{} read-ahead"}
NOUNS |= {"raid_chunk": "{} chunk", "raid_members": "{} members", "memory": "{} memory", "fill": "filled to {}"}

Others = tuple[str, ...]


class MeasuredCell(NamedTuple):
    """A measured cell: `key` is `G-R-C`, `parts` maps each dimension to its label."""

    key: str
    parts: Mapping[str, str]
    cell: Cell
    measure: Measure

    def without(self, names: Collection[str]) -> Others:
        """The rest of its parts: places that agree in it differ in these dimensions only."""
        return tuple([label for name, label in self.parts.items() if name not in names])


class TableCells:
    """A content (schema /2) as places, with the words for them.

    `factor` are the dimensions compared on purpose, `baseline` the factor's label that the others stand against.
    """

    def __init__(self, content: Content) -> None:
        self.margin: float = content["margin"]
        self.level: float = content["level"]
        self.factor: Sequence[str] = content["factor"]["names"]
        self.factor_label: str = content["factor"]["label"]
        self.baseline: str = content["baseline"]
        self.places = [
            MeasuredCell(key, {**group["parts"], **row["parts"], **head["parts"]}, cell, of)
            for key, (group, row, head), cell, of in measured(content)
        ]
        labels: dict[str, dict[str, None]] = defaultdict(dict)
        for place in self.places:
            for name, label in place.parts.items():
                labels[name][label] = None
        self.labels = {name: list(found) for name, found in labels.items()}

    def value(self, place: MeasuredCell) -> str:
        """The factor's label of a place."""
        return " · ".join([place.parts[name] for name in self.factor if name in place.parts])

    @cached_property
    def rivals(self) -> dict[Others, dict[str, MeasuredCell]]:
        """The places that differ in the factor only, by its label."""
        found: dict[Others, dict[str, MeasuredCell]] = defaultdict(dict)
        for place in self.places:
            found[place.without(self.factor)][self.value(place)] = place
        return found

    def lines(self, name: str) -> list[list[MeasuredCell]]:
        """The places that differ in this dimension only, in its order; those with two or more."""
        found: dict[Others, list[MeasuredCell]] = defaultdict(list)
        for place in self.places:
            if name in place.parts and _has_order(name, place.parts[name]):
                found[place.without([name])].append(place)
        order = self.labels.get(name, [])
        return [sorted(line, key=lambda p: order.index(p.parts[name])) for line in found.values() if len(line) > 1]

    def words(self, place: MeasuredCell, *without: str) -> str:
        """`random read, 1 MiB records`: what a place is of, as far as it is not the same all over the table."""
        left_out = {*self.factor, *without}
        own = {
            name: label for name, label in place.parts.items() if name not in left_out and len(self.labels[name]) > 1
        }
        metric = metric_label(place.measure.metric) if "metric" in own else ""
        test = lower(own.pop("test", ""))
        own.pop("metric", None)
        head = f"{test} ({metric})" if test and metric else test or metric
        return ", ".join(filter(None, [head, *(with_noun(name, label) for name, label in own.items())]))


def _has_order(name: str, label: str) -> bool:
    """Whether this is a value: none and unknown are neither first nor last."""
    return name == "threads" or label != dimension(name).absent


def subject(table: TableCells, place: MeasuredCell, *without: str) -> str:
    """What a sentence is about: the place, or the metric where there is one place only."""
    return upper(table.words(place, *without) or metric_label(place.measure.metric))


def with_noun(name: str, label: str) -> str:
    """`1 MiB records`, `1 thread`, `Linux 6.1`."""
    said = NOUNS.get(name, "{}").format(label)
    return "1 thread" if said == "1 threads" else said


def lower(label: str) -> str:
    """`Random read` inside a sentence; names of tools and calls stay."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
