"""The blocks of values: what was measured in the same round, or in the same campaign, shared its conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchdb.runs.cells.cell import Cell
from benchdb.runs.models import Run
from benchdb.stats import NO_BLOCK
from benchdb.stats.arrays import IntArray

MOST_ROUNDS = 2**32


@dataclass(frozen=True, slots=True)
class MeasuredIn:
    """The number of a run's campaign, from 0; `in_turn` if its rounds took turns with those of the other points."""

    campaign: int
    in_turn: bool


Campaigns = Mapping[str, MeasuredIn]  # by the id of the run; runs outside a campaign are missing


def campaigns_of(runs: Iterable[Run]) -> Campaigns:
    """The campaigns of runs. Runs of several owners or machines share no campaign, whatever their documents say.

    In sequential order a round of one target is hours away from the same round of another.
    """
    numbers: dict[tuple[object, ...], int] = {}
    found = {}
    for run in runs:
        if run.campaign_id is not None:
            key = (run.campaign_id, run.runstate.owner_id, run.machine_id)
            number = numbers.setdefault(key, len(numbers))
            found[str(run.id)] = MeasuredIn(number, run.protocol.get("order") not in (None, "sequential"))
    return found


def blocks_of(cells: Sequence[Cell], rounds: int, campaigns: Campaigns) -> IntArray:
    """The block of each value of these cells, (C, rounds): of one run its round, of several runs their campaigns."""
    blocks = np.full((len(cells), rounds), NO_BLOCK)
    for row, cell in zip(blocks, cells, strict=True):
        found = [campaigns.get(run) for run in cell.runs] if cell.values else []
        if len(found) > 1:
            row[: len(found)] = [NO_BLOCK if run is None else run.campaign for run in found]
        elif found and found[0] is not None and found[0].in_turn:
            row[:] = (found[0].campaign + 1) * MOST_ROUNDS + np.arange(rounds)
    return blocks
