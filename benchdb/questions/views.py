"""The pages and files of questions. Views parse, call and render."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import Reader

from .best import find_best, metric_of
from .explained import explained
from .files import MEDIA_TYPES, as_csv, as_json
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
        text = "\n".join(faults) if message is None else f"{message.title}. {message.text}"
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
