"""The articles and permalinks of the home page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models.fields.json import KT
from django.urls import reverse

from benchdb.compare.models import Permalink
from benchdb.publications import page as publications
from benchdb.publications.contexts import ListedArticle
from benchdb.publications.models import PublishedTable
from benchdb.publications.page_files import page_file

PERMALINKS = 5
CANDIDATES = 1000  # newest permalinks among which public ones are searched


@dataclass(frozen=True, slots=True)
class ArticleTable:
    """A link to a table of an article."""

    title: str
    href: str


@dataclass(frozen=True, slots=True)
class SharedLink:
    """A permalink on the home page."""

    href: str
    text: str
    note: str
    at: datetime


def articles() -> list[tuple[ListedArticle, list[ArticleTable]]]:
    """The articles, each with links to its tables; two queries."""
    addresses: dict[str, dict[str, str]] = {}
    for slug, key, permalink in PublishedTable.objects.values_list("publication_id", "key", "permalink_id"):
        addresses.setdefault(slug, {})[key] = reverse("permalink", args=[permalink])
    return [(article, _tables(article.slug, addresses.get(article.slug, {}))) for article in publications.listed()]


def _tables(slug: str, addresses: dict[str, str]) -> list[ArticleTable]:
    """Links to the tables that are printed in the article, in its order."""
    stored = (table for table in page_file(slug).tables if table.inline and table.key in addresses)
    return [ArticleTable(table.title, addresses[table.key]) for table in stored]


def permalinks() -> list[SharedLink]:
    """The newest permalinks with only runs from everybody's lists; two queries.

    Other permalinks are reachable only by their address. Published tables are listed with their articles.
    """
    newest = Permalink.objects.filter(revoked_at=None).exclude(pk__in=PublishedTable.objects.values("permalink"))
    candidates = newest.order_by("-created_at", "id").values("pk")[:CANDIDATES]
    listed = Permalink.objects.filter(pk__in=candidates).of_listed_runs().order_by("-created_at", "id")
    shown = list(listed.values("pk", "kind", "author", "created_at")[:PERMALINKS])
    titles = dict(
        Permalink.objects.filter(pk__in=[link["pk"] for link in shown]).values_list("pk", KT("content__title"))
    )
    return [
        SharedLink(
            href=reverse("permalink", args=[link["pk"]]),
            text=titles[link["pk"]] or link["pk"],
            note=f"{link['kind']}, {link['author']}",
            at=link["created_at"],
        )
        for link in shown
    ]
