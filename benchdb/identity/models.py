"""Who an account is elsewhere."""

from __future__ import annotations

from django.conf import settings
from django.db import models


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
