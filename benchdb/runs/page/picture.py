"""The picture at the beginning of a run's page, whichever the results have: heat maps, curves, or rounds on an axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchdb.runs.models import Run
from benchdb.stats.arrays import IntArray

from .heat_maps import heat_maps
from .outline import Outline
from .percentile_curves import percentile_curves
from .results import ResultCell
from .rounds_on_axis import strips_of_tests


@dataclass(frozen=True, slots=True)
class RunPicture:
    """The context of runs/picture.html: one of the three is not None."""

    heat: dict[str, object] | None = None
    curves: dict[str, object] | None = None
    rounds: dict[str, object] | None = None


def picture(
    run: Run, outline: Outline, surfaces: Mapping[tuple[str, str], IntArray], headlines: Sequence[ResultCell]
) -> RunPicture | None:
    """The picture of a run; None if nothing was measured. `headlines` are the results of the main metric.

    `surfaces` are the places of results in the outline, by test and metric.
    """
    metric = headlines[0].result.metric if headlines else ""
    if heat := heat_maps(str(run.id), metric, outline, surfaces, run.environment.memory):
        return RunPicture(heat=heat)
    if curves := percentile_curves(str(run.id), outline):
        return RunPicture(curves=curves)
    if rounds := strips_of_tests(headlines):
        return RunPicture(rounds=rounds)
    return None
