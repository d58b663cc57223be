"""All addresses, and two more that go wrong."""

from typing import NoReturn

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import path

from benchdb import urls
from benchdb.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


def fails(request: HttpRequest) -> NoReturn:
    """An error nobody thought of."""
    raise RuntimeError("on purpose")


def forbidden(request: HttpRequest) -> NoReturn:
    """What somebody may not do."""
    raise PermissionDenied


urlpatterns = [*urls.urlpatterns, path("fails/", fails), path("forbidden/", forbidden)]
