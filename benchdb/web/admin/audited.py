"""The part of the admin that writes the audit trail, next to Django's own history of each object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.forms.forms import BaseForm
from django.http import HttpRequest

from benchdb.audit.models import Action, ObjectKind
from benchdb.audit.services import Acted, account, actor_of, record
from benchdb.ingest.models import Token
from benchdb.quotas.models import OwnQuota
from benchdb.runs.models import RunState
from benchdb.runs.services import LONGEST_REASON
from benchdb.wording.clean import clean

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin  # not generic at run time


class ReasonForm(ActionForm):
    """The reason for an action, for the audit trail; a withdrawal also shows it to readers."""

    reason = forms.CharField(max_length=LONGEST_REASON, required=False, label="\u2003Reason: ")


def reason_of(request: HttpRequest) -> str:
    """The reason that was given with an action."""
    return clean(request.POST.get("reason", ""))[:LONGEST_REASON]


class AuditedAdmin(ModelAdmin):
    """Every act is an entry of the audit trail: actions call `audit`, forms are recorded by themselves."""

    def audit(self, request: HttpRequest, obj: Model, action: Action, message: str) -> None:
        """Record an act with the reason of the request; `message` also appears in the history of the object."""
        super().log_change(request, obj, message)
        record(actor_of(request), action, _object(obj), reason=reason_of(request), detail=message)

    def log_addition(self, request: HttpRequest, obj: Model, message: object) -> LogEntry:
        """Record a new object, with its fields."""
        record(actor_of(request), _action(obj, new=True), _object(obj), detail=str(message))
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: object) -> LogEntry:
        """Record changes made with a form."""
        record(actor_of(request), _action(obj), _object(obj), detail=str(message))
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Model]) -> list[LogEntry]:
        """Record deletions."""
        for obj in queryset:
            record(actor_of(request), _action(obj), _object(obj), detail=f"{obj}: deleted")
        return super().log_deletions(request, queryset)

    def construct_change_message(
        self, request: HttpRequest, form: BaseForm, formsets: object, add: bool = False
    ) -> Any:  # a text, where Django's own is a list: the history of an object shows both
        """What a form changed, with the values before and after, except for passwords."""
        return "; ".join(_change(form, name, add=add) for name in form.changed_data)


def _change(form: BaseForm, name: str, *, add: bool) -> str:
    if "password" in name:
        return f"{name}: set"
    after = _say(form.cleaned_data.get(name))
    return f"{name}: {after}" if add else f"{name}: {_say(form.initial.get(name))} → {after}"


def _say(value: object) -> str:
    """A value of a form; many objects by their names."""
    if isinstance(value, (list, tuple, QuerySet)):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)


def _action(obj: Model, *, new: bool = False) -> Action:
    if isinstance(obj, OwnQuota):
        return Action.QUOTA
    return Action.MAKE_ACCOUNT if new else Action.CHANGE_ACCOUNT


def _object(obj: Model) -> Acted:
    """The object of an act; quotas are changes of their account."""
    if isinstance(obj, OwnQuota):
        return account(obj.owner)
    if isinstance(obj, RunState):
        return Acted(ObjectKind.RUN, str(obj.run_id), str(obj.run))
    if isinstance(obj, Token):
        return Acted(ObjectKind.TOKEN, str(obj.pk), obj.name)
    assert isinstance(obj, User)
    return account(obj)
