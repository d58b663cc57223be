"""Live pages and contents, evaluated once for all readers who may see the same runs (`benchdb.runs.kept`).

The pieces of a page are rendered without a request, so they can have nothing of a reader. The frame around them, with
the reader's name and actions, is rendered each time.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import orjson
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from pydantic import TypeAdapter

from benchdb.compare.kind import MadePage
from benchdb.http.after_response import after_answer
from benchdb.http.rendering import as_context, render_page
from benchdb.runs import kept
from benchdb.runs.models import RunQuerySet

from .export_menu import export_links

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Part = TypeVar("Part", bound="DataclassInstance")

PIECES = ("title", "description", "head", "skip", "above", "below", "colophon")  # as in compare/pieces.html


def live_page(
    request: HttpRequest, kind: str, path: str, runs: RunQuerySet, make: Callable[[], MadePage]
) -> HttpResponse:
    """The page of the selection in the query string: kept, or made now and kept.

    `runs` are all that an evaluation for this reader may read. Raises whatever `make` does.
    """
    of_part = (kind, "page", request.GET.urlencode())
    stored = kept.find(kept.seen(runs).key(*of_part))
    if stored is None:
        with kept.one_moment():
            seen, made = kept.seen(runs), make()
        stored = page = _rendered(made)
        after_answer(lambda: kept.keep(seen, seen.key(*of_part), page))
    query, cell, watch, pieces = orjson.loads(stored)
    # `here` is the address of the page; `chosen` is there where a cell can be chosen.
    live = {
        "pieces": dict(zip(PIECES, pieces, strict=True)),
        "kind": kind,
        "query": query,
        "here": f"{reverse(path)}?{query}",
        "exports": export_links(lambda form: f"{reverse(f'{kind}-data', args=[form])}?{query}"),
        "chosen": {"key": cell} if kind == "table" else None,
        "watch": watch,
        "section": "compare",
    }
    return render_page(request, "compare/framed.html", live)


def _rendered(made: MadePage) -> bytes:
    context = {name: value for part in made.parts for name, value in as_context(part).items()}
    mark = secrets.token_hex()  # nothing on the page can be equal to it
    _, *pieces = render_to_string(made.template, {**context, "mark": mark}).split(mark)
    return orjson.dumps([made.query, made.cell, made.watch, pieces])


def kept_part(kind: type[Part], runs: RunQuerySet, evaluate: Callable[[], Part], *of_part: str) -> Part:
    """What `evaluate` returns, kept for readers of the same runs; `of_part` are its selection and its name."""
    of_part = (kind.__name__, *of_part)
    stored = kept.find(kept.seen(runs).key(*of_part))
    if stored is None:
        with kept.one_moment():
            seen, part = kept.seen(runs), evaluate()
        values = {each.name: getattr(part, each.name) for each in fields(part)}
        after_answer(lambda: kept.keep(seen, seen.key(*of_part), orjson.dumps(values)))
        return part
    read: Part = _adapter(kind).validate_json(stored)
    return read


@cache
def _adapter(kind: type[Part]) -> TypeAdapter[Part]:
    return TypeAdapter(kind)
