"""BenchDB's own checks, run over an article: what they find by themselves, and which notes that confirms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchdb.publications.reading import Article, Facts, FaultyArticle
from benchdb.runs.models import Run

from .figures import time_of_run, twice_printed
from .finding import HAND, Finding
from .statements import statements
from .verdicts import verdicts

__all__ = ["Finding", "check", "notes"]


def check(article: Article, results: dict[str, list[Facts]], runs: Iterable[Run]) -> list[Finding]:
    """Every check over an article; `results` by run key as in its documents, `runs` as they are stored.

    Raises FaultyArticle for a statement that cannot be worked out.
    """
    return [
        *statements(article),
        *twice_printed(article, results),
        *time_of_run(article),
        *verdicts(runs),
    ]


def notes(article: Article, findings: list[Finding]) -> list[dict[str, Any]]:
    """The notes of the data file with `found_by`: the checks that contradict the article in what a note is `about`.

    Raises FaultyArticle for a note that names what no check looked at.
    """
    looked_at = {finding.subject for finding in findings}
    against: dict[str, set[str]] = {}
    for finding in findings:
        if not finding.agrees:
            against.setdefault(finding.subject, set()).add(finding.check)
    found = []
    for note in article.facts.get("notes", []):
        about = note.get("about", [])
        if unknown := [subject for subject in about if subject not in looked_at]:
            raise FaultyArticle(f"{article.slug}.toml: note {note['key']}: no check looks at {', '.join(unknown)}.")
        checks = sorted({check for subject in about for check in against.get(subject, ())})
        told = {name: note[name] for name in ("key", "where", "printed", "says")}
        found.append({**told, "found_by": checks or [HAND]})
    return found
