"""Compute the statements of an article again: sizes, counts and units (docs/publications.md)."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from benchdb.publications.article_facts import ArticleStatement
from benchdb.publications.data_files import Article, FaultyArticle
from benchdb.publications.printed_numbers import UNITS, read_printed, read_size
from benchdb.stats import (
    Access,
    CacheFacts,
    CacheVerdict,
    ClockVerdict,
    cache_sentence,
    cache_verdict,
    clock_sentence,
)
from benchdb.stats import clock_verdicts as judge_clock

from .finding import CACHE, CLOCK, ArticleFinding, say

WITHIN = Decimal("0.01")  # tolerated difference between both sides of an equation, as a share
_SIZE = re.compile(r"[\d.]+ ?[KMGT]i?B?")
_OPERATIONS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "*": operator.mul,
    "/": operator.truediv,
    "+": operator.add,
    "-": operator.sub,
}
_RELATIONS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def statements(article: Article) -> Iterator[ArticleFinding]:
    """A finding for each statement of the data file. Raises FaultyArticle."""
    for stated in article.facts.get("statements", []):
        try:
            yield _CHECKS.get(stated["check"], _arithmetic)(article, stated)
        except (KeyError, ValueError, ArithmeticError) as error:
            name = f"{article.slug}.toml, statement {stated.get('id')}"
            raise FaultyArticle(f"{name}: {type(error).__name__}: {error}") from None


def _arithmetic(article: Article, stated: ArticleStatement) -> ArticleFinding:
    left, right = value_of(article, stated["left"]), value_of(article, stated["right"])
    relation = stated.get("relation", "=")
    if relation == "=":
        agrees = abs(left - right) <= abs(right) * Decimal(str(stated.get("within", WITHIN)))
    else:
        agrees = _RELATIONS[relation](left, right)
    text = f"{stated['says']}: {say(left)} against {say(right)}{_times(left, right)}."
    return ArticleFinding(stated["check"], stated["id"], text, agrees)


def _times(left: Decimal, right: Decimal) -> str:
    """The difference of both as a percentage or a factor; empty for equal values."""
    ratio = left / right if right else Decimal(1)
    if abs(ratio - 1) < Decimal("0.0005"):
        return ""
    return f" ({say(ratio)} times)" if ratio > 2 or ratio < Decimal("0.5") else f" ({100 * (ratio - 1):+.1f} %)"


def value_of(article: Article, side: Sequence[str]) -> Decimal:
    """The value of operands with operations between them, from left to right, in base units."""
    value = _operand(article, side[0])
    for operation, operand in zip(side[1::2], side[2::2], strict=True):
        value = _OPERATIONS[operation](value, _operand(article, operand))
    return value


def _operand(article: Article, text: str) -> Decimal:
    """`16G`, `1,000`, `1466577 KiB/s`, or a figure: `table-1 | ext4 | ops/s`."""
    if "|" in text:
        return _figure(article, [part.strip() for part in text.split("|")])
    if _SIZE.fullmatch(text):
        return Decimal(read_size(text))
    number, _, unit = text.partition(" ")
    return read_printed(number, unit if unit in UNITS else "op/s").mean


def _figure(article: Article, name: list[str]) -> Decimal:
    figures = [figure for figure in article.figures if [figure.table, figure.row, figure.column] == name]
    if not figures:
        raise ValueError(f"there is no figure {' | '.join(name)}")
    return figures[0].printed.mean


def _cache(article: Article, stated: ArticleStatement) -> ArticleFinding:
    """The cache verdict of a stated workload whose size no result has."""
    size, memory = int(value_of(article, stated["working_set"])), int(value_of(article, stated["memory"]))
    judged = cache_verdict(CacheFacts(Access(stated["access"]), working_set=size, memory=memory))
    agrees = judged.verdict is CacheVerdict.DEVICE
    return ArticleFinding(
        CACHE, stated["id"], f"{stated['says']}: {judged.verdict.value}. {cache_sentence(judged)}", agrees
    )


def _clock(article: Article, stated: ArticleStatement) -> ArticleFinding:
    """The clock verdict of stated bytes at a stated speed."""
    seconds = value_of(article, stated["moved"]) / value_of(article, stated["speed"])
    judged = judge_clock(float(seconds), stated["tick"])
    verdict, ticks = judged.verdict[0], float(judged.ticks[0])
    agrees = verdict is ClockVerdict.FINE
    return ArticleFinding(CLOCK, stated["id"], f"{stated['says']}: {clock_sentence(verdict, ticks)}", agrees)


_CHECKS: dict[str, Callable[[Article, ArticleStatement], ArticleFinding]] = {CACHE: _cache, CLOCK: _clock}
