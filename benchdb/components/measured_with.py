"""The machines and other components with which a component was measured, with their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.wording.numbers import plural

from .kinds import KINDS, KindDescription
from .listed_runs import ListedRuns, Mask

MOST_VALUES = 8  # of a kind


@dataclass(frozen=True, slots=True)
class CountedLink:
    """A name with its number of runs."""

    text: str
    href: str
    runs: str


def machines_of(listed: ListedRuns, own: Mask) -> list[tuple[Machine, int]]:
    """The machines with their runs, those with the most first; one query."""
    runs_of = [(int(machine or 0), runs) for machine, runs in listed.by_value("machine", own)]
    machines = Machine.objects.only("name").in_bulk([machine for machine, _ in runs_of])
    return [(machines[machine], runs) for machine, runs in runs_of if machine in machines]


def measured_with(
    listed: ListedRuns, own: Mask, kind: KindDescription, machines: Sequence[tuple[Machine, int]]
) -> list[dict[str, object]]:
    """The machines, and the components of each other kind, those with the most runs first."""
    links = [
        CountedLink(machine.name, reverse("machine", args=[machine.pk]), plural(runs, "run"))
        for machine, runs in machines
    ]
    found = [_most("machines", links)]
    for other in KINDS.values():
        if other is not kind:
            counted = listed.count(other, own)
            of_kind = [
                CountedLink(other.say(each.identity), other.address(each.identity), plural(each.runs, "run"))
                for each in counted
            ]
            found.append(_most(other.plural, of_kind))
    return found


def _most(term: str, links: Sequence[CountedLink]) -> dict[str, object]:
    return {"term": term, "links": links[:MOST_VALUES], "more": len(links[MOST_VALUES:])}
