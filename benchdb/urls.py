"""The root URL configuration."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from benchdb.api.app import api

admin.autodiscover()  # here, because only the process that serves pages needs the admin, and it needs most packages

urlpatterns = [
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
    path("", include("benchdb.web.urls")),
]

handler400 = "benchdb.web.views.bad_request"
handler403 = "benchdb.web.views.forbidden"
handler404 = "benchdb.web.views.not_found"
handler500 = "benchdb.web.views.server_error"
