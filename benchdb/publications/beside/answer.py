"""The verdicts on own figures against published ones, and the sentences that answer for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import log
from typing import NamedTuple
from uuid import UUID

import numpy as np

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.compare.query.selection import MARGIN
from benchdb.compare.table.geometric import kind_of_cells
from benchdb.compare.table.grid import lower
from benchdb.compare.verdicts.pairs import compare_sides, stack, verdicts_of
from benchdb.runs.cells.cell import Cell, cells_of
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.runs.costs import before_cells
from benchdb.runs.listing.headlines import main_metric
from benchdb.runs.models import Run
from benchdb.stats import Verdict, geometric_mean, judge_means, optional
from benchdb.wording.numbers import plural
from benchdb.wording.units import UNITS, default_unit

from .counterparts import Counterpart, Sides
from .words import EQUAL, Gain, gain_in_words, gain_of, is_open, verb_of

NO_GAIN = Gain(1.0, None, None)
MOST_SAID = 4  # pairs of configurations in the answer
# The figures of the first kind that a pair of configurations has are its answer.
KINDS = {"device": "of the disk", "unknown": "with unknown cache state", "cached": "of memory, at least in part"}


class JudgedFigure(NamedTuple):
    """A counterpart with its own cell and verdict; `kind` is device, cached, unknown, or "" if they are unlike."""

    sides: Sides
    each: Counterpart
    own: Cell
    verdict: CellVerdict
    kind: str


class Answers:
    """All own figures against their published ones, one family for the correction of p, and what they say together."""

    def __init__(self, found: Mapping[Sides, Sequence[Counterpart]], runs: Mapping[UUID, Run]) -> None:
        """Raises MustWait."""
        pairs = [(sides, each) for sides, of_sides in found.items() for each in of_sides]
        before_cells(2 * len(pairs), sum(len(each.own.values or []) for _, each in pairs))
        own = [_cell(each, runs) for _, each in pairs]
        # A time becomes that of the published amount of work.
        scaled = [_scaled(cell, each.amounts[0] / each.amounts[1]) for cell, (_, each) in zip(own, pairs, strict=True)]
        self._columns = stack(scaled), stack([each.published for _, each in pairs])
        self._compared = compare_sides(self._columns, [METRICS[cell.metric].higher_is_better for cell in own])
        self.figures = [
            JudgedFigure(sides, each, cell, verdict, kind_of_cells((cell, each.published)))
            for (sides, each), cell, verdict in zip(pairs, own, verdicts_of(self._compared, own), strict=True)
        ]
        counting = [index for index, each in enumerate(self.figures) if each.kind and each.verdict.ratio is not None]
        measured = [(self.figures[index].own.metric, self.figures[index].each.own.test) for index in counting]
        self._metric = main_metric(measured) or "elapsed"
        self._of_metric = [index for index in counting if self.figures[index].own.metric == self._metric]
        self._members = self._by_sides()

    def _by_sides(self) -> dict[Sides, list[int]]:
        """The indices of the figures that answer for each pair of configurations."""
        found: dict[Sides, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index in self._of_metric:
            figure = self.figures[index]
            found[figure.sides][figure.kind].append(index)
        return {sides: next(of_kind[kind] for kind in KINDS if kind in of_kind) for sides, of_kind in found.items()}

    @cached_property
    def _answers(self) -> list[tuple[Sides, Gain, Verdict]]:
        """The gain of each pair of configurations, the largest first; empty if no figure has a ratio."""
        if not self._members:
            return []
        groups = np.array([np.isin(np.arange(len(self.figures)), of_sides) for of_sides in self._members.values()])
        means = geometric_mean(*self._columns, groups, ratios=self._compared.ratios)
        upward = np.full(len(groups), METRICS[self._metric].higher_is_better)
        looks = np.where(groups, self._columns[0].looks, 0).max(axis=1)
        judged = judge_means(means.ratios, looks, higher_is_better=upward, margin=MARGIN)
        rows = zip(*map(optional, (means.ratio, *judged.interval)), strict=True)
        gains = [gain_of(self._metric, ratio, low, high) for ratio, low, high in rows if ratio is not None]
        answers = zip(self._members, gains, judged.verdict, strict=True)
        return sorted(answers, key=lambda each: (is_open(each[1]), -_distance(each[1])))

    def sentences(self, whose: str) -> list[str]:
        """The answers about pairs of configurations; none if no figure has a ratio."""
        verb = verb_of({self.figures[index].each.own.test for index in self._of_metric})
        said = [
            _sentence(f"{whose} {sides[0]}", f"the article’s {sides[1]}", verb, self._metric, gain, verdict)
            + self._most(sides)
            for sides, gain, verdict in self._answers[:MOST_SAID]
        ]
        left = len(self._answers) - MOST_SAID
        return [*said, f"{plural(left, 'more pair')} below"] if left > 0 else said

    def _most(self, sides: Sides) -> str:
        """The tests farthest from 1 behind a mean over several: `; most in rewrite: 33× faster`. None is undecided."""
        gains: dict[str, Gain] = {}
        for figure in (self.figures[index] for index in self._members[sides]):
            test, verdict = figure.each.own.test, figure.verdict
            gain = gain_of(self._metric, verdict.ratio or 1.0, verdict.low, verdict.high)
            if not is_open(gain):
                gains[test] = max(gain._replace(low=None, high=None), gains.get(test, NO_GAIN), key=_distance)
        if len(gains) < 2:
            return ""
        ends = sorted(gains, key=lambda test: gains[test].ratio)
        both = gains[ends[0]].ratio < 1 < gains[ends[-1]].ratio
        said = (ends[-1], ends[0]) if both else [max(gains, key=lambda test: _distance(gains[test]))]
        words = (f"{lower(test_label(test))}: {gain_in_words(self._metric, gains[test])}" for test in said)
        return f"; {'' if both else 'most in '}{', '.join(words)}"

    def basis(self) -> list[str]:
        """What the answers rest on, and whether they have intervals."""
        figures = [self.figures[index] for indices in self._members.values() for index in indices]
        numbers = [len(indices) for indices in self._members.values()]
        rates = "times compared as rates, " if any(figure.each.unit for figure in figures) else ""
        over = f"geometric means of {_to(numbers)} figures" if max(numbers) > 1 else "one figure each"
        kinds = " or ".join(words for kind, words in KINDS.items() if any(figure.kind == kind for figure in figures))
        article = [figure.each.published.n or 0 for figure in figures]
        against = _to(article) if max(article) else "an unknown number"
        left_out = len(self._of_metric) - len(figures)
        others = f"; {plural(left_out, 'figure')} with another cache state left out" if left_out else ""
        own = [figure.own.n or 0 for figure in figures]
        rounds = f"{_to(own)} round{'' if max(own) == 1 else 's'} against {against} in the article"
        intervals = "The intervals hold with 95 % for all answers together."
        if all(gain.low is None for _, gain, _ in self._answers):
            without = any(figure.each.published.sd is None for figure in figures)
            side = "each figure of the article is one published number" if without else "the runs have one round"
            intervals = f"No interval is known: {side}, without spread."
        return [f"Basis: {rates}{over} {kinds}; {rounds}{others}.", intervals]


def _distance(gain: Gain) -> float:
    return abs(log(gain.ratio))


def _to(numbers: Sequence[int]) -> str:
    return f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"


def _cell(each: Counterpart, runs: Mapping[UUID, Run]) -> Cell:
    (cell,) = cells_of([each.own], UNITS[default_unit(each.own.metric)], {each.own.run_id: runs[each.own.run_id]})
    return cell


def _scaled(cell: Cell, factor: float) -> Cell:
    def times(value: float | None) -> float | None:
        return None if value is None else value * factor

    return replace(cell, mean=times(cell.mean), sd=times(cell.sd), values=[*map(times, cell.values or [])])


def _sentence(own: str, published: str, verb: str, metric: str, gain: Gain, verdict: Verdict) -> str:
    if verdict is Verdict.EQUIVALENT:
        return f"{own} equals {published} {EQUAL}"
    if is_open(gain):
        return f"No difference is shown between {own} and {published}: {gain_in_words(metric, gain)}"
    return f"{own} {verb} {gain_in_words(metric, gain, f' than {published}')}"
