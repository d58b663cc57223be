"""The quota of raw output becomes that of documents."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("quotas", "0001_initial")]

    operations = [
        migrations.RenameField("usage", "raw_bytes", "document_bytes"),
        migrations.RunSQL(
            "UPDATE quotas_ownquota SET quota = 'bytes' WHERE quota = 'raw'",
            "UPDATE quotas_ownquota SET quota = 'raw' WHERE quota = 'bytes'",
        ),
        migrations.AlterField(
            "ownquota",
            "quota",
            models.CharField(
                choices=[
                    ("runs", "runs"),
                    ("values", "values"),
                    ("bytes", "documents"),
                    ("imports", "open imports"),
                    ("permalinks", "permalinks"),
                    ("tokens", "valid tokens"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            "ownquota",
            "most",
            models.BigIntegerField(
                blank=True, help_text="empty for none; documents in MiB", null=True, verbose_name="limit"
            ),
        ),
    ]
