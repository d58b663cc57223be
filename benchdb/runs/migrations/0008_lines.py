"""Where values stand in the raw output is packed from now on. Only adds: programs of the version before go on meanwhile.

Rows that are there stay as they are and are read as before. On the way back every row gets the old form again.
"""

from django.db import migrations, models

UNPACK = """
UPDATE runs_result r
SET lines = NULL, source = (
  SELECT jsonb_agg(
    CASE WHEN names.name IS NOT NULL THEN jsonb_build_object(
      'artifact', names.name,
      'line', (CASE WHEN said.text LIKE '%,%' THEN split_part(said.text, ',', names.i::int) ELSE said.text END)::bigint
    ) END ORDER BY names.i
  )
  FROM runs_parse p
  CROSS JOIN split_part(r.lines, ':', 2) said(text)
  CROSS JOIN jsonb_array_elements_text(p.sources -> split_part(r.lines, ':', 1)::int) WITH ORDINALITY names(name, i)
  WHERE p.run_id = r.run_id AND p.number = r.parse
)
WHERE r.lines IS NOT NULL"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0007_attempts")]

    operations = [
        migrations.AddField(
            "result",
            "lines",
            models.TextField(help_text="where the values stand in the raw output: runs/sources.py", null=True),
        ),
        migrations.AddField(
            "parse",
            "sources",
            models.JSONField(help_text="names of artifacts by round, as `lines` of results count them", null=True),
        ),
        migrations.AlterField(
            "result", "source", models.JSONField(help_text="the same of rows that are older than `lines`", null=True)
        ),
        migrations.RunSQL(migrations.RunSQL.noop, UNPACK),
    ]
