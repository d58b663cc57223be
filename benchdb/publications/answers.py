"""The answer of `/articles/SLUG.json`: an article's facts with their places, its statements, checks and notes."""

from __future__ import annotations

from .models import Publication


def answer(publication: Publication) -> dict[str, object]:
    """The answer about an article; one query beside the one that found it."""
    tables = publication.tables.select_related("permalink").order_by("pk")
    # Everything about an article but the figures of its tables; `tables` are the addresses of those.
    # `statements` were entered by hand from the text; `findings` are what checks made of them and of the
    # figures.
    return {
        "slug": publication.slug,
        "title": publication.title,
        "authors": publication.authors,
        "year": publication.year,
        "citation": publication.citation,
        "url": publication.url,
        "about": publication.about,
        "left_out": publication.left_out,
        "facts": publication.sourced,
        "statements": publication.statements,
        "findings": publication.findings,
        "notes": publication.notes,
        "tables": [f"{table.permalink.get_absolute_url().rstrip('/')}.json" for table in tables],
    }
