"""The admin under our own sign-in page, and with our own words."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

NAMES = {"User": "Accounts", "Token": "Tokens", "RunState": "Runs", "Machine": "Machines", "Publication": "Articles"}


class Site(AdminSite):
    """For staff. Who is signed in and is none gets 403, and not a second form that would refuse them."""

    site_header = site_title = "BenchDB"
    index_title = "Admin"
    enable_nav_sidebar = False

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """To the page where everybody signs in, and back. Raises PermissionDenied."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", "/admin/"))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """What there is to keep, as one list: in which of our apps it lives is nothing to its readers."""
        apps = super().get_app_list(request, app_label)
        if app_label:
            return apps
        found = {model["object_name"]: model for app in apps for model in app["models"]}
        models = [{**found[name], "name": words} for name, words in NAMES.items() if name in found]
        there = {"name": "Kept here", "app_label": "benchdb", "app_url": "/admin/", "has_module_perms": True}
        return [{**there, "models": models}] if models else []
