"""The context of the list of machines: filters, the inventory, or a message if it is empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser, User
from django.http import QueryDict
from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.runs.models import Run
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size
from benchdb.wording.times import known_time

from . import hardware, inventory
from .timeline import Context

# (head of the column, sort of the link in the head)
COLUMNS = (
    ("Machine", "name"),
    ("Processor", None),
    ("Memory", "memory"),
    ("Disks", None),
    ("Kernel", None),
    ("Runs", "runs"),
    ("Last run", "seen"),
)


def list_context(user: User | AnonymousUser, query: QueryDict) -> Context:
    """The context of `machines/list.html`; the number of queries is the same for any number of machines."""
    form = inventory.MachineFilter(query)
    filters = form.cleaned_data if form.is_valid() else {}
    faults = _faults(form)
    page = inventory.InventoryPage([], None) if faults else inventory.page(user, filters)
    menus = inventory.menus(user, {} if faults else filters)
    return {
        "section": "machines",
        "choices": _choices(menus, query),
        "faults": faults,
        "heads": [_head(label, sort, query) for label, sort in COLUMNS],
        "machines": [_row(run) for run in page.rows],
        "next": _address(query, after=str(page.after)) if page.after else None,
        "first": _address(query) if query.get("after") else None,
        "message": None if faults or page.rows else _nothing(query, user),
        "silent": _without_runs(user),
    }


def _row(run: Run) -> Context:
    """The row of one machine, from its newest run."""
    environment = run.environment
    threads = plural(environment.cpu_threads, "thread") if environment.cpu_threads else None
    return {
        "href": reverse("machine", args=[run.machine_id]),
        "name": run.machine.name,
        "virtualization": environment.virtualization if environment.virtualization != "none" else None,
        "cpu": environment.cpu_model,
        "threads": threads,
        "memory": say_size(environment.memory) if environment.memory else None,
        "disks": hardware.in_short(environment.facts) or None,
        "kernel": environment.kernel_release,
        "os": environment.os_name,
        "runs": run.runs,  # type: ignore[attr-defined]
        "runs_href": f"{reverse('runs')}?{urlencode({'machine': run.machine.name})}",
        "seen_at": known_time(run.started_at, run.finished_at),
    }


def _choices(menus: Mapping[str, Sequence[tuple[str, int]]], query: QueryDict) -> Context:
    """The context of web/partials/choices.html."""
    fields: list[Context] = [
        {
            "name": "q",
            "label": "search",
            "type": "search",
            "placeholder": "name, disk, kernel …",
            "value": query.get("q", ""),
        }
    ]
    for name, (label, _) in inventory.MENUS.items():
        chosen = query.get(name, "")
        if len(menus[name]) > 1 or chosen:
            fields.append({"name": name, "label": label, "options": _options(menus[name], chosen)})
    return {
        "action": reverse("machines"),
        "label": "Filter machines",
        "submit": "Show",
        "reset": reverse("machines") if _pairs(query) else None,
        "hidden": [("sort", query["sort"])] if query.get("sort") else [],
        "fields": fields,
    }


def _options(values: Sequence[tuple[str, int]], chosen: str) -> list[Context]:
    options = [*values, *([] if not chosen or chosen in dict(values) else [(chosen, 0)])]
    anything = {"value": "", "text": "any", "selected": not chosen}
    return [
        anything,
        *({"value": value, "text": f"{value} ({count})", "selected": value == chosen} for value, count in options),
    ]


def _head(label: str, sort: str | None, query: QueryDict) -> Context:
    """A column's head; `sorted` is the value of aria-sort."""
    if sort is None:
        return {"label": label, "href": None, "sorted": None, "number": False}
    by_this = (query.get("sort") or "seen") == sort
    order = "descending" if inventory.SORTS[sort] else "ascending"
    return {
        "label": label,
        "href": None if by_this else _address(query, sort=sort),
        "sorted": order if by_this else None,
        "number": sort in ("memory", "runs"),
    }


def _address(query: QueryDict, **changes: str) -> str:
    """This page with another order or position; another order starts at its first page."""
    kept = [pair for pair in _pairs(query) if pair[0] not in ("after", *changes)]
    pairs = [*kept, *changes.items()]
    return f"{reverse('machines')}?{urlencode(pairs)}" if pairs else reverse("machines")


def _pairs(query: QueryDict) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in query.items() if value]


def _faults(form: inventory.MachineFilter) -> list[str]:
    """The faults of the filters, each with its value."""
    if form.is_valid():
        return []
    named = [(name, messages) for name, messages in form.errors.items() if name in form.fields]
    faults = [f"“{name}” cannot be “{form.data.get(name)}”. {' '.join(map(str, messages))}" for name, messages in named]
    return [*map(str, form.non_field_errors()), *faults]


def _nothing(query: QueryDict, user: User | AnonymousUser) -> Context:
    """The context of web/partials/message.html."""
    if any(name != "sort" for name, _ in _pairs(query)):
        return {
            "title": "No machine matches",
            "text": "Take a filter away, or clear all of them.",
            "command": None,
            "next": [{"text": "Show all machines", "href": reverse("machines")}],
        }
    links = [{"text": "Measure a machine", "href": reverse("agent")}]
    if not user.is_authenticated:
        links.append({"text": "Sign in to see your own machines", "href": reverse("login")})
    return {
        "title": "No machines yet",
        "text": "A machine is listed as soon as a run of it may be seen. Two lines fetch and start the agent there.",
        "command": None,
        "next": links,
    }


def _without_runs(user: User | AnonymousUser) -> list[Context]:
    """The reader's machines without runs, whose agents asked for work or announced a campaign."""
    if not user.is_authenticated:
        return []
    machines = Machine.objects.filter(owner=user, runs=None).order_by("name", "pk")[: inventory.PAGE]
    return [{"name": machine.name, "href": reverse("machine", args=[machine.pk])} for machine in machines]
