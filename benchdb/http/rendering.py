"""Pages from typed contexts: each page has a frozen dataclass with what its template shows."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def as_context(page: DataclassInstance) -> dict[str, object]:
    """The fields of a dataclass as the names of a template; the values stay as they are."""
    return {field.name: getattr(page, field.name) for field in fields(page)}


def render_page(request: HttpRequest, template: str, *parts: DataclassInstance, status: int = 200) -> HttpResponse:
    """The template with the fields of these parts of the page, which have no name in common."""
    context = {name: value for part in parts for name, value in as_context(part).items()}
    return render(request, template, context, status=status)
