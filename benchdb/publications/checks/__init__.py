"""BenchDB's checks of an article, and the notes that they confirm. Used by `publications.services`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from benchdb.publications.article_facts import FigureResult
from benchdb.publications.data_files import Article, FaultyArticle
from benchdb.publications.models import StoredNote
from benchdb.runs.models import Run

from .bounds import interfaces, limits
from .cached import cached
from .cpu_times import cpu_times
from .figures import time_of_run, twice_printed
from .finding import HAND, ArticleFinding
from .known import Known
from .models import capacities
from .orders import orders
from .products import most_files, products
from .shares import shares
from .statements import entries, known_values
from .sums import sums
from .twice import comparisons
from .verdicts import verdicts

__all__ = ["ArticleFinding", "check", "computed", "is_about", "notes"]


def check(article: Article, results: Mapping[str, Sequence[FigureResult]], runs: Iterable[Run]) -> list[ArticleFinding]:
    """The findings of every check of an article; `results` by run key as in its documents, `runs` as they are stored.

    Raises FaultyArticle for a statement that cannot be computed.
    """
    return [
        *computed(article),
        *twice_printed(article, results),
        *time_of_run(article),
        *cpu_times(article),
        *verdicts(runs),
    ]


def computed(article: Article) -> list[ArticleFinding]:
    """The findings of arithmetic on statements and figures. Raises FaultyArticle."""
    try:
        told, known = entries(article), _implied(article)
        found = [comparison.finding() for comparison in comparisons(known)]
        return [*found, *shares(told, known), *cached(told, known), *orders(article)]
    except (ArithmeticError, StopIteration, ValueError) as error:
        raise FaultyArticle(f"{article.slug}.toml, statements: {error}") from None


def _implied(article: Article) -> list[Known]:
    """What is stated, printed and implied."""
    told, stated = entries(article), known_values(article)
    limited = [*most_files(stated), *interfaces(told), *limits(stated)]
    return [*stated, *products(stated), *sums(told), *limited, *capacities(told)]


def is_about(finding: ArticleFinding, pattern: str) -> bool:
    """Whether the finding has this subject, or `CHECK: SUBJECT`; `*` matches anything."""
    return any(fnmatchcase(name, pattern) for name in (finding.subject, f"{finding.check}: {finding.subject}"))


def notes(article: Article, findings: list[ArticleFinding]) -> list[StoredNote]:
    """The notes of the data file with `found_by`, the checks that contradict the article in the subjects of a note.

    Raises FaultyArticle for a note about a subject of no check.
    """
    confirmed: list[StoredNote] = []
    for note in article.facts.get("notes", []):
        about = note.get("about", [])
        found = {pattern: [each for each in findings if is_about(each, pattern)] for pattern in about}
        if unknown := [pattern for pattern, of_it in found.items() if not of_it]:
            raise FaultyArticle(f"{article.slug}.toml: note {note['key']}: no check looks at {', '.join(unknown)}.")
        against = [each for of_it in found.values() for each in of_it if not each.agrees]
        confirmed.append(
            {
                "key": note["key"],
                "where": note["where"],
                "printed": note["printed"],
                "says": note["says"],
                "remark": note.get("remark", False),
                "found_by": sorted({each.check for each in against}) or [HAND],
                "findings": [{"text": each.text, "statements": list(each.statements)} for each in against],
            }
        )
    return confirmed
