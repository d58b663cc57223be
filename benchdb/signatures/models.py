"""Public keys of users, and the signed documents of runs."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from benchdb.runs.models import Run


class SigningKey(models.Model):
    """A public Ed25519 key of a user. `revoked_at` is the time from which its signatures do not count.

    `proved`: the user has signed a text with it. Older keys, which nobody had to prove, count for nothing.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="signing_keys")
    name = models.CharField(max_length=200)
    key = models.BinaryField(max_length=128, help_text="as OpenSSH encodes it")
    fingerprint = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)
    proved = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "fingerprint"], name="key_once_per_owner"),
            models.UniqueConstraint(
                fields=["fingerprint"], condition=models.Q(proved=True, revoked_at=None), name="key_of_one_account"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.fingerprint}"


class Signature(models.Model):
    """The signature that came with a run, checked against exactly these bytes of the document."""

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="signature")
    fingerprint = models.CharField(max_length=64, help_text="of the key inside the signature")
    key = models.BinaryField(max_length=128, help_text="as OpenSSH encodes it")
    signature = models.TextField(help_text="in base64, without the lines that begin and end a file")
    document = models.BinaryField(help_text="the signed bytes, compressed with gzip")

    def __str__(self) -> str:
        return f"{self.run_id} {self.fingerprint}"
