"""The context of the list of machines: filters, the inventory, or a message if it is empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.http.requests import Reader
from benchdb.runs.models import Run
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size
from benchdb.wording.times import known_time

from . import hardware, inventory

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


def list_page(user: Reader, query: QueryDict) -> dict[str, object]:
    """The inventory; the number of queries is the same for any number of machines."""
    form = inventory.MachineFilter(query)
    inventory_query = form.query() if form.is_valid() else inventory.InventoryQuery()
    faults = _faults(form)
    listed = inventory.listed_machines(user)
    page = inventory.InventoryPage([], None) if faults else inventory.page(listed, inventory_query)
    menus = inventory.menus(listed, inventory.InventoryQuery() if faults else inventory_query)
    # The context of machines/list.html; `silent` are machines of the reader without runs.
    return {
        "choices": _choices(menus, query),
        "faults": faults,
        "heads": [_head(label, sort, query) for label, sort in COLUMNS],
        "machines": [_row(run) for run in page.rows],
        "next": _address(query, after=str(page.after)) if page.after else None,
        "first": _address(query) if query.get("after") else None,
        "message": None if faults or page.rows else _nothing(query, user),
        "silent": _without_runs(user),
        "section": "machines",
    }


def _row(run: Run) -> dict[str, object]:
    """The row of one machine, from its newest run."""
    environment = run.environment
    threads = plural(environment.cpu_threads, "thread") if environment.cpu_threads else None
    # A machine in machines/partials/inventory.html, as its newest run describes it; None is unknown. `virtualization`
    # is also None on bare metal.
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
        "runs": vars(run)["runs"],  # of the annotated query
        "runs_href": f"{reverse('runs')}?{urlencode({'machine': run.machine_id})}",
        "seen_at": known_time(run.started_at, run.finished_at),
    }


def _choices(menus: Mapping[str, Sequence[tuple[str, int]]], query: QueryDict) -> dict[str, object]:
    text = query.get("q", "")
    fields: list[dict[str, object]] = [
        {
            "name": "q",
            "label": "search",
            "type": "search",
            "placeholder": "name, disk, kernel …",
            "value": text,
        }
    ]
    for name, (label, _) in inventory.MENUS.items():
        chosen = query.get(name, "")
        if len(menus[name]) > 1 or chosen:
            fields.append(
                {
                    "name": name,
                    "label": label,
                    "options": _options(menus[name], chosen),
                    "type": "text",
                }
            )
    # The form of web/partials/choices.html; `reset` is None without a filter.
    return {
        "hidden": [("sort", sort)] if (sort := query.get("sort")) else [],
        "fields": fields,
        "action": reverse("machines"),
        "reset": reverse("machines") if _pairs(query) else None,
        "label": "Filter machines",
    }


def _options(values: Sequence[tuple[str, int]], chosen: str) -> list[dict[str, object]]:
    options = [*values, *([] if not chosen or chosen in dict(values) else [(chosen, 0)])]
    return [
        {"value": "", "text": "any", "selected": not chosen},
        *({"value": value, "text": f"{value} ({count})", "selected": value == chosen} for value, count in options),
    ]


def _head(label: str, sort: str | None, query: QueryDict) -> dict[str, object]:
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
    pairs = [*[pair for pair in _pairs(query) if pair[0] not in ("after", *changes)], *changes.items()]
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


def _nothing(query: QueryDict, user: Reader) -> dict[str, object]:
    if any(name != "sort" for name, _ in _pairs(query)):
        links = [{"text": "Show all machines", "href": reverse("machines")}]
        return {
            "title": "No machine matches",
            "text": "Remove a filter, or clear all filters.",
            "next": links,
        }
    links = [{"text": "Measure a machine", "href": reverse("agent")}]
    if not user.is_authenticated:
        links.append({"text": "Sign in to see your own machines", "href": reverse("login")})
    text = "A machine is listed when you can see one of its runs. Two commands download and start the agent there."
    return {"title": "No machines yet", "text": text, "next": links}


def _without_runs(user: Reader) -> list[dict[str, object]]:
    """The reader's machines without runs, whose agents asked for work or announced a campaign."""
    if not user.is_authenticated:
        return []
    machines = Machine.objects.filter(owner=user, runs=None).order_by("name", "pk")[: inventory.PAGE]
    return [{"name": machine.name, "href": reverse("machine", args=[machine.pk])} for machine in machines]
