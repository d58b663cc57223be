"""The context of the list of all components of a kind."""

from __future__ import annotations

from django.urls import reverse

from benchdb.http.requests import Reader
from benchdb.runs.listing.table import address
from benchdb.wording.words import upper

from .kinds import KINDS
from .listed_runs import listed_runs


def component_list(key: str, reader: Reader) -> dict[str, object]:
    """All components of a kind that have a listed run, those with the most runs first."""
    kind, listed = KINDS[key], listed_runs(reader)
    rows = [
        {
            "text": kind.say(each.identity),
            "href": kind.address(each.identity),
            "runs": each.runs,
            "runs_href": address(kind.query(each.identity).pairs()),
            "machines": each.machines,
        }
        for each in listed.count(kind, listed.runs > 0)
    ]
    # The context of components/list.html; `kinds` leads to the lists of the other kinds.
    return {
        "title": upper(kind.plural),
        "noun": kind.noun,
        "components": rows,
        "kinds": lists(without=key),
        "section": "runs",
    }


def lists(without: str | None = None) -> list[dict[str, object]]:
    """Links to the lists of all kinds."""
    shown = [kind for kind in KINDS.values() if kind.key != without]
    return [{"text": upper(kind.plural), "href": reverse("components", args=[kind.key])} for kind in shown]
