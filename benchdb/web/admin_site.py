"""The admin site with our sign-in page and our names."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from benchdb.web.account import second_factor
from benchdb.web.account.again import asked_again

NAMES = {
    "User": "Accounts",
    "OwnQuota": "Quotas",
    "Token": "Tokens",
    "RunState": "Runs",
    "Machine": "Machines",
    "Publication": "Articles",
    "AuditEntry": "Audit trail",
}


class Site(AdminSite):
    """The admin for staff; other signed-in users get 403 and not a second sign-in form."""

    site_header = site_title = "BenchDB"
    index_title = "Admin"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Active staff, signed in with a second factor if the site requires one."""
        return super().has_permission(request) and not second_factor.is_missing(request)

    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Redirect to the common sign-in page, which leads back. Raises PermissionDenied."""
        if super().has_permission(request) and second_factor.is_missing(request):
            return self._second_factor(request)
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", "/admin/"))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:  # django-stubs' type is for one kind of views
        """A page of the admin; its forms ask again, because they can give its session another password."""
        return super().admin_view(view if view == self.logout else asked_again(view), cacheable)

    def password_change(  # type: ignore[override]  # of the stubs, which know only its page
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """The account's page, which limits wrong passwords."""
        return redirect("password")

    def _second_factor(self, request: HttpRequest) -> HttpResponse:
        """Where the reader sends a code, or sets the second factor up."""
        if isinstance(request.user, User) and not second_factor.is_on(request.user):
            messages.info(request, "The admin requires a second factor.")
            return redirect("second-factor")
        return redirect_to_login(request.GET.get("next", "/admin/"), reverse("login-code"))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, object]]:
        """All models in one list, because our division into apps means nothing to administrators."""
        apps = super().get_app_list(request, app_label)
        if app_label:
            return apps
        by_name = {model["object_name"]: model for app in apps for model in app["models"]}
        models = [{**by_name[name], "name": label} for name, label in NAMES.items() if name in by_name]
        section = {"name": "Kept here", "app_label": "benchdb", "app_url": "/admin/", "has_module_perms": True}
        return [{**section, "models": models}] if models else []
