"""The answer of `/articles/SLUG.json`: an article's facts with their places, its statements, checks and notes."""

from __future__ import annotations

from dataclasses import dataclass

from .article_facts import StatementFacts
from .models import Publication, StoredFact, StoredFinding, StoredNote


@dataclass(frozen=True, slots=True)
class ArticleAnswer:
    """Everything about an article but the figures of its tables; `tables` are the addresses of those.

    `statements` were entered by hand from the text; `findings` are what checks made of them and of the figures.
    """

    slug: str
    title: str
    authors: str
    year: int
    citation: str
    url: str | None
    about: list[list[str]]
    left_out: list[list[str]]
    facts: list[StoredFact]
    statements: list[StatementFacts]
    findings: list[StoredFinding]
    notes: list[StoredNote]
    tables: list[str]


def answer(publication: Publication) -> ArticleAnswer:
    """The answer about an article; one query beside the one that found it."""
    tables = publication.tables.select_related("permalink").order_by("pk")
    return ArticleAnswer(
        slug=publication.slug,
        title=publication.title,
        authors=publication.authors,
        year=publication.year,
        citation=publication.citation,
        url=publication.url,
        about=publication.about,
        left_out=publication.left_out,
        facts=publication.sourced,
        statements=publication.statements,
        findings=publication.findings,
        notes=publication.notes,
        tables=[f"{table.permalink.get_absolute_url().rstrip('/')}.json" for table in tables],
    )
