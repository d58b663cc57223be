# ruff: noqa: N999
"""An invented later migration."""

from django.db import migrations


class Migration(migrations.Migration):
    """Requires that no session reads `runs_runstate`."""

    dependencies = [("compare", "0001_initial"), ("runs", "0001_initial")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE runs_runstate ADD COLUMN later smallint", "ALTER TABLE runs_runstate DROP COLUMN later"
        )
    ]
