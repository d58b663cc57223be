"""The runs that a list shows: found by facets, in any order, one page at a time by keyset."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import BooleanField, F, Q, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from benchdb.runs.models import Run, RunState, RunStateQuerySet, State

from .columns import SORTS
from .counting import Counted
from .query import Asked

PAGE = 50
MOST_CHOSEN = 200  # runs of one comparison
NOTHING = Q(pk=None)
_LABELLED = "EXISTS (SELECT FROM jsonb_each_text(runs_runstate.labels) l WHERE l.key || '=' || l.value = ANY(%s))"


@dataclass(frozen=True)
class Page:
    """One page of runs; `next_query` is the query string of the next one, empty on the last."""

    runs: list[Run]
    next_query: str


def listed(reader: Any, asked: Asked) -> RunStateQuerySet:
    """The states of what `reader` may list, of the campaign and the days that are asked for."""
    states = RunState.objects.listed_for(reader)
    if asked.campaign:
        states = states.filter(run__campaign_id=asked.campaign)
    if asked.since:
        states = states.filter(run__started_at__date__gte=asked.since)
    if asked.until:
        states = states.filter(run__started_at__date__lte=asked.until)
    return states


def page(states: RunStateQuerySet, asked: Asked, counted: Counted, reader: Any) -> Page:
    """The runs after the keyset: which ones is read from their states, then these are read whole. Two queries."""
    found = _ordered(_matching(states, asked, counted, reader), asked)
    ids = [run for run, _ in found[:PAGE]]
    runs = Run.objects.listed_for(reader).with_context().defer("rounds", "extra").in_bulk(ids)
    following = ""
    if len(found) > PAGE:
        last, at = found[PAGE - 1]
        following = urlencode(replace(asked, after=last, at=at).pairs())
    return Page([runs[run] for run in ids if run in runs], following)


def ready(states: RunStateQuerySet, asked: Asked, counted: Counted, reader: Any) -> list[Run]:
    """All runs of the list that can be compared, the newest first, with machine and target; one query."""
    matching = _matching(states, asked, counted, reader).filter(state=State.READY)
    own = Run.objects.filter(pk__in=matching.values("run")).select_related("machine", "target").order_by("-id")
    return list(own.only("id", "tool", "machine__name", "target__file_system")[:MOST_CHOSEN])


def _matching(states: RunStateQuerySet, asked: Asked, counted: Counted, reader: Any) -> RunStateQuerySet:
    """What `count` counted, asked of the states: the rows of `Facets` it found, and what is each run's own."""
    if asked.facets or asked.ranges or asked.words:
        states = states.filter(facets__in=counted.rows)
    for name in ("state", "visibility"):
        if values := asked.facets.get(name):
            states = states.filter(**{f"{name}__in": values})
    if values := asked.facets.get("owner"):
        states = states.filter(_of_owner(values, reader))
    if values := asked.facets.get("label"):
        states = states.filter(_labelled(values))
    return states


def _of_owner(values: Collection[str | None], reader: Any) -> Q:
    mine = Q(owner=reader) if reader.is_authenticated else NOTHING
    return (mine if "me" in values else NOTHING) | (~mine if "others" in values else NOTHING)


def _labelled(values: Collection[str | None]) -> Q:
    """One of the labels, as `counting` counts them; any equals sign of a value can be the one after the key."""
    texts = [value for value in values if value is not None]
    return Q(RawSQL(_LABELLED, [texts], BooleanField())) | (Q(labels={}) if None in values else NOTHING)


def _ordered(states: RunStateQuerySet, asked: Asked) -> list[tuple[UUID, Any]]:
    """Ids of the page and one more, each with what it is sorted by; the ids of runs begin with their time."""
    name, down = asked.sort.removeprefix("-"), asked.sort.startswith("-")
    if name in ("", "oldest"):
        if asked.after:
            states = states.filter(**{"run__gt" if name else "run__lt": asked.after})
        ids = states.order_by("run" if name else "-run").values_list("run", flat=True)
        return [(run, "") for run in ids[: PAGE + 1]]
    sort = SORTS[name]
    key = F(sort.path) if sort.empty is None else Coalesce(sort.path, Value(sort.empty))
    by_key = states.annotate(key=key)
    if asked.after:
        further = Q(**{"key__lt" if down else "key__gt": asked.at})
        by_key = by_key.filter(further | Q(key=asked.at, run__lt=asked.after))
    return list(by_key.order_by("-key" if down else "key", "-run").values_list("run", "key")[: PAGE + 1])
