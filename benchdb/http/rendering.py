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

# Control characters, and marks that change the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066
# to U+2069). Names have none, but mount options and the words of tools may, and would look like others.
_HIDING = re.compile(
    rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)
_SHOWN = "\N{REPLACEMENT CHARACTER}".encode()


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
    page.content = _HIDING.sub(_SHOWN, page.content)
    return page
