"""The runs of a comparison: read for a reader, filtered by dimensions of runs, and described for the list of runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from uuid import UUID

from benchdb.compare.content import RunLine
from benchdb.http.requests import Reader
from benchdb.runs.models import Run, RunQuerySet, in_hidden_campaign, with_conditions
from benchdb.runs.quantities.columns import Quantities
from benchdb.runs.quantities.reading import MOST_QUANTITIES, quantities_of
from benchdb.wording.names import told_apart
from benchdb.wording.times import known_start

from .dimension_values import matching
from .dimensions import dimension
from .errors import ImpossibleSelection, NothingThere
from .selection import MOST_RUNS, Selection

MOST_READ = 1000  # runs of campaigns among which filters choose those of a table


def selected_runs(selection: Selection, reader: Reader) -> list[Run]:
    """The runs of a selection that `reader` may see: the named ones in their order, then those of its campaigns.

    One query for named runs, one for campaigns. Named runs that were deleted, or that `reader` may not see, are left
    out. Raises ImpossibleSelection if the selection names no run or too many, and NothingThere if none of the named
    runs is left, or `reader` can see no such campaign.
    """
    if not selection.runs and not selection.campaigns:
        raise ImpossibleSelection(["Choose runs (run=…) or a campaign (campaign=…) to compare."])
    runs = _named(selection, reader) if selection.runs else []
    if selection.campaigns:
        named = {run.id for run in runs}
        runs += [run for run in _of_campaigns(selection, reader) if run.id not in named]
    continued = {run.continues for run in runs}  # a run that continues another one contains its rounds
    runs = [run for run in runs if run.id not in continued]
    if len(runs) > MOST_READ:
        more = f"A comparison chooses among {MOST_READ} runs of campaigns, and these are more."
        raise ImpossibleSelection([f"{more} Filter the list of the campaign’s runs, and compare what is left."])
    return runs


def bound(runs: Sequence[Run]) -> None:
    """Raise ImpossibleSelection if more runs are left after filters than a table can hold."""
    if len(runs) > MOST_RUNS:
        fewer = "Filter the list of the campaign’s runs, and compare what is left."
        raise ImpossibleSelection([f"A table holds {MOST_RUNS} runs, and these are {len(runs)}. {fewer}"])


def quantities_of_runs(runs: Sequence[Run]) -> Quantities:
    """What these runs measured; one query. Raises ImpossibleSelection if it is too much, and MustWait."""
    results = sum(run.runstate.result_count for run in runs)
    if results > MOST_QUANTITIES:
        raise ImpossibleSelection(
            [f"These runs have {results:,} results, {MOST_QUANTITIES:,} at most: choose fewer runs."]
        )
    return quantities_of([run.id for run in runs], results)


def _named(selection: Selection, reader: Reader) -> list[Run]:
    visible = Run.objects.visible_to(reader).filter(pk__in=selection.runs)
    by_id = {run.id: run for run in _whole(visible, reader)}
    if not by_id:
        raise NothingThere([f"There is no run {', '.join(map(str, selection.runs))} that you may see."])
    return [by_id[run] for run in selection.runs if run in by_id]


def _whole(runs: RunQuerySet, reader: Reader) -> RunQuerySet:
    return with_conditions(runs.with_context()).annotate(hidden=in_hidden_campaign(reader))


def absent(selection: Selection, runs: Iterable[Run]) -> list[UUID]:
    """The named runs that are not among `runs`, the selected ones, nor continued by one of them."""
    known = {identifier for run in runs for identifier in (run.id, run.continues)}
    return [run for run in selection.runs if run not in known]


def _of_campaigns(selection: Selection, reader: Reader) -> list[Run]:
    """The runs in the order of the campaigns, then by id. A campaign is a search, which finds no unlisted run."""
    listed = Run.objects.listed_for(reader)
    of_any = reduce(or_, (listed.of_campaign(campaign) for campaign in selection.campaigns))
    runs = list(_whole(of_any, reader).order_by("id")[: MOST_READ + 1])
    with_runs = {run.campaign_id for run in runs}
    if len(runs) <= MOST_READ and (
        missing := [str(campaign) for campaign in selection.campaigns if campaign not in with_runs]
    ):
        raise NothingThere([f"There is no campaign {', '.join(missing)} with runs that you may see."])
    return sorted(runs, key=lambda run: selection.campaigns.index(run.campaign_id))


def of_filters(selection: Selection, runs: Sequence[Run], *, besides: str = "") -> list[Run]:
    """The runs with a selected value in every dimension of runs `besides` one.

    Raises ImpossibleSelection if no run has one of the selected values.
    """
    kept = list(runs)
    for name, selected in selection.filters.items():
        of_run = dimension(name).of
        if of_run is not None and name != besides:
            kept = matching(name, selected, kept, of_run, "run")
    return kept


def machine_names(runs: Iterable[Run]) -> dict[int, str]:
    """The names of the machines of these runs by id, told apart."""
    return told_apart({run.machine_id: run.machine.name for run in runs})


def run_line(run: Run, label: str, parser_version: str | None, machines: Mapping[int, str]) -> RunLine:
    """A run in the list of runs of a content; `parser_version` is that of its current parse; `machines` are names."""
    return RunLine(
        id=str(run.id),
        label=label,
        machine=machines[run.machine_id],
        kernel=run.environment.kernel_release,
        started_at=known_start(run.started_at, run.finished_at),
        rounds=run.round_count,
        tool=" ".join(filter(None, [run.tool, run.tool_version])),
        command=shlex.join(run.command),
        parse=run.runstate.current_parse,
        parser_version=parser_version,
    )
