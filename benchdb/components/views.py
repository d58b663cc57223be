"""Components. Views parse, call and render."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page

from .listing import component_list
from .page import component_page


@require_safe
def list_page(request: HttpRequest, kind: str) -> HttpResponse:
    """All components of a kind."""
    return render_page(request, "components/list.html", component_list(kind, request.user))


@require_safe
def page(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """One component."""
    found = component_page(kind, name, request.user)
    if found is None:
        raise Http404
    return render_page(request, "components/component.html", found)
