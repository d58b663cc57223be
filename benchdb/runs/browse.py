"""The list of runs: filters from the query string, one page at a time by keyset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.db.models import Q
from django.http import QueryDict

from .models import Run, RunQuerySet

PAGE = 50
MOST_OPTIONS = 200

# Parameter → (label, column). The columns have indexes.
FACETS = {
    "file_system": ("file system", "target__file_system"),
    "tool": ("tool", "tool"),
    "machine": ("machine", "machine__name"),
    "kernel": ("kernel", "environment__kernel_release"),
    "raid_level": ("RAID level", "target__raid_level"),
}

DATE = {"invalid": "It is a date such as 2026-11-20."}


class RunFilter(forms.Form):
    """What the query string may say. Facets take the values that exist; others find nothing, which is no error."""

    file_system = forms.CharField(required=False, max_length=64)
    tool = forms.CharField(required=False, max_length=64)
    machine = forms.CharField(required=False, max_length=200)
    kernel = forms.CharField(required=False, max_length=200)
    raid_level = forms.CharField(required=False, max_length=200)
    campaign = forms.UUIDField(required=False, error_messages={"invalid": "It is the id of a campaign."})
    q = forms.CharField(required=False, max_length=200)
    since = forms.DateField(required=False, error_messages=DATE)
    until = forms.DateField(required=False, error_messages=DATE)
    after = forms.UUIDField(required=False, error_messages={"invalid": "It is the id of a run."})

    def clean(self) -> dict[str, Any]:
        """A filter that is not there must not look as if it had been applied."""
        if unknown := sorted(set(self.data) - set(self.fields)):
            raise forms.ValidationError(f"There is no filter {', '.join(unknown)}.")
        return self.cleaned_data


@dataclass(frozen=True)
class Facet:
    """One menu of the filter form."""

    name: str
    label: str
    chosen: str
    options: list[str]


@dataclass(frozen=True)
class Page:
    """One page of runs; `next_query` is the query string of the next one, empty on the last."""

    runs: list[Run]
    next_query: str


def filtered(runs: RunQuerySet, asked: dict[str, Any]) -> RunQuerySet:
    """The runs that match; `asked` is the filter's cleaned data."""
    for name, (_, column) in FACETS.items():
        if asked.get(name):
            runs = runs.filter(**{column: asked[name]})
    if asked.get("campaign"):
        runs = runs.filter(campaign_id=asked["campaign"])
    if asked.get("since"):
        runs = runs.filter(started_at__date__gte=asked["since"])
    if asked.get("until"):
        runs = runs.filter(started_at__date__lte=asked["until"])
    for word in (asked.get("q") or "").split():
        runs = runs.filter(
            Q(environment__cpu_model__icontains=word)
            | Q(environment__kernel_release__icontains=word)
            | Q(environment__os_name__icontains=word)
            | Q(target__file_system__icontains=word)
            | Q(target__disk_model__icontains=word)
            | Q(target__transport__icontains=word)
            | Q(target__layers__icontains=word)
            | Q(machine__name__icontains=word)
            | Q(tool__icontains=word)
        )
    return runs


def page(runs: RunQuerySet, asked: dict[str, Any], query: QueryDict) -> Page:
    """The newest runs after the keyset `after`, one query."""
    matching = filtered(runs, asked).with_context().defer("rounds", "extra").order_by("-id")
    if asked.get("after"):
        matching = matching.filter(id__lt=asked["after"])
    found = list(matching[: PAGE + 1])
    if len(found) <= PAGE:
        return Page(found, "")
    pairs = [(key, value) for key, value in query.items() if key != "after" and value]
    return Page(found[:PAGE], urlencode([*pairs, ("after", found[PAGE - 1].id)]))


def facets(runs: RunQuerySet, asked: dict[str, Any]) -> list[Facet]:
    """The menus, each with the values that the reader's runs have; one query a facet, however many runs there are."""
    return [
        Facet(name, label, asked.get(name) or "", _values(runs, column)) for name, (label, column) in FACETS.items()
    ]


def _values(runs: RunQuerySet, column: str) -> list[str]:
    values = runs.exclude(**{column: None}).order_by(column).values_list(column, flat=True).distinct()
    return list(values[:MOST_OPTIONS])
