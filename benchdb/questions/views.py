"""The pages and files of questions. Views parse, call and render."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import Reader
from benchdb.wording.formulas import write_csv

from .best import BestAnswer, find_best, metric_of
from .explained import FactsAnswer, explained
from .form import frame
from .pages import best_page, facts_page
from .query import Question, read_question
from .sample import Sample, sample
from .similar import NoSuchMachine

ANSWERS: Mapping[str, Callable[[Sample, Reader], Any]] = {"best": lambda found, _: find_best(found), "facts": explained}
PAGES: Mapping[str, Callable[[Any, str], dict[str, object]]] = {"best": best_page, "facts": facts_page}


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """The answer to a question: the best configurations, or the facts that explain the variance."""
    question, faults, found = _found(request)
    shown = frame(name, question, faults, found)
    answer: dict[str, object] = {}
    if found is not None and shown["message"] is None:
        answer = PAGES[name](ANSWERS[name](found, request.user), metric_of(found))
    return render_page(request, f"questions/{name}.html", shown, answer, status=400 if faults else 200)


@require_safe
def data(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """The answer of a page as JSON or CSV; 400 with the faults as text, 404 if no run answers the question."""
    if name not in ANSWERS or form not in MEDIA_TYPES:
        raise Http404
    question, faults, found = _found(request)
    message = frame(name, question, faults, found)["message"]
    if found is None or message is not None:
        text = "\n".join(faults) if message is None else f"{message['title']}. {message['text']}"
        return HttpResponse(f"{text}\n", status=400 if faults else 404, content_type="text/plain; charset=utf-8")
    answer = ANSWERS[name](found, request.user)
    content = as_json(found.question, answer) if form == "json" else as_csv(answer)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return HttpResponse(content, content_type=MEDIA_TYPES[form], headers=headers)


def _found(request: HttpRequest) -> tuple[Question, list[str], Sample | None]:
    """The question, its faults, and the runs that answer it unless there are faults."""
    question, faults = read_question(request.GET)
    if faults:
        return question, faults, None
    try:
        return question, [], sample(question, request.user)
    except NoSuchMachine:
        fault = f"“like” cannot be “{question.like}”. No listed run is of a machine with this number."
        return question, [fault], None


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
