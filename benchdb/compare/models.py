"""Permalinks: tables and surfaces frozen as they were when they were shared."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.urls import reverse


class Permalink(models.Model):
    """A frozen table or surface. `content` holds everything the page shows; nothing is computed again."""

    id = models.CharField(max_length=24, primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="permalinks")
    kind = models.CharField(max_length=16, choices=[("table", "table"), ("surface", "surface")])
    query = models.TextField(help_text="the selection it was made from, as a query string")
    content = models.JSONField()
    runs = ArrayField(models.UUIDField())
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("permalink", args=[self.id])
