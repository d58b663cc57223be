"""The pieces of a page, rendered without a request and without the frame: they can have nothing of a reader."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.template.loader import render_to_string

from benchdb.http.rendering import as_context

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PIECES = ("title", "description", "head", "skip", "above", "below", "colophon")  # as in compare/pieces.html


def render_pieces(template: str, *parts: DataclassInstance | Mapping[str, object]) -> dict[str, str]:
    """The pieces by their names. The template extends compare/pieces.html."""
    context = {name: value for part in parts for name, value in as_context(part).items()}
    mark = secrets.token_hex()  # nothing on the page can be equal to it
    _, *pieces = render_to_string(template, {**context, "mark": mark}).split(mark)
    return dict(zip(PIECES, pieces, strict=True))
