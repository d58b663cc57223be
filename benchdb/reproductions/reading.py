"""The answers that a reader may see, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from django.db.models import Case, Q, When, Window
from django.db.models.functions import RowNumber

from benchdb.http.requests import Reader
from benchdb.plans.models import Campaign
from benchdb.runs.models import Run

from .models import Reproduction, ReproductionQuerySet
from .services import MOST_OTHERS

MOST = 2 * MOST_OTHERS


@dataclass(frozen=True, slots=True)
class LinkedReproduction:
    """A pair as one of its campaigns sees it: `other` is the other one, which `repeats` this one or is repeated by it.

    `runs` maps each run of this campaign to the run of the same point of the other.
    """

    reproduction: Reproduction
    other: Campaign
    repeats: bool
    runs: dict[UUID, UUID]


def reproductions_of(campaign_id: UUID, reader: Reader) -> list[LinkedReproduction]:
    """The pairs of a campaign, originals first and newest first; two queries for any number of pairs.

    The accounts of the other campaigns take turns, so that nobody displaces what others repeated.
    """
    newest = "-original__started_at", "-repetition__started_at"
    other = Case(When(original=campaign_id, then="repetition__owner"), default="original__owner")
    pairs = _pairs(reader).filter(Q(original=campaign_id) | Q(repetition=campaign_id)).defer("packed")
    pairs = pairs.annotate(turn=Window(RowNumber(), partition_by=other, order_by=newest)).order_by("turn", *newest)
    linked = [_linked(pair, campaign_id) for pair in _whole(pairs[:MOST], reader)]
    return sorted(linked, key=lambda each: (not each.repeats, each.other.started_at), reverse=True)


def reproduction(repetition: UUID, original: UUID, reader: Reader) -> Reproduction | None:
    """One pair with its content; None if there is none that `reader` may see. Two queries."""
    return next(iter(_whole(list(_pairs(reader).filter(repetition=repetition, original=original)), reader)), None)


def _pairs(reader: Reader) -> ReproductionQuerySet:
    return Reproduction.objects.listed_for(reader).select_related("original__machine", "repetition__machine")


def _whole(pairs: Collection[Reproduction], reader: Reader) -> list[Reproduction]:
    """The pairs whose runs the reader may list, all of them: a run that was withdrawn, hidden or deleted meanwhile
    hides its pair until a worker has compared the others.
    """
    runs = set(chain.from_iterable(pair.runs for pair in pairs))
    listed = set(Run.objects.listed_for(reader).filter(pk__in=runs).values_list("pk", flat=True))
    return [pair for pair in pairs if listed.issuperset(pair.runs)]


def _linked(pair: Reproduction, campaign_id: UUID) -> LinkedReproduction:
    of_original, of_repetition = pair.runs[0::2], pair.runs[1::2]
    if pair.original_id == campaign_id:
        runs = dict(zip(of_original, of_repetition, strict=True))
        return LinkedReproduction(pair, pair.repetition, repeats=True, runs=runs)
    runs = dict(zip(of_repetition, of_original, strict=True))
    return LinkedReproduction(pair, pair.original, repeats=False, runs=runs)
