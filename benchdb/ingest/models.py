"""Tokens: what lets an agent in. The token itself is shown once and never stored."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from benchdb.runs.models import Visibility


class Scope(models.TextChoices):
    """What a token may do: send runs, read its owner's, queue plans for its owner's machines, carry out queued plans.

    A token that carries out plans belongs to the first machine that uses it so.
    """

    UPLOAD = "upload"
    READ = "read"
    QUEUE = "queue"
    SERVE = "serve"


class TokenQuerySet(models.QuerySet["Token"]):
    """Questions about tokens."""

    def valid(self) -> TokenQuerySet:
        """Neither revoked nor expired, of a user who may still sign in."""
        alive = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
        return self.filter(alive, revoked_at=None, owner__is_active=True)

    def matching(self, secret: str) -> TokenQuerySet:
        """The token whose secret this is. 256 random bits need no slow hash."""
        return self.filter(digest=hashlib.sha256(secret.encode("utf-8", "replace")).digest())


class Token(models.Model):
    """A bearer token of one owner; `digest` is the SHA-256 of the secret."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=200)
    digest = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=16, choices=Scope.choices))
    default_visibility = models.CharField(
        max_length=16, choices=Visibility.choices, default=Visibility.PRIVATE, help_text="of runs that name none"
    )
    machine = models.ForeignKey(
        "catalog.Machine", models.CASCADE, null=True, related_name="+", help_text="the only one that may serve with it"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    objects = TokenQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    def allows(self, scope: Scope) -> bool:
        """Whether this token has the scope."""
        return scope.value in self.scopes
