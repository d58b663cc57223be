"""Who an account is elsewhere."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from benchdb.connections.outbox import OutboxRow


class Identity(models.Model):
    """A person at a provider. `subject` is the provider's id of the person, which never changes; names may."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=500, help_text="address of the OpenID provider")
    subject = models.CharField(max_length=255)
    made_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="identity_of_one_account")]

    def __str__(self) -> str:
        return f"{self.subject} at {self.issuer}"


class AccountMail(OutboxRow):
    """A mail with a link that waits to be sent, or was sent in the last hour; `asker` is who asked for it."""

    kind = models.CharField(max_length=16)
    address = models.CharField(max_length=254)
    site = models.CharField(max_length=300)
    more = models.JSONField(default=list, help_text="what the mail needs besides its address")
    asker = models.CharField(max_length=64, help_text="the network address of the request")

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="due_account_mails", condition=models.Q(sent_at=None))]

    def __str__(self) -> str:
        return f"{self.kind} mail"
