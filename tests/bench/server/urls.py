"""All addresses of BenchDB, and `/empty/`."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from benchdb import urls


def empty(request: HttpRequest) -> HttpResponse:
    """An empty answer."""
    return HttpResponse()


urlpatterns = [path("empty/", empty), *urls.urlpatterns]
handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500
