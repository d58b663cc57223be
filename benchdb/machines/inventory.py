"""The inventory: the machines of runs that a reader may list, each with its newest such run.

A reader sees a machine only with a run that the reader may list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django import forms
from django.db.models import Count, F, Func, IntegerField, JSONField, Max, Q, TextField, Value
from django.db.models.functions import Cast, Coalesce, Lower

from benchdb.http.requests import Reader
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


@dataclass(frozen=True, slots=True)
class InventoryQuery:
    """The chosen values of menus by parameter, the words of the search, the order, and the last machine before."""

    chosen: Mapping[str, str] = field(default_factory=dict)
    words: Sequence[str] = ()
    sort: str = "seen"
    after: int | None = None


class MachineFilter(forms.Form):
    """The parameters of the query string."""

    q = forms.CharField(required=False, max_length=200)
    cpu = forms.CharField(required=False, max_length=200)
    kernel = forms.CharField(required=False, max_length=200)
    virtualization = forms.CharField(required=False, max_length=200)
    sort = forms.ChoiceField(required=False, choices=[(name, name) for name in SORTS])
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

    def clean(self) -> dict[str, object]:
        """Refuse unknown filters, which would look as if they had been applied."""
        if unknown := sorted(set(self.data) - set(self.fields)):
            raise forms.ValidationError(f"There is no filter {', '.join(unknown)}.")
        return self.cleaned_data

    def query(self) -> InventoryQuery:
        """The query of a valid form."""
        entries = self.cleaned_data
        chosen = {name: entries[name] for name in MENUS if entries[name]}
        return InventoryQuery(chosen, entries["q"].split(), entries["sort"] or "seen", entries["after"])


@dataclass(frozen=True)
class InventoryPage:
    """One page: each machine's newest run, with its number of listed `runs`; `after` is the start of the next page."""

    rows: list[Run]
    after: int | None


@dataclass(frozen=True, slots=True)
class ListedMachines:
    """The machines with runs that a reader may list: the newest run of each, and their numbers of runs by machine."""

    newest: Sequence[UUID]
    counts: Mapping[int, int]

    def newest_runs(self) -> RunQuerySet:
        """The newest runs, with the number of `runs` of their machines."""
        counts = Value({str(machine): runs for machine, runs in self.counts.items()}, JSONField())
        of_machine = Func(counts, Cast("machine_id", TextField()), template="(%(expressions)s)", arg_joiner=" ->> ")
        return Run.objects.filter(id__in=self.newest).annotate(runs=Cast(of_machine, IntegerField()))


def listed_machines(user: Reader) -> ListedMachines:
    """The machines that `user` may list; one query, through run states, which are faster to read than runs."""
    states = RunState.objects.listed_for(user).filter(facets__isnull=False).order_by()
    newest = Max(Cast("run", TextField()))  # PostgreSQL has no maximum of UUIDs; their texts have the same order
    rows = states.values(machine=F("facets__machine")).annotate(runs=Count("run"), newest=newest)
    return ListedMachines([UUID(row["newest"]) for row in rows], {row["machine"]: row["runs"] for row in rows})


def filtered(runs: RunQuerySet, query: InventoryQuery, *, besides: str = "") -> RunQuerySet:
    """The newest runs of machines that match the query; the menu `besides` is ignored."""
    for name, (_, column) in MENUS.items():
        if name in query.chosen and name != besides:
            runs = runs.filter(**{column: query.chosen[name]})
    for word in query.words:
        runs = runs.filter(
            Q(machine__name__icontains=word)
            | Q(environment__cpu_model__icontains=word)
            | Q(environment__kernel_release__icontains=word)
            | Q(environment__os_name__icontains=word)
            | Q(environment__facts__block_devices__icontains=word)
        )
    return runs


def page(listed: ListedMachines, query: InventoryQuery) -> InventoryPage:
    """One page in the order of the query; keyset, at most two queries."""
    sort = query.sort
    runs = filtered(listed.newest_runs(), query).annotate(key=_key(sort))
    down = SORTS[sort]
    if query.after:
        last = listed.newest_runs().annotate(key=_key(sort)).filter(machine=query.after)
        key = last.values_list("key", flat=True).first()
        if key is not None:
            beyond = "lt" if down else "gt"
            runs = runs.filter(Q(**{f"key__{beyond}": key}) | Q(**{"key": key, f"machine_id__{beyond}": query.after}))
    order = [f"-{name}" if down else name for name in ("key", "machine_id")]
    rows = list(runs.select_related("machine", "environment").order_by(*order)[: PAGE + 1])
    return InventoryPage(rows[:PAGE], rows[PAGE - 1].machine_id if len(rows) > PAGE else None)


def menus(listed: ListedMachines, query: InventoryQuery) -> dict[str, list[tuple[str, int]]]:
    """The values of each menu with their numbers of machines under the other filters; one query for each menu."""
    options = {}
    for name, (_, column) in MENUS.items():
        values = filtered(listed.newest_runs(), query, besides=name).exclude(**{column: None})
        counted = values.values_list(column).annotate(machines=Count("id")).order_by("-machines", column)
        options[name] = list(counted[:MOST_OPTIONS])
    return options


def _key(sort: str) -> F | Func:
    keys: dict[str, F | Func] = {
        "seen": F("started_at"),
        "name": Lower("machine__name"),
        "memory": Coalesce(F("environment__memory"), Value(0)),
        "runs": F("runs"),
    }
    return keys[sort]
