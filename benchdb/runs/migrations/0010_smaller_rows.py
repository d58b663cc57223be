"""Values that four bytes hold exactly take four, and what there is none of takes nothing. Rows that are there stay.

Programs of the version before go on meanwhile; of runs that come in while they still run they find no values.
"""

from typing import Any

import django.contrib.postgres.fields
from django.db import migrations, models

from benchdb.runs.models import SingleField

DOUBLES = "UPDATE runs_result SET values = singles::float8[], singles = NULL WHERE singles IS NOT NULL"
EMPTY = """
UPDATE runs_summary
SET outliers = coalesce(outliers, '{}'), warnings = coalesce(warnings, '[]'), cv = coalesce(cv, sd / nullif(abs(mean), 0))
WHERE outliers IS NULL OR warnings IS NULL OR cv IS NULL"""


def array(field: Any, **more: Any) -> Any:
    return django.contrib.postgres.fields.ArrayField(base_field=field, null=True, size=None, **more)


class Migration(migrations.Migration):
    dependencies = [("runs", "0009_results_by_test")]

    operations = [
        migrations.AddField(
            "result",
            "singles",
            array(SingleField(null=True), help_text="the values, where four bytes hold each of them exactly"),
        ),
        migrations.AlterField(
            "summary",
            "outliers",
            array(models.IntegerField(), help_text="rounds whose value Tukey's fences flag, if any"),
        ),
        migrations.AlterField("summary", "warnings", models.JSONField(null=True)),
        migrations.AlterField(
            "summary",
            "cv",
            models.FloatField(help_text="of rows that are older; who reads divides sd by mean", null=True),
        ),
        *(
            migrations.RunSQL(f"ALTER INDEX {name} SET (fillfactor = 100)", f"ALTER INDEX {name} RESET (fillfactor)")
            for name in ("runs_result_pkey", "runs_summary_pkey")
        ),
        migrations.RunSQL(migrations.RunSQL.noop, [DOUBLES, EMPTY]),
    ]
