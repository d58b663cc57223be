"""Counts whole documents; what stored runs have, the bytes of their raw output, is a lower estimate."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0002_staff_decisions")]

    operations = [
        migrations.RenameField("runstate", "raw_bytes", "document_bytes"),
        migrations.AlterField(
            "runstate",
            "document_bytes",
            models.BigIntegerField(db_default=0, help_text="bytes of its document, uncompressed JSON"),
        ),
    ]
