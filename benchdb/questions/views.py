"""The pages and files of questions. Views parse, call and render."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page

from .best import BestAnswer, find_best
from .explained import FactsAnswer, explained
from .files import MEDIA_TYPES, as_csv, as_json
from .form import frame
from .pages import best_page, facts_page
from .query import Question, read_question
from .sample import Sample, sample
from .similar import NoSuchMachine

NAMES = ("best", "facts")


@require_safe
def best(request: HttpRequest) -> HttpResponse:
    """The configurations that may be the best for a workload on similar hardware."""
    question, faults, found = _found(request)
    shown = frame("best", question, faults, found)
    if found is None or shown["message"] is not None:
        return render_page(request, "questions/best.html", shown, status=400 if faults else 200)
    return render_page(request, "questions/best.html", shown, best_page(find_best(found)))


@require_safe
def facts(request: HttpRequest) -> HttpResponse:
    """The facts that explain the variance of a workload's figures."""
    question, faults, found = _found(request)
    shown = frame("facts", question, faults, found)
    if found is None or shown["message"] is not None:
        return render_page(request, "questions/facts.html", shown, status=400 if faults else 200)
    return render_page(request, "questions/facts.html", shown, facts_page(explained(found, request.user)))


@require_safe
def data(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """The answer of a page as JSON or CSV; 400 with the faults as text, 404 if no run answers the question."""
    if name not in NAMES or form not in MEDIA_TYPES:
        raise Http404
    question, faults, found = _found(request)
    message = frame(name, question, faults, found)["message"]
    if found is None or message is not None:
        text = "\n".join(faults) if message is None else f"{message.title}. {message.text}"
        return HttpResponse(f"{text}\n", status=400 if faults else 404, content_type="text/plain; charset=utf-8")
    answer: BestAnswer | FactsAnswer = find_best(found) if name == "best" else explained(found, request.user)
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
