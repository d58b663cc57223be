"""Permalinks: tables, surfaces and trends frozen as they were when they were shared."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.expressions import RawSQL
from django.urls import reverse

if TYPE_CHECKING:
    from .content import Content
    from .page_parts.withdrawn import Withdrawn

# The runs with frozen figures that were deleted, and those that their owners withdrew. They are read together with the
# permalink, so that both take effect at once and a page takes one query.
DELETED = "ARRAY(SELECT t.run_id FROM runs_tombstone t WHERE t.run_id = ANY(compare_permalink.runs) ORDER BY 1)"
WITHDRAWN = """COALESCE((
    SELECT jsonb_agg(
      jsonb_build_object('run', s.run_id, 'at', s.withdrawn_at, 'reason', s.withdrawn_reason) ORDER BY s.run_id)
    FROM runs_runstate s WHERE s.run_id = ANY(compare_permalink.runs) AND s.withdrawn_at IS NOT NULL), '[]')"""

# Since when figures of a deleted run wait to be removed from the content; NULL if there are none.
WAITING_SINCE = """(
    SELECT min(t.deleted_at) FROM runs_tombstone t WHERE t.redacted_at IS NULL
    AND t.run_id = ANY(COALESCE(compare_permalink.remaining, compare_permalink.runs)))"""

# Whether all runs are in everybody's lists (`Run.objects.listed_for`); a deleted run is in no list.
_ALL_LISTED = """NOT EXISTS (
    SELECT 1 FROM unnest(compare_permalink.runs) shared(id) LEFT JOIN runs_runstate s ON s.run_id = shared.id
    WHERE s.visibility IS DISTINCT FROM 'public' OR s.withdrawn_at IS NOT NULL)"""

_RUNS_NOW: dict[str, RawSQL] = {
    "deleted": RawSQL(DELETED, [], output_field=ArrayField(models.UUIDField())),
    "withdrawn": RawSQL(WITHDRAWN, [], output_field=models.JSONField()),
}


LARGE_BYTES = 3_500_000  # of a document: its page takes 0.2 s, and reading it 50 ms


class PermalinkQuerySet(models.QuerySet["Permalink"]):
    """Queries for permalinks."""

    def with_runs_now(self) -> PermalinkQuerySet:
        """Adds the deleted runs (`deleted`) and the withdrawn ones (`withdrawn`) to the same query."""
        return self.annotate(**_RUNS_NOW)

    def of_listed_runs(self) -> PermalinkQuerySet:
        """Permalinks all of whose runs are in everybody's lists."""
        return self.filter(RawSQL(_ALL_LISTED, [], output_field=models.BooleanField()))


class Permalink(models.Model):
    """A frozen table, surface or trend. `content` holds everything the page shows; nothing is computed again.

    Code that shows figures reads `left` or `shown`, never `content`: only these lack the figures of deleted runs.
    """

    id = models.CharField(max_length=24, primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="permalinks")
    author = models.CharField(max_length=310, help_text="the owner's name as it was shown, for citations")
    kind = models.CharField(max_length=16)  # a name of `kinds.KINDS`
    query = models.TextField(help_text="the selection it was made from, as a query string")
    content = models.JSONField()
    document_bytes = models.BigIntegerField(
        db_default=0, help_text="bytes of the content as it was shared, for the quota; 0 for tables of articles"
    )
    runs = ArrayField(models.UUIDField())
    remaining = ArrayField(
        models.UUIDField(), null=True, help_text="runs in the content since deleted ones were removed from it"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)
    site = models.CharField(max_length=300, help_text="scheme and host under which it was shared last")

    # Only `with_runs_now` sets these; without it, `shown` fails instead of showing deleted figures.
    deleted: list[UUID]
    withdrawn: list[Withdrawn]
    small: object  # the content, if it is not large; only `services.find` sets it

    objects = PermalinkQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["owner", "-created_at", "id"], name="permalinks_of_owner"),
            GinIndex(fields=["runs"], name="permalinks_of_run"),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("permalink", args=[self.id])

    @cached_property
    def left(self) -> Content | None:
        """The frozen content without the figures of runs that were deleted since; None if no figure is left.

        Needs `with_runs_now`.
        """
        # Both import every kind of comparison; commands such as `migrate` import all models and need no comparison.
        from .content_json import from_json
        from .redaction import redacted

        if not self.content["runs"]:
            return None
        return redacted(from_json(self.content), {str(run) for run in self.deleted})

    @property
    def is_large(self) -> bool:
        """Whether a worker makes the page and the files, which are kept."""
        return self.document_bytes >= LARGE_BYTES

    @property
    def shown(self) -> Content:
        """What is left of the content, for a permalink that is not `gone`."""
        assert self.left is not None
        return self.left

    @property
    def gone(self) -> str | None:
        """`revoked`, or `deleted` if no run with figures is left; the answer is 410 then. Needs `with_runs_now`.

        The content, which may be large, is read only while figures of a deleted run are still in it.
        """
        if self.revoked_at is not None:
            return "revoked"
        inside = self.runs if self.remaining is None else self.remaining
        left = self.remaining != [] if set(inside).isdisjoint(self.deleted) else self.left
        return None if left else "deleted"


class KeptAnswer(models.Model):
    """The page of a permalink, or one of its files, for the next reader. A request may render it again at any time.

    It is valid as long as `tag` is its entity tag, which covers everything that it depends on.
    """

    permalink = models.ForeignKey(Permalink, models.CASCADE, related_name="kept")
    name = models.CharField(max_length=8, help_text="page, or the extension of the file")
    tag = models.CharField(max_length=34)
    data = models.BinaryField(help_text="gzipped")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["permalink", "name"], name="answer_kept_once")]

    def __str__(self) -> str:
        return f"{self.permalink_id} {self.name}"
