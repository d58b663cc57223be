"""The entries of the audit trail. A trigger in the database refuses to change or delete them."""

from __future__ import annotations

from django.db import models


class Action(models.TextChoices):
    """What was done."""

    WITHDRAW = "withdraw", "run withdrawn"
    REINSTATE = "reinstate", "run reinstated"
    VISIBILITY = "visibility", "visibility changed"
    MAKE_TOKEN = "make_token", "token made"
    REVOKE_TOKEN = "revoke_token", "token revoked"
    ROLE = "role", "role changed"
    MAKE_ACCOUNT = "make_account", "account made"
    CHANGE_ACCOUNT = "change_account", "account changed"
    DELETE_ACCOUNT = "delete_account", "account deleted"
    QUOTA = "quota", "quota changed"
    SECOND_FACTOR = "second_factor", "second factor"


class ObjectKind(models.TextChoices):
    """What it was done to."""

    RUN = "run", "run"
    TOKEN = "token", "token"
    ACCOUNT = "account", "account"


class Via(models.TextChoices):
    """Where it was done."""

    ADMIN = "admin", "admin"
    PAGE = "page", "page"
    COMMAND = "command", "command"


class AuditEntry(models.Model):
    """One act. Names are copied, so that an entry stays readable when accounts and runs are deleted."""

    at = models.DateTimeField("time", auto_now_add=True)
    who_id = models.BigIntegerField(null=True, help_text="id of the account; empty for commands")
    who = models.CharField(max_length=150, help_text="name of the account, or of the user of the system")
    via = models.CharField("place", max_length=8, choices=Via.choices)
    address = models.CharField(max_length=64, blank=True, help_text="of the client; empty for commands")
    action = models.CharField(max_length=16, choices=Action.choices)
    kind = models.CharField(max_length=8, choices=ObjectKind.choices)
    object_id = models.CharField(max_length=64)
    object_name = models.CharField(max_length=400, verbose_name="object")
    reason = models.TextField(blank=True)
    detail = models.TextField(blank=True, help_text="before → after")

    class Meta:
        verbose_name = "audit entry"
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["kind", "object_id"], name="audit_of_object")]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.object_name}"
