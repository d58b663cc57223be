"""Lines of cells along an ordered dimension: their comparable cells, the tests of all pairs, and their shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import log

from benchdb.compare.table.grid import ORDERED, Grid
from benchdb.stats import Verdict

from .claims import Change
from .evidence import FindingEvidence

# The time of one operation and the operations in a second depend on its size anyway: not worth a finding.
SIZES, OF_ONE = ("record_size", "file_size"), ("s", "op/s")
LONGEST = 8  # cells; in a longer line only the ends, the highest and the lowest cell are tested
ENDS = 0.5  # share of the error for the pair of the ends, which most readers look for; the other pairs have the rest


@dataclass(eq=False)
class TableLine:
    """The cells of a line that can be compared, in order, with their means in base units and their labels.

    `left_out` are the labels of the others with what is wrong with them.

    `pairs` are the tests by positions (earlier, later), each later cell against the earlier one. `turns` are the
    positions of its turning points and `changes` those from each to the next, confirmed at `level`; both are empty if
    no change is confirmed. `signs` has 1 for each confirmed rise, −1 for a fall. `unsure` are positions of
    cells that do not fit to these changes, although no test confirms it.
    """

    value: str
    all_cells: Sequence[int]
    cells: Sequence[int]
    means: Sequence[float]
    labels: Sequence[str]
    left_out: Sequence[tuple[str, str]]
    pairs: dict[tuple[int, int], int] = field(default_factory=dict)
    signs: dict[tuple[int, int], int] = field(default_factory=dict)
    turns: Sequence[int] = ()
    level: float = 0.0
    changes: Sequence[Change] = ()
    unsure: list[int] = field(default_factory=list)

    def share(self, pair: tuple[int, int]) -> float:
        """The share of a pair in the error of the line (weighted Bonferroni); the shares of all pairs sum to 1."""
        last = len(self.cells) - 1
        if last == 1:
            return 1.0
        return ENDS if pair == (0, last) else (1 - ENDS) / (last * (last + 1) // 2 - 1)

    def p(self, evidence: FindingEvidence) -> float:
        """p that nothing changes along the line; NaN if no pair could be tested."""
        if not self.pairs:
            return float("nan")
        ps = {pair: evidence.answer(index).p for pair, index in self.pairs.items()}
        ends = (0, len(self.cells) - 1)
        weighed = [ps.pop(ends) / self.share(ends)]
        weighed += [p / self.share((0, 1)) for p in ps.values()] if ps else []
        return min((min(p, 1.0) for p in weighed if p == p), default=float("nan"))

    def find_turns(self, evidence: FindingEvidence, level: float, margin: float) -> None:
        """Set the turning points whose changes are confirmed at this level of the line."""
        sizes: dict[tuple[int, int], float] = {}
        for pair, index in self.pairs.items():
            answer = evidence.answer(index)
            if answer.verdict in (Verdict.BETTER, Verdict.WORSE) and answer.p < level * self.share(pair):
                self.signs[pair], sizes[pair] = 1 if answer.ratio > 1 else -1, abs(log(answer.ratio))
        turns = turning_points(self.signs, sizes, len(self.cells) - 1)
        self.turns, self.level = self._to_the_extremes(turns, margin), level

    def _to_the_extremes(self, turns: list[int], margin: float) -> list[int]:
        """A single change, from the lowest to the highest mean if these lie inside by more than the margin.

        So a peak that no test confirms is not taken for a rise to the end of the line.
        """
        if len(turns) != 2:
            return turns
        first, last = turns
        sign = self.signs[first, last]
        heights = [sign * log(mean) for mean in self.means]
        top = max(range(first, last + 1), key=heights.__getitem__)
        if heights[top] - heights[last] > log(1 + margin) and self.signs.get((first, top)) == sign:
            last = top
        bottom = min(range(first, last + 1), key=heights.__getitem__)
        if heights[first] - heights[bottom] > log(1 + margin) and self.signs.get((bottom, last)) == sign:
            first = bottom
        return [first, last]

    @property
    def steps(self) -> list[tuple[int, int]]:
        """The pairs of successive turning points."""
        return [*pairwise(self.turns)]

    def bound(self, evidence: FindingEvidence) -> float | None:
        """The farthest end of the 90 % intervals against the first cell; None unless all are equivalent to it."""
        steps = [evidence.answer(self.pairs[0, later]) for later in range(1, len(self.cells))]
        flat = steps and not self.turns and all(step.verdict is Verdict.EQUIVALENT for step in steps)
        return max(step.bound for step in steps) if flat else None

    def confirm(self, changes: Sequence[Change | None], margin: float) -> None:
        """Set the changes, and the cells with a mean beyond the turning points beside them by more than the margin.

        p of a change is below the level of its interval, so that an interval with 1 is a matter of rounding.
        """
        self.changes = [change for change in changes if change]
        if len(self.changes) < len(changes):
            self.turns = self.changes = ()
            return
        means = self.means
        ends = (means[0], means[-1])
        if self.turns == [0, len(means) - 1] and max(means) <= max(ends) and min(means) >= min(ends):
            return
        for place, mean in enumerate(means):
            around = [means[turn] for turn in self.turns if turn <= place][-1:]
            around += [means[turn] for turn in self.turns if turn >= place][:1]
            if mean / max(around) > 1 + margin or min(around) / mean > 1 + margin:
                self.unsure.append(place)


@dataclass(eq=False)
class LineGroup:
    """The lines along a dimension that differ only in the factor."""

    dimension: str
    lines: list[TableLine]
    labels: Sequence[str]
    p: float = float("nan")

    @property
    def first(self) -> int:
        """A cell of the group."""
        return self.lines[0].all_cells[0]

    @property
    def ends(self) -> tuple[str, str]:
        """The labels of the first and the last cell that can be compared on any line."""
        compared = {label for line in self.lines for label in line.labels}
        first, *_, last = [label for label in self.labels if label in compared]
        return first, last

    def turns(self, line: TableLine) -> list[str]:
        """The labels of the turning points of a changing line, its ends included."""
        return [line.labels[turn] for turn in line.turns]

    def places(self, line: TableLine) -> list[int]:
        """The positions of the turning points among the labels of the group."""
        return [*map(self.labels.index, self.turns(line))]


def line_groups(table: Grid, evidence: FindingEvidence) -> list[LineGroup]:
    """The groups of lines of two or more comparable cells along each ordered dimension except the factor."""
    groups = []
    for name in ORDERED:
        factor = table.content.factor.names
        if name in factor or not (found := table.lines(name)):
            continue
        by_others: dict[int, list[list[int]]] = defaultdict(list)
        others = table.alike([*factor, name]).tolist()
        for cells in found:
            if not (name in SIZES and table.measures[cells[0]].base_unit in OF_ONE):
                by_others[others[cells[0]]].append(cells)
        for all_cells in by_others.values():
            present = {table.label(cell, name) for cells in all_cells for cell in cells}
            labels = [label for label in table.labels[name] if label in present]
            lines = [_line(table, evidence, name, cells, labels) for cells in all_cells]
            if any(len(line.cells) > 1 for line in lines):
                groups.append(LineGroup(name, lines, labels))
    return groups


def _line(table: Grid, evidence: FindingEvidence, name: str, cells: Sequence[int], labels: Sequence[str]) -> TableLine:
    """A line with its pairs registered. Cells that measured memory are left out if others measured the device."""
    on_device = any(table.cells[cell].cache.verdict == "device" and table.has_mean[cell] for cell in cells)
    problems = [_problem(table, evidence, cell, on_device=on_device) for cell in cells]
    compared = [cell for cell, problem in zip(cells, problems, strict=True) if not problem]
    left_out = []
    if len(compared) < len(labels):
        wrong = dict.fromkeys(labels, "not measured")
        wrong |= {table.label(cell, name): problem for cell, problem in zip(cells, problems, strict=True)}
        left_out = [(label, problem) for label, problem in wrong.items() if problem]
    means, of_compared = [table.mean(cell) for cell in compared], [table.label(cell, name) for cell in compared]
    line = TableLine(table.value_of(cells[0]), cells, compared, means, of_compared, left_out)
    for earlier, later in _tested(means):
        line.pairs[earlier, later] = evidence.pair(compared[later], compared[earlier])
    return line


def _problem(table: Grid, evidence: FindingEvidence, index: int, *, on_device: bool) -> str:
    """The reason why a cell cannot be compared with the others of its line; "" if it can."""
    cell = table.cells[index]
    if cell.status == "failed":
        return "failed"
    if cell.status == "mixed":
        return cell.text.shown
    if cell.mean is None:
        return "too fast" if cell.status == "unmeasurable" else "not measured"
    if on_device and cell.cache.verdict == "cached":
        return "measured memory"
    return "" if evidence.testable(index) else "cannot be tested"


def _tested(means: Sequence[float]) -> Iterator[tuple[int, int]]:
    """The pairs of positions to test: all, or of a long line each with the first and those of the extremes."""
    last = len(means) - 1
    if len(means) <= LONGEST:
        yield from combinations(range(len(means)), 2)
        return
    turns = sorted({0, last, means.index(max(means)), means.index(min(means))})
    yield from dict.fromkeys([*((0, later) for later in range(1, last + 1)), *combinations(turns, 2)])


Signs = Mapping[tuple[int, int], int]


def turning_points(signs: Signs, sizes: Mapping[tuple[int, int], float], last: int) -> list[int]:
    """The positions of a line's turning points, its ends included; empty if nothing changes.

    `signs` has 1 for each pair (earlier, later) of positions with a confirmed rise, −1 for a fall; `sizes` are the
    sizes of the changes. Each returned position differs from the next one, rises and falls alternate, there are as many
    as possible, and among these the changes are the largest. The first and the last position of the line are among them
    if the changes to them are confirmed too.
    """
    if (0, last) in signs and len(set(signs.values())) == 1:
        return [0, last]
    chains: dict[tuple[int, int], tuple[int, float, list[int]]] = {}  # by position and direction of the last change
    best: tuple[int, float, list[int]] = (0, 0.0, [])
    for earlier, later in sorted(signs, key=lambda pair: pair[1]):
        sign = signs[earlier, later]
        count, size, path = chains.get((earlier, -sign), (0, 0.0, [earlier]))
        chain = (count + 1, size + sizes[earlier, later], [*path, later])
        chains[later, sign] = max(chains.get((later, sign), (0, 0.0, [])), chain, key=_rank)
        best = max(best, chain, key=_rank)
    return _to_the_ends(best[2], signs, last) if best[2] else []


def _rank(chain: tuple[int, float, list[int]]) -> tuple[int, float]:
    return chain[:2]


def _to_the_ends(path: list[int], signs: Signs, last: int) -> list[int]:
    if signs.get((0, path[1])) == signs[path[0], path[1]]:
        path[0] = 0
    if signs.get((path[-2], last)) == signs[path[-2], path[-1]]:
        path[-1] = last
    return path
