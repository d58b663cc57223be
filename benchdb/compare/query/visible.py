"""The runs that a reader may see: those of a permalink, and all that an evaluation may read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import Field, replace
from functools import reduce
from operator import or_
from typing import ClassVar, Protocol, TypeVar
from uuid import UUID

from benchdb.http.requests import Reader
from benchdb.runs.models import Run, RunQuerySet, in_hidden_campaign

from .errors import NothingThere

MOST_BESIDE = 500  # runs among which a menu finds others
NONE_LEFT = "There is none of its runs that you may see: each is private or was deleted."


class RunSelection(Protocol):
    """A selection of runs: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    @property
    def runs(self) -> tuple[UUID, ...]:
        """Their ids."""


Chosen = TypeVar("Chosen", bound=RunSelection)


def visible_runs(runs: Sequence[UUID], reader: Reader) -> tuple[UUID, ...]:
    """The runs that `reader` may see, in their order; one query. Raises NothingThere if there are none."""
    visible = set(Run.objects.visible_to(reader).filter(pk__in=runs).values_list("pk", flat=True))
    if not visible:
        raise NothingThere([NONE_LEFT])
    return tuple(run for run in runs if run in visible)


def left_of(selection: Chosen, reader: Reader) -> tuple[Chosen, int]:
    """The selection with those of its runs that `reader` may see, and the number of the others.

    A campaign always has its current runs. Raises NothingThere if no run is left.
    """
    if not selection.runs:
        return selection, 0
    visible = visible_runs(selection.runs, reader)
    return replace(selection, runs=visible), len(selection.runs) - len(visible)


def readable(runs: Collection[UUID], campaigns: Collection[UUID], reader: Reader) -> RunQuerySet:
    """The runs that an evaluation of these runs and campaigns for `reader` may read."""
    listed = Run.objects.listed_for(reader)
    named = Run.objects.visible_to(reader).filter(pk__in=runs).annotate(hidden=in_hidden_campaign(reader))
    return reduce(or_, (listed.of_campaign(campaign) for campaign in campaigns), named)


def newest_beside(run: str | UUID, reader: Reader) -> RunQuerySet:
    """The newest listed runs with the tool of this run on its machine: those that its menu may offer."""
    first = Run.objects.filter(pk=run)
    listed = Run.objects.listed_for(reader).filter(machine__in=first.values("machine"), tool__in=first.values("tool"))
    return listed.order_by("-pk")[:MOST_BESIDE]


def readable_beside(run: UUID | None, machine: int | None, reader: Reader) -> RunQuerySet:
    """The run, and the listed runs with its tool on its machine; without a run, all listed runs of the machine."""
    listed = Run.objects.listed_for(reader)
    if run is None:
        return listed.filter(machine=machine)
    first = Run.objects.visible_to(reader).filter(pk=run)
    return first | listed.filter(machine__in=first.values("machine"), tool__in=first.values("tool"))
