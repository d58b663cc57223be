"""Ties runs to their rows of `Facets`, which have the values that filters compare."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

# All columns of `Facets` for one run; the tests are those of its current parse. Materialized: otherwise the digest is
# computed again for each row of `Facets` that it is compared with.
_OF_RUN = """
WITH of_run AS MATERIALIZED (
  SELECT *, sha256(convert_to(jsonb_build_array(machine_id, environment_id, target_id, tool, tool_version, cache_regime,
    source, article, tests)::text, 'UTF8')) AS digest
  FROM (
    SELECT r.id AS run_id, r.machine_id, r.environment_id, r.target_id, r.tool, r.tool_version, r.cache_regime,
      CASE WHEN r.extra ? 'publication' THEN 'published' WHEN r.extra ? 'import' THEN 'imported' ELSE 'measured' END
        AS source,
      left(r.extra->'publication'->>'slug', 200) AS article,
      ARRAY(SELECT test FROM jsonb_array_elements_text(p.dimensions->'test') test ORDER BY test) AS tests
    FROM runs_run r JOIN runs_runstate s ON s.run_id = r.id
      JOIN runs_parse p ON p.run_id = r.id AND p.number = s.current_parse WHERE r.id = %s
  ) facts
)
"""
_COLUMNS = "digest, machine_id, environment_id, target_id, tool, tool_version, cache_regime, source, article, tests"
_INSERT = f"""
{_OF_RUN} INSERT INTO runs_facets ({_COLUMNS}) SELECT {_COLUMNS} FROM of_run ON CONFLICT (digest) DO NOTHING
"""
_TIE = f"""
{_OF_RUN} UPDATE runs_runstate SET facets_id = f.id FROM of_run JOIN runs_facets f USING (digest)
WHERE runs_runstate.run_id = of_run.run_id
"""


def keep_facets(run_id: UUID) -> None:
    """Tie a stored run to its facets, inside the caller's transaction; call again when its current parse changes.

    Most runs share the facets of stored runs, so a new row is inserted only if the first update finds none.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TIE, [run_id])
        if not cursor.rowcount:
            cursor.execute(_INSERT, [run_id])
            cursor.execute(_TIE, [run_id])
