# ruff: noqa: N999
"""An invented later migration."""

from django.db import migrations


class Migration(migrations.Migration):
    """Needs every reader of `runs_runstate` to be gone."""

    dependencies = [("compare", "0001_initial"), ("runs", "0001_initial")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE runs_runstate ADD COLUMN later smallint", "ALTER TABLE runs_runstate DROP COLUMN later"
        )
    ]
