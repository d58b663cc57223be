"""Pages from their contexts: a mapping, or a frozen dataclass, with what a template shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# Control characters, and characters that change the direction of text, which could make a label look like another.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def undisguised(text: str) -> str:
    """The text with � for each character that hides others or changes the direction of writing."""
    return _HIDDEN.sub("\ufffd", text)


def as_context(page: DataclassInstance | Mapping[str, object]) -> Mapping[str, object]:
    """The fields of a dataclass as the names of a template; the values stay as they are."""
    return page if isinstance(page, Mapping) else {field.name: getattr(page, field.name) for field in fields(page)}


def render_page(
    request: HttpRequest, template: str, *parts: DataclassInstance | Mapping[str, object], status: int = 200
) -> HttpResponse:
    """The template with the fields of these parts of the page, which have no name in common.

    No character on the page hides others or changes the direction of writing.
    """
    context = {name: value for part in parts for name, value in as_context(part).items()}
    page = render(request, template, context, status=status)
    page.content = undisguised(page.content.decode()).encode()
    return page
