"""The admin's list of all tokens, without their secrets, which only the owners have."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from benchdb.audit.models import Action
from benchdb.ingest.models import Token
from benchdb.ingest.tokens import revoke_token

from .audited import ReasonForm
from .read_only import Ended, ReadingAdmin


@admin.register(Token)
class Tokens(ReadingAdmin):
    """Tokens, read-only, with an action that revokes them; the account page makes tokens."""

    fields = (
        *("owner", "name", "scopes", "default_visibility", "machine"),
        *("created_at", "expires_at", "revoked_at", "last_used_at"),
    )
    list_display = ("name", "owner", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at")
    list_select_related = ("owner",)
    list_filter = ("default_visibility", ("revoked_at", Ended))
    search_fields = ("name", "owner__username")
    ordering = ("-pk",)
    action_form = ReasonForm
    actions = ("revoke",)

    @admin.action(description="Revoke the chosen tokens", permissions=["keep"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[Token]) -> None:
        """Revoke the chosen tokens."""
        for token in chosen:
            with transaction.atomic():
                revoke_token(token)
                self.audit(request, token, Action.REVOKE_TOKEN, f"Revoked; of {token.owner}.")
        self.message_user(request, f"{len(chosen)} revoked.", messages.SUCCESS)
