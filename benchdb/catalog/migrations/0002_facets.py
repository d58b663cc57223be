"""Facets for layers, disk transport, RAID members and governor, filled from the facts of what is stored."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

from benchdb.catalog.facets import environment_facets, target_facets

NEW = {"Environment": (environment_facets, ("governor",)), "Target": (target_facets, ("raid_members", "layers", "transport"))}
CHUNK = 500


def fill(apps: Any, schema_editor: Any) -> None:
    """Each new column from the facts beside it, some rows at a time."""
    for name, (facets, columns) in NEW.items():
        model = apps.get_model("catalog", name)
        rows = []
        for row in model.objects.only("facts").iterator(CHUNK):
            found = facets(row.facts)
            for column in columns:
                setattr(row, column, found[column])
            rows.append(row)
            if len(rows) == CHUNK:
                model.objects.bulk_update(rows, columns)
                rows = []
        model.objects.bulk_update(rows, columns)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [
        migrations.AddField("environment", "governor", models.CharField(max_length=200, null=True)),
        migrations.AddField("target", "raid_members", models.BigIntegerField(null=True)),
        migrations.AddField(
            "target",
            "layers",
            models.CharField(
                max_length=400, null=True, help_text="kinds between file system and disks: `lvm crypt`"
            ),
        ),
        migrations.AddField(
            "target",
            "transport",
            models.CharField(max_length=200, null=True, help_text="of the first disk: nvme, sata, virtio, …"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
