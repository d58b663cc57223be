"""Who may sign in. Deleting an account would delete its runs, so accounts are closed instead (`Active`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangosUserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

if TYPE_CHECKING:
    UserAdmin = DjangosUserAdmin[User]
else:
    UserAdmin = DjangosUserAdmin  # is no generic class while it runs

admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class Users(UserAdmin):
    """Make an account, set its password, close it; staff may read this admin, superusers may change things in it."""

    list_display = ("username", "email", "is_active", "is_staff", "is_superuser", "last_login", "date_joined")
    list_filter = ("is_active", "is_staff", "is_superuser")
    filter_horizontal = ("user_permissions",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Superusers alone: whoever sets a permission or a password can become anybody."""
        return bool(request.user.is_active and request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As for adding."""
        return self.has_add_permission(request)
