"""The admin of quotas that differ from the settings; only admins see and change them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from benchdb.quotas.models import OwnQuota

from .read_only import NamedAdmin

if TYPE_CHECKING:
    AccountChoice = forms.ModelChoiceField[User]
else:
    AccountChoice = forms.ModelChoiceField  # not generic at run time


class AccountField(AccountChoice):
    """An account, typed by its name."""

    def prepare_value(self, value: object) -> object:
        """The name of the account of a stored quota, which the form has by its id."""
        if isinstance(value, int):
            return User.objects.values_list("username", flat=True).get(pk=value)
        return super().prepare_value(value)


class QuotaForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for type checkers only
    """A quota, with the name of its account."""

    owner = AccountField(
        User.objects.all(),
        to_field_name="username",
        widget=forms.TextInput,
        label="Account",
        error_messages={"invalid_choice": "There is no account of this name."},
    )


@admin.register(OwnQuota)
class Quotas(NamedAdmin):
    """The list of quotas of single accounts."""

    fields = ("owner", "quota", "most")
    form = QuotaForm
    list_display = ("owner", "quota", "most")
    list_select_related = ("owner",)
    list_filter = ("quota",)
    search_fields = ("owner__username",)
    ordering = ("owner__username", "quota")
    actions = None

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Only admins."""
        return bool(request.user.is_active and request.user.is_superuser)

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission
