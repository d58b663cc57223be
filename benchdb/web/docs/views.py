"""The pages of the documentation."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from benchdb.http.rendering import render_page

from .library import find


@require_safe
@conditional_page
def docs_page(request: HttpRequest, name: str = "") -> HttpResponse:
    """A page of the documentation, the index without a name; 304 if the reader has it already."""
    page = find(name)
    if page is None:
        raise Http404
    return render_page(request, "web/docs.html", page, {"section": "docs"})
