"""What runs are found by, in a table of its own, filled for all that is stored."""

from __future__ import annotations

from typing import Any

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from benchdb.runs.facets import keep_all_facets


def fill(apps: Any, schema_editor: Any) -> None:
    """One statement for the rows and one for the runs, however many there are."""
    with schema_editor.connection.cursor() as cursor:
        keep_all_facets(cursor)


def reference(model: str) -> Any:
    return models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=model)


class Migration(migrations.Migration):
    # The rows are filled outside of the transaction that adds the column: PostgreSQL makes no index while a constraint of
    # the same transaction waits to be checked.
    atomic = False

    dependencies = [("catalog", "0002_facets"), ("runs", "0003_tombstone_redacted_at")]

    operations = [
        migrations.CreateModel(
            name="Facets",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.BinaryField(max_length=32, unique=True)),
                ("machine", reference("catalog.machine")),
                ("environment", reference("catalog.environment")),
                ("target", reference("catalog.target")),
                ("tool", models.CharField(max_length=64)),
                ("tool_version", models.CharField(max_length=200, null=True)),
                ("cache_regime", models.CharField(max_length=16)),
                (
                    "source",
                    models.CharField(
                        choices=[("measured", "Measured"), ("imported", "Imported"), ("published", "Published")],
                        max_length=16,
                    ),
                ),
                (
                    "article",
                    models.CharField(help_text="slug of the publication that has the figures", max_length=200, null=True),
                ),
                (
                    "tests",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        help_text="of the current parse, sorted",
                        size=None,
                    ),
                ),
            ],
            options={"verbose_name_plural": "facets"},
        ),
        migrations.AddField(
            "runstate",
            "facets",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="states",
                to="runs.facets",
            ),
        ),
        migrations.AddIndex("runstate", models.Index(fields=["facets", "run"], name="runs_by_facets")),
        migrations.AddIndex("run", models.Index(fields=["started_at", "id"], name="run_by_start")),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
