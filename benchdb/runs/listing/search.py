"""The runs of a list: found by facets, in any order, one page at a time by keyset."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import BooleanField, F, Func, Q, TextField, Value
from django.db.models.functions import Coalesce

from benchdb.facts.dimension import DimensionValue
from benchdb.http.requests import Reader
from benchdb.runs.models import Run, RunState, RunStateQuerySet, State

from .columns import SORTS, USUAL, SortKey
from .counting import Counted
from .label_sets import NOTHING, labelled
from .query import RunListQuery
from .recent_campaigns import RecentCampaign, by_campaign, campaign_of, campaign_runs, tomorrow, with_answers

PAGE = 50  # rows
MOST_TOGETHER = 300  # runs of a page whose campaigns have one row each
MOST_CHOSEN = 200  # runs of one comparison
# Long columns that no column of the list shows.
NOT_LISTED = (
    *("rounds", "extra", "protocol", "state_before"),
    *("environment__facts", "environment__fingerprints"),
)


class _OfRows(Func):
    """Whether an id is in a PostgreSQL array; `__in` would make a parameter of each of 10,000 ids."""

    arg_joiner = " = ANY("
    template = "%(expressions)s::bigint[])"
    output_field = BooleanField()


@dataclass(frozen=True)
class RunPage:
    """One page of runs; `next_query` is the query string of the next page, empty on the last page.

    `campaigns` are those with several runs, by the id of their newest run; these runs are not in `runs`. `order` has
    the ids of the runs and of these newest runs. `machines` are names by id, told apart among those of the whole list.
    """

    runs: list[Run]
    next_query: str
    campaigns: Mapping[UUID, RecentCampaign] = field(default_factory=dict)
    order: Sequence[UUID] = ()
    machines: Mapping[str, str] = field(default_factory=dict)


def listed(reader: Reader, list_query: RunListQuery) -> RunStateQuerySet:
    """The states of the runs that `reader` may list, of the campaign and the days in the query."""
    states = RunState.objects.listed_for(reader)
    if list_query.campaign:
        states = states.of_campaign(list_query.campaign)
    if list_query.since:
        states = states.filter(run__started_at__date__gte=list_query.since)
    if list_query.until:
        states = states.filter(run__started_at__date__lte=list_query.until)
    return states


def of_rows(states: RunStateQuerySet, rows: Iterable[int]) -> RunStateQuerySet:
    """The states of the runs with these rows of `Facets`."""
    return states.filter(_OfRows("facets", Value(f"{{{','.join(map(str, rows))}}}")))


def page(
    states: RunStateQuerySet, list_query: RunListQuery, counted: Counted, reader: Reader, *, together: bool = False
) -> RunPage:
    """The runs after the keyset: one query finds their ids among the states, a second reads these runs whole.

    In the usual list, without filters, runs of one campaign and tool are `together`; three more queries read these
    and their answers.
    """
    is_usual = not (list_query.filters or list_query.sort) and list_query.columns == USUAL
    most = MOST_TOGETHER if together and is_usual else PAGE
    ids_and_keys = _ordered(matching(states, list_query, counted, reader), list_query, most)
    ids, campaigns = [run for run, _ in ids_and_keys[:most]], dict[UUID, RecentCampaign]()
    if most > PAGE:
        found = campaign_runs(Run.objects.listed_for(reader).filter(pk__in=ids), reader)
        found = [run._replace(machine=counted.machines.get(str(run.machine_id), run.machine)) for run in found]
        places = {run: place for place, run in enumerate(ids)}
        groups = by_campaign(sorted(found, key=lambda run: places[run.id]), PAGE)
        rows = with_answers([campaign_of(group) for group in groups if len(group) > 1], reader)
        campaigns = {each.run_ids[0]: each for each in rows}
        most, ids = sum(map(len, groups)), [group[0].id for group in groups]
    whole = Run.objects.listed_for(reader).with_context().defer(*NOT_LISTED)
    runs = whole.in_bulk([run for run in ids if run not in campaigns])
    following = ""
    if len(ids_and_keys) > most > 0:
        last, at = ids_and_keys[most - 1]
        following = urlencode(replace(list_query, after=last, at=at).pairs())
    order = [run for run in ids if run in runs or run in campaigns]
    return RunPage([runs[run] for run in order if run in runs], following, campaigns, order, counted.machines)


def ready(states: RunStateQuerySet, list_query: RunListQuery, counted: Counted, reader: Reader) -> list[Run]:
    """All runs of the list that can be compared, newest first, with machine and target; one query."""
    of_list = matching(states, list_query, counted, reader).filter(state=State.READY)
    runs = Run.objects.filter(pk__in=of_list.values("run")).select_related("machine", "target").order_by("-id")
    return list(runs.only("id", "tool", "parameters", "machine__name", "target__file_system")[:MOST_CHOSEN])


def matching(states: RunStateQuerySet, list_query: RunListQuery, counted: Counted, reader: Reader) -> RunStateQuerySet:
    """The states of the runs that `count` counted, by the rows of `Facets` it found and the columns of the state."""
    if list_query.facets or list_query.ranges or list_query.words:
        states = of_rows(states, counted.rows)
    for name in ("state", "visibility"):
        if values := list_query.facets.get(name):
            states = states.filter(**{f"{name}__in": values})
    if values := list_query.facets.get("owner"):
        states = states.filter(_of_owner(values, reader))
    if values := list_query.facets.get("label"):
        states = states.filter(labelled(values))
    return states


def _of_owner(values: Collection[DimensionValue], reader: Reader) -> Q:
    mine = Q(owner=reader) if reader.is_authenticated else NOTHING
    return (mine if "me" in values else NOTHING) | (~mine if "others" in values else NOTHING)


def _ordered(states: RunStateQuerySet, list_query: RunListQuery, most: int) -> list[tuple[UUID, SortKey]]:
    """The ids of `most` runs and of one more, with their sort keys; ids of runs begin with the time of the run.

    After the newest come those of the future.
    """
    name, down, after = list_query.sort.removeprefix("-"), list_query.sort.startswith("-"), list_query.after
    if name in ("", "oldest"):
        ids, late = states.order_by("run" if name else "-run").values_list("run", flat=True), tomorrow()
        if name or (after and after >= late):
            found = ids.filter(run__gt=after or UUID(int=0)) if name else ids.filter(run__gte=late, run__lt=after)
            return [(run, "") for run in found[: most + 1]]
        known, future = (each[: most + 1] for each in (ids.filter(run__lt=after or late), ids.filter(run__gte=late)))
        newest = sorted(known.union(future, all=True), key=lambda run: (run >= late, -run.int))
        return [(run, "") for run in newest[: most + 1]]
    sort = SORTS[name]
    as_text = TextField() if isinstance(sort.empty, str) else None
    key = F(sort.path) if sort.empty is None else Coalesce(sort.path, Value(sort.empty), output_field=as_text)
    by_key = states.annotate(key=key)
    if list_query.after:
        further = Q(**{"key__lt" if down else "key__gt": list_query.at})
        by_key = by_key.filter(further | Q(key=list_query.at, run__lt=list_query.after))
    return list(by_key.order_by("-key" if down else "key", "-run").values_list("run", "key")[: most + 1])
