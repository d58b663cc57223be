"""Verdicts on the slowest operations of cells against their baselines, from distributions of latencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict, TailVerdict
from benchdb.stats import NO_BLOCK, Cells, ComparisonRow, Correction, Verdict, matrix
from benchdb.stats.distributions.tails import (
    TAIL_SHARES,
    ResultTails,
    common_share,
    compare_tails,
    tail_values,
    tails_of,
)
from benchdb.wording.changes import effect_in_words, metric_noun
from benchdb.wording.words import percentile_name

from .pairs import LEVEL
from .sentences import say_p

Distributions = Mapping[tuple[UUID, int], Sequence[bytes | None]]  # of rounds, by run and ordinal of a result
NO_DISTRIBUTIONS: Distributions = {}

_WORDS = {"equivalent": "equal", "better": "better", "worse": "worse", "inconclusive": "undecided"}


def has_tail(metric: str) -> bool:
    """Whether tails of latencies belong to this metric: it counts the same operations."""
    return metric in ("throughput", "rate") or metric.startswith("latency")


def tail_verdicts(
    cells: Sequence[Cell],
    columns: Cells,
    verdicts: Mapping[int, CellVerdict],
    against: Mapping[int, int],
    distributions: Distributions,
    *,
    margin: float,
    correction: str,
) -> dict[int, TailVerdict]:
    """The verdicts on the tails of cells `against` their baselines; all are one family for the correction of p.

    `columns` are the cells for `benchdb.stats`. `verdicts` are those on means, which the sentences begin with; both are
    by index. Cells are missing if one side lacks a distribution, has too few operations, or cannot be compared.
    """
    if not distributions:
        return {}
    tails = dict(zip(distributions, tails_of(list(distributions.values())), strict=True))
    of_cells = {key: found for key, cell in enumerate(cells) if (found := _of_cell(cell, tails))}
    pairs = [(key, other) for key, other in against.items() if key in of_cells and other in of_cells]
    shares = [common_share([*of_cells[key], *of_cells[other]]) for key, other in pairs]
    tested = [(pair, share) for pair, share in zip(pairs, shares, strict=True) if share is not None]
    if not tested:
        return {}
    # A baseline with several rivals counts once in the usual spread.
    distinct = list(dict.fromkeys((key, share) for pair, share in tested for key in pair))
    place = {each: number for number, each in enumerate(distinct)}
    own = columns.take([key for key, _ in distinct])
    every = _with_samples(own, [tail_values(of_cells[key], share) for key, share in distinct])
    sides = [every.take([place[pair[side], share] for pair, share in tested]) for side in range(2)]
    compared = compare_tails(*sides, margin=margin, level=LEVEL, correction=Correction(correction))
    return {
        key: _verdict(row, TAIL_SHARES[share], verdicts[key], cells[key].metric)
        for ((key, _), share), row in zip(tested, compared.rows(), strict=True)
        if row.reason is None
    }


def _of_cell(cell: Cell, tails: Mapping[tuple[UUID, int], ResultTails]) -> list[ResultTails]:
    """The tails of the cell's results; [] if any has none."""
    found = [tails.get((UUID(run), ordinal)) for run, ordinal in zip(cell.runs, cell.ordinals, strict=True)]
    return [each for each in found if each is not None] if cell.status == "ok" and None not in found else []


def _with_samples(columns: Cells, samples: Sequence[np.ndarray[tuple[int], np.dtype[np.float64]]]) -> Cells:
    """The same cells with these samples instead of their figures."""
    values = matrix([sample.tolist() for sample in samples])
    blocks = np.full(values.shape, NO_BLOCK)
    shared = min(values.shape[1], columns.blocks.shape[1])
    blocks[:, :shared] = columns.blocks[:, :shared]
    return Cells.of_values(
        values,
        barred=columns.barred,
        runs=columns.runs,
        cache=columns.cache,
        looks=columns.looks,
        blocks=blocks,
        kinds=columns.kinds,
    )


def _verdict(row: ComparisonRow, share: float, mean: CellVerdict, metric: str) -> TailVerdict:
    figures = (row.ratio, row.low, row.high, row.p, row.p_adjusted)  # none is missing if there is no reason
    ratio, lowest, highest, p, p_adjusted = (float("nan") if figure is None else figure for figure in figures)
    words = effect_in_words("latency_percentile", ratio, lowest, highest)
    is_established = row.verdict in (Verdict.BETTER, Verdict.WORSE)
    answer = f"corrected p {say_p(p_adjusted)}" if is_established else _WORDS[row.verdict.value]
    of_mean = (
        f"; the mean {metric_noun(metric).removeprefix('mean ')} is {_WORDS[mean.kind]}" if mean.kind in _WORDS else ""
    )
    name = f"{percentile_name(100 * share)} latency"
    return TailVerdict(
        kind=row.verdict.value,
        share=100 * share,
        ratio=ratio,
        low=lowest,
        high=highest,
        p=p,
        p_adjusted=p_adjusted,
        change=words.change,
        why=f"{name}: {words.change} (95 % interval {words.interval}), {answer}{of_mean}.",
    )
