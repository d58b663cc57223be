"""The use of each account, and the quotas of accounts that differ from the settings."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Quota(models.TextChoices):
    """What is counted. The setting of a quota is `BENCHDB_QUOTA_` and its name."""

    RUNS = "runs", "runs"
    VALUES = "values", "values"
    BYTES = "bytes", "documents"
    CAMPAIGNS = "campaigns", "campaigns"
    PLANS = "plans", "queued plans"
    MACHINES = "machines", "machines"
    IMPORTS = "imports", "open imports"
    PERMALINKS = "permalinks", "permalinks"
    TOKENS = "tokens", "valid tokens"


class Usage(models.Model):
    """What an account has stored; the transaction that stores or deletes any of it also changes this row.

    Only runs can be deleted. Imports, permalinks and tokens are few, and counted when somebody needs their number.
    """

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="usage")
    runs = models.BigIntegerField(default=0)
    value_count = models.BigIntegerField(default=0)
    document_bytes = models.BigIntegerField(default=0)
    campaigns = models.BigIntegerField(db_default=0)
    plans = models.BigIntegerField(db_default=0)
    machines = models.BigIntegerField(db_default=0)

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.runs} runs"


class OwnQuota(models.Model):
    """A quota of one account that replaces the one of the settings; an empty limit is none."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="own_quotas")
    quota = models.CharField(max_length=16, choices=Quota.choices)
    most = models.BigIntegerField(
        null=True, blank=True, verbose_name="limit", help_text="empty for none; documents in MiB"
    )

    class Meta:
        verbose_name = "quota"
        constraints = [
            models.UniqueConstraint(fields=["owner", "quota"], name="quota_once_per_owner"),
            models.CheckConstraint(condition=models.Q(most=None) | models.Q(most__gte=0), name="quota_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.get_quota_display()} of {self.owner}"
