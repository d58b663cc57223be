"""The dimensions over which load can rise, and the number behind each of their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchagent.formats.vocabulary import is_size
from benchdb.compare.query.dimensions import PARAM, dimension
from benchdb.compare.query.keyed import level_of
from benchdb.facts.dimension import DimensionValue
from benchdb.facts.registry import DIMENSIONS
from benchdb.runs.models import Run
from benchdb.runs.quantities.columns import BoolArray, Quantities
from benchdb.runs.quantities.loads import OF_LOAD
from benchdb.wording.words import settings_of

from .distinguishing import varying_keys

LEAST_LEVELS = 2
# Dimensions of load come first; over all others a curve is possible too.
LOADS = ("threads", *(f"parameter:{key}" for key in OF_LOAD), *(f"{PARAM}:{key}" for key in OF_LOAD))
UNITS_OF_LEVELS = {"rate": "op/s", "bytes_per_second": "B/s"}
OF_RESULTS = ("threads", "record_size", "file_size")
NUMBERS = ("number", "size")  # kinds of dimensions
# Parameters that are numbers, but no levels of anything; and those that are dimensions of results as well.
NO_LEVELS = ("seed", "run", *OF_RESULTS)


def possible_levels(runs: Sequence[Run], quantities: Quantities, mask: BoolArray) -> dict[str, int]:
    """The ordered dimensions in which these runs or quantities differ, with their numbers of levels.

    Dimensions of load come first, those with more levels before others.
    """
    found = {name: len(_levels(quantities.values(name, mask))) for name in OF_RESULTS}
    of_runs = [fact.name for fact in DIMENSIONS if fact.kind in NUMBERS]
    keyed = [
        name for name in varying_keys(runs) if name.startswith("parameter:") and name.partition(":")[2] not in NO_LEVELS
    ]
    for name in (*of_runs, *keyed):
        values = _values(name, runs)
        if all(level_of(value) is not None for value in values):
            found[name] = len(_levels(values))
    for key, levels in _levels_of_params(quantities, mask).items():
        of_workload = f"parameter:{key}"
        # What a plan varies is in the params of its results too. Imported results have only these.
        if key not in NO_LEVELS and len(levels) > found.get(of_workload, 0):
            found.pop(of_workload, None)
            found[f"{PARAM}:{key}"] = len(levels)
    several = {name: levels for name, levels in found.items() if levels >= LEAST_LEVELS}
    rank = {name: place for place, name in enumerate(LOADS)}
    ordered = sorted(several, key=lambda name: (name not in LOADS, -several[name], rank.get(name, len(LOADS))))
    return {name: several[name] for name in ordered}


def say_over(name: str) -> str:
    """`bytes per second` of `parameter:bytes_per_second`: the dimension of levels for people."""
    return dimension(name).label.removeprefix("test ").removeprefix("parameter ").replace("_", " ")


def unit_of_level(name: str) -> str:
    """The base unit of the levels of a dimension: `B`, `op/s`, `B/s`, `%`; "" of counts such as threads."""
    if name == "fill":
        return "%"
    key = name.partition(":")[2] or name
    if key in UNITS_OF_LEVELS:
        return UNITS_OF_LEVELS[key]
    return "B" if is_size(key) or dimension(name).kind == "size" else ""


def _levels_of_params(quantities: Quantities, mask: BoolArray) -> dict[str, set[float]]:
    """The levels of each param whose values are all numbers; `quantities` have their params in words."""
    found: dict[str, set[float | None]] = {}
    for text in quantities.values("params", mask):
        for key, value in settings_of(str(text or "")).items():
            found.setdefault(key, set()).add(level_of(value))
    return {
        key: {level for level in levels if level is not None} for key, levels in found.items() if None not in levels
    }


def _values(name: str, runs: Sequence[Run]) -> list[DimensionValue]:
    """The values of these runs in a dimension of runs, without those of runs that have none."""
    of_run = dimension(name).of
    values = [of_run(run) for run in runs] if of_run else []
    return [value for value in values if value is not None]


def _levels(values: Iterable[DimensionValue]) -> set[float]:
    return {level for value in values if (level := level_of(value)) is not None}
