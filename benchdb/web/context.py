"""What every page's template is given."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from benchdb import __version__
from benchdb.roles import only_reads


def contributes(request: HttpRequest) -> dict[str, object]:
    """Whether to offer what viewers may not do; the database is asked where a page wants to know."""
    user = getattr(request, "user", None)  # None where a request was refused before anybody asked who sent it
    return {"contributes": SimpleLazyObject(lambda: bool(user and user.is_authenticated and not only_reads(user)))}


def version(request: HttpRequest) -> dict[str, str]:
    """BenchDB's version, at the foot of the page."""
    return {"benchdb_version": __version__}
