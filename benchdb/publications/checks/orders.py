"""Check claims that one run is better than another in all figures that both have."""

from __future__ import annotations

from collections.abc import Iterator

from benchagent.formats.vocabulary import METRICS
from benchdb.publications.article_facts import OrderFacts
from benchdb.publications.data_files import Article, ArticleFigure

from .finding import ORDERS, ArticleFinding

MOST_NAMED = 6


def orders(article: Article) -> Iterator[ArticleFinding]:
    """A finding for each claim of the data file. Raises ValueError for a claim about runs without common figures."""
    for claim in article.facts.get("text", {}).get("orders", []):
        yield _checked(article, claim)


def _checked(article: Article, claim: OrderFacts) -> ArticleFinding:
    better, than = (_figures(article, claim, run) for run in (claim["better"], claim["than"]))
    pairs = [(better[place], than[place]) for place in better if place in than]
    if not pairs:
        raise ValueError(f"{claim['better']} and {claim['than']} have no figures in common")
    higher = METRICS[claim["metric"]].higher_is_better
    against = [pair for pair in pairs if (pair[0].printed.mean > pair[1].printed.mean) is not higher]
    named = [f"{one.row}, {one.column} {one.printed.text} against {other.printed.text}" for one, other in against]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    subject = f"order of {claim['better']} and {claim['than']}"
    words = f"{claim['better']} is better than {claim['than']} in {len(pairs) - len(against)} of {len(pairs)} figures"
    exceptions = f", not in {'; '.join(named[:MOST_NAMED])}{more}" if named else ""
    stated = f"{claim['better']} before {claim['than']}, line {claim['line']}: “{claim['quote']}”"
    figures = tuple(
        f"{each.printed.text} {each.unit}, {each.table}, {each.row}, {each.column}" for pair in against for each in pair
    )
    agrees = len(against) < len(pairs) / 2 if claim.get("mostly") else not against
    return ArticleFinding(ORDERS, subject, f"{words}{exceptions}.", agrees, (stated, *figures))


def _figures(article: Article, claim: OrderFacts, run: str) -> dict[tuple[object, ...], ArticleFigure]:
    """The figures of a run by what they measure."""
    chosen = claim.get("tests")
    return {
        (figure.table, figure.test, figure.file_size, figure.record_size, figure.threads): figure
        for figure in article.of_run(run)
        if figure.metric == claim["metric"] and (chosen is None or figure.test in chosen)
    }
