"""Tokens of agents, and imports: raw files of a person that are not stored as runs yet.

The secret of a token is shown once and never stored.
"""

from __future__ import annotations

import hashlib
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from benchdb.runs.models import Visibility


class Scope(models.TextChoices):
    """The rights of a token: send runs, read the owner's, queue plans for the owner's machines, carry out queued plans.

    A token that carries out plans belongs to the first machine that does so with it.
    """

    UPLOAD = "upload"
    READ = "read"
    QUEUE = "queue"
    SERVE = "serve"


class TokenQuerySet(models.QuerySet["Token"]):
    """Queries for tokens."""

    def valid(self) -> TokenQuerySet:
        """Tokens neither revoked nor expired, of users who may still sign in."""
        alive = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
        return self.filter(alive, revoked_at=None, owner__is_active=True)

    def matching(self, secret: str) -> TokenQuerySet:
        """The token with this secret. 256 random bits need no slow hash."""
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

    only_reads: bool  # set by `find_token`: whether the owner is a viewer, who may only read whatever the scopes are

    objects = TokenQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    def allows(self, scope: Scope) -> bool:
        """Whether this token has the scope."""
        return scope.value in self.scopes


class ImportState(models.TextChoices):
    """The progress of an import; a `stored` one keeps only the ids of its runs."""

    READING = "reading"
    READY = "ready"
    STORING = "storing"
    STORED = "stored"


class Import(models.Model):
    """Files of an owner, their recognised results, and the entries of the form so far.

    Only the owner sees an import, and it expires. `run_ids` are fixed when storing begins, so that repeated requests
    store each run once.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="imports")
    state = models.CharField(max_length=8, choices=ImportState.choices, default=ImportState.READING)
    tool = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="of all files, if a person chose it"
    )
    unit = models.CharField(
        max_length=16, blank=True, default="", db_default="", help_text="of numbers without one, as a person stated it"
    )
    entered = models.JSONField(default=dict, help_text="the form as it was filled in last")
    detected = models.JSONField(null=True, help_text="machine, environment and target of `benchagent detect --json`")
    recorded = models.JSONField(
        null=True, help_text="facts beside logs by the folder of a run: {folder: {pointer: fact}}"
    )
    notes = models.JSONField(default=list, help_text="what was not taken out of archives: [[name, reason]]")
    faults = models.JSONField(default=list, help_text="why it could not be stored: [[place, what was expected]]")
    run_ids = ArrayField(models.UUIDField(), default=list)
    attempts = models.SmallIntegerField(default=0, help_text="how often storing began")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [
            models.Index(fields=["owner", "-created_at"], name="imports_of_owner"),
            models.Index(fields=["changed_at"], name="imports_by_change"),
            models.Index(
                fields=["owner", "created_at"],
                name="unfinished_imports",
                condition=Q(state__in=["reading", "storing"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.state})"

    def get_absolute_url(self) -> str:
        return reverse("import", args=[self.id])


class FileState(models.TextChoices):
    """Whether a file was read."""

    WAITING = "waiting"
    READ = "read"
    REFUSED = "refused"


class ImportFileQuerySet(models.QuerySet["ImportFile"]):
    """Queries for the files of an import."""

    def light(self) -> ImportFileQuerySet:
        """The files in their order, without text and results."""
        return self.defer("content", "reading").order_by("ordinal")


class ImportFile(models.Model):
    """One raw text of an import, with its recognised results."""

    of = models.ForeignKey(Import, models.CASCADE, related_name="files")
    ordinal = models.IntegerField()
    name = models.CharField(max_length=400, help_text="as it was given, with its folders inside an archive")
    size = models.BigIntegerField(help_text="bytes")
    sha256 = models.BinaryField(max_length=32)
    content = models.BinaryField()
    state = models.CharField(max_length=8, choices=FileState.choices, default=FileState.WAITING)
    attempts = models.SmallIntegerField(default=0, help_text="how often reading it began")
    reason = models.TextField(blank=True, help_text="why it was refused")
    line = models.IntegerField(null=True, help_text="where reading it ended")
    column = models.IntegerField(null=True)
    tool = models.CharField(max_length=64, blank=True)
    result_count = models.IntegerField(default=0)
    round_count = models.IntegerField(default=0, help_text="the most values that one of its results has")
    head = models.JSONField(default=dict, help_text="tool version, command, parameters, warnings, unread lines")
    reading = models.BinaryField(null=True, help_text="the results, as gzipped JSON")

    objects = ImportFileQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["of", "ordinal"], name="file_once_per_import")]

    def __str__(self) -> str:
        return self.name
