"""The runs of a trend: one machine, tool, set of parameters and cache regime; one series a file system, held settings.

Six queries, for any number of runs: the few environments and targets are read separately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchdb.catalog.models import Environment, Target
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.facts.dimension import DimensionValue
from benchdb.http.requests import Reader
from benchdb.runs.models import Run, RunQuerySet, in_short

from .selection import FIXED, TrendSelection

MOST_RUNS = 500
MEASURED_FOR_ALERT = "benchdb.alert"
"""The label of runs that an alert had measured (benchdb/alerts): some have settings of the past. No trend has them."""
OF_FILE_SYSTEM = ("block_size", "mkfs_options", "mount_options")  # each file system has its own
UNREAD = ("digest", "extra")


@dataclass(frozen=True)
class Series:
    """The runs of one file system in the order of time, and the number of its other runs.

    `others` maps names of FIXED to the number of runs that differ in exactly these settings.
    """

    file_system: str
    runs: list[Run]
    others: dict[tuple[str, ...], int]


@dataclass(frozen=True)
class TrendRuns:
    """The runs of a selection: the origin, its series, all file systems, and whether there are older runs."""

    origin: Run
    series: list[Series]
    file_systems: list[str]
    older: bool


def find(selection: TrendSelection, reader: Reader) -> TrendRuns:
    """The runs that `reader` may see. Raises NothingThere, or ImpossibleSelection with the possible values."""
    origin = _origin(selection, reader)
    same = _listed(reader).filter(
        machine=origin.machine_id,
        tool=origin.tool,
        parameters=origin.parameters,
        cache_regime=origin.cache_regime,
        target__kind=origin.target.kind,
    )
    of_origin = print_file_system(origin)
    names = [name or "unknown" for name in same.order_by().values_list("target__file_system", flat=True).distinct()]
    possible = sorted({of_origin, *names})
    chosen = selection.file_systems or (of_origin,)
    if unknown := [name for name in chosen if name not in possible]:
        raise ImpossibleSelection(
            [f"No run of this workload is on {', '.join(unknown)}; possible are {', '.join(possible)}."]
        )
    runs, older = _runs(same, selection, origin, chosen)
    series = [_series(name, runs, origin, selection.vary) for name in chosen]
    return TrendRuns(origin, [one_series for one_series in series if one_series.runs], possible, older)


def _listed(reader: Reader) -> RunQuerySet:
    return Run.objects.listed_for(reader).exclude(runstate__labels__has_key=MEASURED_FOR_ALERT)


def _origin(selection: TrendSelection, reader: Reader) -> Run:
    """The run with the workload of the trend: the selected one, or the newest of the machine and tool."""
    if selection.run is not None:
        run = in_short(Run.objects.visible_to(reader).with_context()).filter(pk=selection.run).first()
        if run is None:
            raise NothingThere([f"There is no run {selection.run} that you may see."])
        return run
    listed = _listed(reader).filter(machine=selection.machine)
    if selection.tool:
        listed = listed.filter(tool=selection.tool)
    run = in_short(listed.with_context()).order_by("-id").first() if "\x00" not in selection.tool else None
    if run is None:
        of = f" of {selection.tool}" if selection.tool else ""
        raise NothingThere([f"There is no run{of} on machine {selection.machine} that you may see."])
    return run


def _runs(same: RunQuerySet, selection: TrendSelection, origin: Run, chosen: Sequence[str]) -> tuple[list[Run], bool]:
    """The newest runs on these file systems, oldest first, each with its environment and target; three queries.

    The second value is whether there are older runs. The origin is among the runs even if it is in no list.
    """
    names = [None if name == "unknown" else name for name in chosen]
    wanted = same.filter(target__file_system__in=[name for name in names if name])
    if None in names:
        wanted |= same.filter(target__file_system=None)
    if selection.before is not None:
        wanted = wanted.filter(id__lt=selection.before)
    newest = list(in_short(wanted.select_related("runstate").defer(*UNREAD)).order_by("-id")[: MOST_RUNS + 1])
    runs = newest[:MOST_RUNS]
    if print_file_system(origin) in chosen and selection.before is None and all(run.id != origin.id for run in runs):
        runs.append(origin)
    _give_context(runs, origin)
    return sorted(runs, key=lambda run: (run.started_at, run.id)), len(newest) > MOST_RUNS


def _give_context(runs: Iterable[Run], origin: Run) -> None:
    """Attach machine, environment and target to the runs; every row is read once."""
    environments = Environment.objects.in_bulk({run.environment_id for run in runs})
    targets = Target.objects.in_bulk({run.target_id for run in runs})
    for run in runs:
        run.machine = origin.machine
        run.environment, run.target = environments[run.environment_id], targets[run.target_id]


def _series(file_system: str, runs: Sequence[Run], origin: Run, vary: Sequence[str]) -> Series:
    """The runs with the held settings of the origin; on another file system, OF_FILE_SYSTEM are its newest run's."""
    held = [name for name in FIXED if name not in vary]
    shared = [name for name in held if name not in OF_FILE_SYSTEM]
    on_file_system = [run for run in runs if print_file_system(run) == file_system]
    like = [run for run in on_file_system if _differing(run, origin, shared) == ()]
    wanted = origin if print_file_system(origin) == file_system else like[-1] if like else None
    if wanted is None:
        return Series(file_system, [], {})
    differing = [(run, _differing(run, wanted, held)) for run in on_file_system]
    return Series(
        file_system,
        [run for run, names in differing if not names],
        dict(Counter(names for _, names in differing if names).most_common()),
    )


def _differing(run: Run, wanted: Run, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if _setting(run, name) != _setting(wanted, name))


def _setting(run: Run, name: str) -> DimensionValue:
    of = FIXED[name].of
    assert of is not None, name  # FIXED has dimensions only
    value: DimensionValue = of(run)
    return value


def print_file_system(run: Run) -> str:
    """The file system of a run: `ext4`, or `unknown`."""
    return run.target.file_system or "unknown"
