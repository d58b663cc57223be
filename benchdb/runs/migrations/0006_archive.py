"""Raw output may lie in the archive. Only adds: programs of the version before go on meanwhile."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0005_admin_words")]

    operations = [
        migrations.AddField(
            "artifact", "archived", models.CharField(help_text="its name in the archive", max_length=200, null=True)
        ),
        migrations.AlterField(
            "artifact",
            "content",
            models.BinaryField(help_text="NULL where it is in the archive; read it by archive.content_of", null=True),
        ),
        migrations.AddField(
            "tombstone",
            "archived",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=200),
                help_text="what is still there of its raw output",
                null=True,
                size=None,
            ),
        ),
        migrations.AddIndex(
            "tombstone",
            models.Index(fields=["run_id"], name="still_archived", condition=models.Q(("archived__isnull", False))),
        ),
    ]
