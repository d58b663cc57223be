"""BenchDB's checks of an article, and the notes that they confirm. Used by `publications.services`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchdb.publications.article_facts import FigureResult
from benchdb.publications.data_files import Article, FaultyArticle
from benchdb.publications.models import StoredNote
from benchdb.runs.models import Run

from .figures import time_of_run, twice_printed
from .finding import HAND, ArticleFinding
from .statements import statements
from .verdicts import verdicts

__all__ = ["ArticleFinding", "check", "notes"]


def check(article: Article, results: Mapping[str, Sequence[FigureResult]], runs: Iterable[Run]) -> list[ArticleFinding]:
    """The findings of every check of an article; `results` by run key as in its documents, `runs` as they are stored.

    Raises FaultyArticle for a statement that cannot be computed.
    """
    return [
        *statements(article),
        *twice_printed(article, results),
        *time_of_run(article),
        *verdicts(runs),
    ]


def notes(article: Article, findings: list[ArticleFinding]) -> list[StoredNote]:
    """The notes of the data file with `found_by`, the checks that contradict the article in the subjects of a note.

    Raises FaultyArticle for a note about a subject of no check.
    """
    subjects = {finding.subject for finding in findings}
    against: dict[str, set[str]] = {}
    for finding in findings:
        if not finding.agrees:
            against.setdefault(finding.subject, set()).add(finding.check)
    confirmed: list[StoredNote] = []
    for note in article.facts.get("notes", []):
        about = note.get("about", [])
        if unknown := [subject for subject in about if subject not in subjects]:
            raise FaultyArticle(f"{article.slug}.toml: note {note['key']}: no check looks at {', '.join(unknown)}.")
        checks = sorted({check for subject in about for check in against.get(subject, ())})
        confirmed.append(
            {
                "key": note["key"],
                "where": note["where"],
                "printed": note["printed"],
                "says": note["says"],
                "found_by": checks or [HAND],
            }
        )
    return confirmed
