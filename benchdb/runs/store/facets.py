"""What runs are found by: everything that filters ask of a run and that never changes between its readings."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

if TYPE_CHECKING:
    from .models import Run


class Source(models.TextChoices):
    """Where the figures of a run are from: an agent, a file that somebody imported, an article."""

    MEASURED = "measured"
    IMPORTED = "imported"
    PUBLISHED = "published"


def source_of(run: Run) -> Source:
    """By what the server itself notes when it stores imports and articles; `_FOUND` below asks the same in SQL."""
    if "publication" in run.extra:
        return Source.PUBLISHED
    return Source.IMPORTED if "import" in run.extra else Source.MEASURED


class Facets(models.Model):
    """Runs of which all of this is the same share a row, so that lists count a row for many runs.

    `digest` is the SHA-256 of the other columns. A row that no run uses any more goes with its environment or target.
    """

    digest = models.BinaryField(max_length=32, unique=True)
    machine = models.ForeignKey("catalog.Machine", models.CASCADE, related_name="+")
    environment = models.ForeignKey("catalog.Environment", models.CASCADE, related_name="+")
    target = models.ForeignKey("catalog.Target", models.CASCADE, related_name="+")
    tool = models.CharField(max_length=64)
    tool_version = models.CharField(max_length=200, null=True)
    cache_regime = models.CharField(max_length=16)
    source = models.CharField(max_length=16, choices=Source.choices)
    article = models.CharField(max_length=200, null=True, help_text="slug of the publication that has the figures")
    tests = ArrayField(models.CharField(max_length=64), help_text="of the current parse, sorted")

    class Meta:
        verbose_name_plural = "facets"

    def __str__(self) -> str:
        return f"{self.tool} {self.pk}"


# Every column, of one run; the newest parse says which tests there are.
_FOUND = """
SELECT *, sha256(convert_to(jsonb_build_array(machine_id, environment_id, target_id, tool, tool_version, cache_regime,
  source, article, tests)::text, 'UTF8')) AS digest
FROM (
  SELECT r.id AS run_id, r.machine_id, r.environment_id, r.target_id, r.tool, r.tool_version, r.cache_regime,
    CASE WHEN r.extra ? 'publication' THEN 'published' WHEN r.extra ? 'import' THEN 'imported' ELSE 'measured' END
      AS source,
    left(r.extra->'publication'->>'slug', 200) AS article,
    ARRAY(SELECT DISTINCT test FROM runs_result WHERE run_id = r.id AND parse = s.current_parse ORDER BY test) AS tests
  FROM runs_run r JOIN runs_runstate s ON s.run_id = r.id WHERE r.id = %s
) said
"""
_COLUMNS = "digest, machine_id, environment_id, target_id, tool, tool_version, cache_regime, source, article, tests"
_MAKE = f"""
INSERT INTO runs_facets ({_COLUMNS})
SELECT DISTINCT ON (digest) {_COLUMNS} FROM ({_FOUND}) found ON CONFLICT (digest) DO NOTHING
"""
_TIE = f"""
UPDATE runs_runstate SET facets_id = f.id FROM ({_FOUND}) found JOIN runs_facets f USING (digest)
WHERE runs_runstate.run_id = found.run_id
"""


def keep_facets(run_id: UUID) -> None:
    """Tie a stored run to its facets, inside the caller's transaction. Again after its current parse has changed.

    Most runs are like others that are stored, so their facets are made only where there are none to be tied to.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TIE, [run_id])
        if not cursor.rowcount:
            cursor.execute(_MAKE, [run_id])
            cursor.execute(_TIE, [run_id])
