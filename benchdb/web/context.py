"""Variables that the templates of all pages get."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.encoding import escape_uri_path
from django.utils.functional import SimpleLazyObject

from benchdb import __version__
from benchdb.http.requests import server_of
from benchdb.roles import only_reads


def contributes(request: HttpRequest) -> dict[str, object]:
    """Whether to offer actions that viewers may not do; queries the database only if a template reads the value."""
    user = getattr(request, "user", None)  # None if a request was refused before its user was looked up
    return {"contributes": SimpleLazyObject(lambda: bool(user and user.is_authenticated and not only_reads(user)))}


def version(request: HttpRequest) -> dict[str, str]:
    """BenchDB's version, for the footer of the page."""
    return {"benchdb_version": __version__}


def canonical(request: HttpRequest) -> dict[str, object]:
    """The address of the page without its query string, by which search engines know all of its variants.

    Pages whose query string is their content, and those of frozen figures, give another one.
    """
    return {"canonical": SimpleLazyObject(lambda: f"{server_of(request)}{escape_uri_path(request.path)}")}
