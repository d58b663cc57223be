"""Answers as JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO

import orjson

from benchdb.wording.formulas import write_csv

from .best import BestAnswer
from .explained import FactsAnswer
from .query import Question

Row = Sequence[str | float | int | bool | None]
SHARES = [f"{of}_{end}" for of in ("alone", "beyond") for end in ("share", "low", "high")]
RATIOS = ["ratio", "low", "high"]


def as_json(question: Question, answer: BestAnswer | FactsAnswer) -> bytes:
    """The answer, with the canonical query of its question."""
    kind = "best" if isinstance(answer, BestAnswer) else "facts"
    return orjson.dumps({"schema": f"benchdb.{kind}/1", "query": question.text, "answer": answer})


def as_csv(answer: BestAnswer | FactsAnswer) -> bytes:
    """A line for each configuration, or for each fact and then for each effect."""
    return _best_csv(answer) if isinstance(answer, BestAnswer) else _facts_csv(answer)


def _best_csv(answer: BestAnswer) -> bytes:
    names = list(dict.fromkeys(part.fact for row in answer.configurations for part in row.parts))
    head = [*names, "standing", "reference", *RATIOS, "machines", "shared_machines", "runs", "p_best", "newest_run"]
    rows: list[Row] = []
    for row in answer.configurations:
        parts = {part.fact: part.value for part in row.parts}
        figures: Row = [row.ratio, row.low, row.high, row.machines, row.shared, row.runs, row.p_best, str(row.newest)]
        rows.append([*(parts.get(name) for name in names), row.standing.value, row.reference, *figures])
    return _written(head, rows)


def _facts_csv(answer: FactsAnswer) -> bytes:
    head = ["kind", "facts", "values", *SHARES, "follows_from", "first", "second", *RATIOS, "p", "p_adjusted", "called"]
    rows: list[Row] = []
    for fact in answer.facts:
        shares = [figure for each in (fact.alone, fact.beyond) for figure in (each.share, each.low, each.high)]
        follows = "; ".join(fact.follows_from)
        rows.append(["fact", "; ".join(fact.facts), fact.values, *shares, follows, *([None] * 8)])
    for effect in answer.effects:
        figures: Row = [effect.ratio, effect.low, effect.high, effect.p, effect.p_adjusted, effect.called]
        values = ["; ".join(effect.first), "; ".join(effect.second)]
        rows.append(["effect", "; ".join(effect.facts), *([None] * 8), *values, *figures])
    return _written(head, rows)


def _written(head: Sequence[str], rows: Iterable[Row]) -> bytes:
    text = StringIO()
    write_csv(text, [head, *rows])
    return text.getvalue().encode()


MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
