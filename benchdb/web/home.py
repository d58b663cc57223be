"""The home page: what is newest, what there is to read, and the lines that add a machine."""

from __future__ import annotations

from typing import Any

from django.db.models.fields.json import KT
from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.publications import page as publications
from benchdb.publications.models import PublishedTable
from benchdb.publications.page_files import page_file

Context = dict[str, Any]

PERMALINKS = 5
LOOKED_AT = 1000  # newest permalinks among which those that may be shown are looked for


def articles() -> list[Context]:
    """The articles, each with its tables as things to read: `tables: [{"title", "href"}]`; two queries."""
    addresses: dict[str, dict[str, str]] = {}
    for slug, key, permalink in PublishedTable.objects.values_list("publication_id", "key", "permalink_id"):
        addresses.setdefault(slug, {})[key] = reverse("permalink", args=[permalink])
    return [
        {**article, "tables": _tables(article["slug"], addresses.get(article["slug"], {}))}
        for article in publications.listed()
    ]


def _tables(slug: str, addresses: dict[str, str]) -> list[Context]:
    """Those that are printed in the article, in its order."""
    there = (table for table in page_file(slug).tables if table.inline and table.key in addresses)
    return [{"title": table.title, "href": addresses[table.key]} for table in there]


def permalinks() -> list[Context]:
    """The newest permalinks that show nothing but runs in everybody's lists; two queries.

    Others stay known to whom their address was given. Tables of articles stand with their articles.
    """
    newest = Permalink.objects.filter(revoked_at=None).exclude(pk__in=PublishedTable.objects.values("permalink"))
    looked_at = newest.order_by("-created_at", "id").values("pk")[:LOOKED_AT]
    listed = Permalink.objects.filter(pk__in=looked_at).of_listed_runs().order_by("-created_at", "id")
    shown = list(listed.values("pk", "kind", "author", "created_at")[:PERMALINKS])
    titles = dict(
        Permalink.objects.filter(pk__in=[each["pk"] for each in shown]).values_list("pk", KT("content__title"))
    )
    return [
        {
            "href": reverse("permalink", args=[each["pk"]]),
            "text": titles[each["pk"]] or each["pk"],
            "note": f"{each['kind']}, {each['author']}",
            "at": each["created_at"],
        }
        for each in shown
    ]
