"""All addresses, and two more that fail."""

from typing import NoReturn

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import path

from benchdb import urls
from benchdb.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


def fails(request: HttpRequest) -> NoReturn:
    """An unexpected error."""
    raise RuntimeError("on purpose")


def forbidden(request: HttpRequest) -> NoReturn:
    """A forbidden page."""
    raise PermissionDenied


urlpatterns = [*urls.urlpatterns, path("fails/", fails), path("forbidden/", forbidden)]
