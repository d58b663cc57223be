"""Who may sign in. Deleting an account would delete its runs, so accounts are closed instead (`Active`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangosUserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import ManyToManyField, Q
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest

from ..admin_site import NAMES
from .reading import NamedAdmin

if TYPE_CHECKING:
    UserAdmin = DjangosUserAdmin[User]
else:
    UserAdmin = DjangosUserAdmin  # is no generic class while it runs

admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class Users(NamedAdmin, UserAdmin):
    """Make an account, set its password, close it; staff may read this admin, superusers may change things in it."""

    list_display = ("username", "email", "is_active", "is_staff", "is_superuser", "last_login", "date_joined")
    list_filter = ("is_active", "is_staff", "is_superuser")
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password", "email")}),
        ("May", {"fields": ("is_active", "is_staff", "is_superuser", "user_permissions")}),
        ("Since", {"fields": ("date_joined", "last_login")}),
    )

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Any, Any], request: HttpRequest, **more: Any
    ) -> ModelMultipleChoiceField[Any] | None:
        """Of the permissions, those that open or change something here."""
        here = Permission.objects.filter(
            Q(codename__startswith="view_") | Q(codename__in=("change_runstate", "change_token")),
            content_type__model__in=[name.lower() for name in NAMES],
        )
        more["queryset"] = here.select_related("content_type")
        return super().formfield_for_manytomany(db_field, request, **more)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Superusers alone: whoever sets a permission or a password can become anybody."""
        return bool(request.user.is_active and request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As for adding."""
        return self.has_add_permission(request)
