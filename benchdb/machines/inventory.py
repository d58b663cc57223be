"""The inventory: machines that a reader may know of, each by the newest run that lists show of it.

A machine is known by its runs alone: where a reader may list none of them, there is no such machine for this reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Count, F, IntegerField, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Lower

from benchdb.runs.models import Run, RunQuerySet, RunState

PAGE = 50
MOST_OPTIONS = 200

# Parameter → (label, column). Each is a menu.
MENUS = {
    "cpu": ("CPU", "environment__cpu_model"),
    "kernel": ("kernel", "environment__kernel_release"),
    "virtualization": ("virtualization", "environment__virtualization"),
}
# Parameter → whether the greatest comes first.
SORTS = {"seen": True, "name": False, "memory": True, "runs": True}


class MachineFilter(forms.Form):
    """What the query string may say."""

    q = forms.CharField(required=False, max_length=200)
    cpu = forms.CharField(required=False, max_length=200)
    kernel = forms.CharField(required=False, max_length=200)
    virtualization = forms.CharField(required=False, max_length=200)
    sort = forms.ChoiceField(required=False, choices=[(name, name) for name in SORTS])
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

    def clean(self) -> dict[str, Any]:
        """A filter that is not there must not look as if it had been applied."""
        if unknown := sorted(set(self.data) - set(self.fields)):
            raise forms.ValidationError(f"There is no filter {', '.join(unknown)}.")
        return self.cleaned_data


@dataclass(frozen=True)
class Page:
    """One page: each machine's newest run, with `runs`, how many lists show; `after` leads to the next page."""

    rows: list[Run]
    after: int | None


def newest_runs(user: Any) -> RunQuerySet:
    """Of each machine the newest run that lists show `user`; from their states, which are read faster than runs."""
    by_machine = RunState.objects.listed_for(user).order_by("facets__machine", "-run_id").distinct("facets__machine")
    return Run.objects.filter(id__in=by_machine.values("run_id"))


def filtered(runs: RunQuerySet, asked: dict[str, Any], *, besides: str = "") -> RunQuerySet:
    """Those of `newest_runs` that match `asked`, the filter's cleaned data, in all but one of the menus."""
    for name, (_, column) in MENUS.items():
        if asked.get(name) and name != besides:
            runs = runs.filter(**{column: asked[name]})
    for word in (asked.get("q") or "").split():
        runs = runs.filter(
            Q(machine__name__icontains=word)
            | Q(environment__cpu_model__icontains=word)
            | Q(environment__kernel_release__icontains=word)
            | Q(environment__os_name__icontains=word)
            | Q(environment__facts__block_devices__icontains=word)
        )
    return runs


def page(user: Any, asked: dict[str, Any]) -> Page:
    """One page in the order that is asked for, the machine seen last first; by keyset, at most two queries."""
    sort = asked.get("sort") or "seen"
    runs = filtered(newest_runs(user), asked).annotate(runs=_count(user)).annotate(key=_key(sort))
    down = SORTS[sort]
    if asked.get("after"):
        last = newest_runs(user).annotate(runs=_count(user)).annotate(key=_key(sort)).filter(machine=asked["after"])
        key = last.values_list("key", flat=True).first()
        if key is not None:
            beyond = "lt" if down else "gt"
            runs = runs.filter(
                Q(**{f"key__{beyond}": key}) | Q(**{"key": key, f"machine_id__{beyond}": asked["after"]})
            )
    order = [f"-{name}" if down else name for name in ("key", "machine_id")]
    found = list(runs.select_related("machine", "environment").order_by(*order)[: PAGE + 1])
    return Page(found[:PAGE], found[PAGE - 1].machine_id if len(found) > PAGE else None)


def menus(user: Any, asked: dict[str, Any]) -> dict[str, list[tuple[str, int]]]:
    """By menu its values, each with how many machines it would find; the other filters count. A query a menu."""
    found = {}
    for name, (_, column) in MENUS.items():
        values = filtered(newest_runs(user), asked, besides=name).exclude(**{column: None})
        counted = values.values_list(column).annotate(machines=Count("id")).order_by("-machines", column)
        found[name] = list(counted[:MOST_OPTIONS])
    return found


def _count(user: Any) -> Coalesce:
    """How many runs of the same machine lists show."""
    own = Run.objects.listed_for(user).filter(machine=OuterRef("machine_id")).order_by()
    counted = own.values("machine").annotate(number=Count("id")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))


def _key(sort: str) -> Any:
    keys = {
        "seen": F("started_at"),
        "name": Lower("machine__name"),
        "memory": Coalesce(F("environment__memory"), Value(0)),
        "runs": F("runs"),
    }
    return keys[sort]
