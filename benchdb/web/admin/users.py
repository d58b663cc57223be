"""The admin of accounts: create, close (`Active`), give roles, and delete with all their data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangosUserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.db.models import ManyToManyField, Model, Q, QuerySet
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from benchdb.audit.models import Action
from benchdb.roles import Role, role_of, set_role
from benchdb.web.account import second_factor
from benchdb.web.account.leaving import KeptAccount, leave
from benchdb.web.admin_site import NAMES

from .audited import ReasonForm
from .read_only import NamedAdmin

if TYPE_CHECKING:
    UserAdmin = DjangosUserAdmin[User]
else:
    UserAdmin = DjangosUserAdmin  # not generic at run time

for hidden in (StaticDevice, TOTPDevice):  # with keys and codes; removing them is an action of accounts
    admin.site.unregister(hidden)
admin.site.unregister(User)
admin.site.unregister(Group)


class NameForm(ReasonForm):
    """A reason, and the account's name, typed to confirm its deletion."""

    name = forms.CharField(max_length=150, required=False, label="\u2003Its name, to delete it: ")


@admin.register(User)
class Users(NamedAdmin, UserAdmin):
    """Accounts; staff may read this admin, superusers may change accounts."""

    list_display = ("username", "email", "role", "is_active", "last_login", "date_joined")
    list_filter = ("is_active", "is_staff", "is_superuser")
    filter_horizontal = ()
    action_form = NameForm
    actions = (
        "make_viewer",
        "make_contributor",
        "make_maintainer",
        "make_admin",
        "remove_second_factor",
        "delete_account",
    )
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password", "email")}),
        ("May", {"fields": ("is_active", "is_staff", "is_superuser", "user_permissions")}),
        ("Since", {"fields": ("date_joined", "last_login")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """The accounts with the groups that `role` needs."""
        return super().get_queryset(request).prefetch_related("groups")

    @admin.display
    def role(self, user: User) -> str:
        """The account's role."""
        return role_of(user)

    @admin.action(description="Make viewer", permissions=["change"])
    def make_viewer(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Make the accounts and their tokens read-only."""
        self._make(request, chosen, Role.VIEWER)

    @admin.action(description="Make contributor", permissions=["change"])
    def make_contributor(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Let the accounts upload, import and share."""
        self._make(request, chosen, Role.CONTRIBUTOR)

    @admin.action(description="Make maintainer", permissions=["change"])
    def make_maintainer(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Let the accounts also withdraw runs of others and revoke their tokens."""
        self._make(request, chosen, Role.MAINTAINER)

    @admin.action(description="Make admin", permissions=["change"])
    def make_admin(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Let the accounts also make accounts and give roles."""
        self._make(request, chosen, Role.ADMIN)

    @admin.action(description="Remove the second factor", permissions=["change"])
    def remove_second_factor(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Let people who lost app and codes sign in with the password only."""
        for user in chosen:
            with transaction.atomic():
                second_factor.remove(user)
                self.audit(request, user, Action.SECOND_FACTOR, "removed")
        self.message_user(request, f"{len(chosen)} without a second factor.", messages.SUCCESS)

    @admin.action(description="Delete with all runs, permalinks and machines", permissions=["change"])
    def delete_account(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Delete one account for good; its runs leave tombstones. A worker does the slow part."""
        users = list(chosen)
        if len(users) != 1 or users[0].username != request.POST.get("name", "").strip():
            message = "Choose one account, and write its name beside the action. Nothing was changed."
            self.message_user(request, message, messages.ERROR)
            return
        name = users[0].username
        try:
            with transaction.atomic():
                self.audit(request, users[0], Action.DELETE_ACCOUNT, f"Deleted: {name}")  # while it has its name
                leave(users[0])
        except KeptAccount as error:
            self.message_user(request, f"{name} {error}. Nothing was changed.", messages.ERROR)
            return
        self.message_user(
            request, f"{name} is deleted; within minutes everything that was theirs is.", messages.SUCCESS
        )

    def _make(self, request: HttpRequest, chosen: QuerySet[User], role: Role) -> None:
        if request.user in chosen:
            self.message_user(request, "Another admin changes your own role. Nothing was changed.", messages.ERROR)
            return
        for user in chosen:
            with transaction.atomic():
                before = role_of(user)
                set_role(user, role)
                self.audit(request, user, Action.ROLE, f"{before} → {role}")
        self.message_user(request, f"{len(chosen)} made {role}.", messages.SUCCESS)

    @method_decorator(sensitive_post_parameters())
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Set a password and record that, or neither."""
        with transaction.atomic():
            return super().user_change_password(request, id, form_url)

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Model, Model], request: HttpRequest, **more: object
    ) -> ModelMultipleChoiceField[Model] | None:
        """A field that offers only the permissions that matter in this admin."""
        relevant = Permission.objects.filter(
            Q(codename__startswith="view_") | Q(codename__in=("change_runstate", "change_token")),
            content_type__model__in=[name.lower() for name in NAMES],
        )
        more["queryset"] = relevant.select_related("content_type")
        return super().formfield_for_manytomany(db_field, request, **more)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Never."""
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only superusers, because anybody who sets permissions or passwords can become any account."""
        return bool(request.user.is_active and request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """As for adding."""
        return self.has_add_permission(request)
