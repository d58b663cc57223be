from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("runs", "0002_recomputation")]

    operations = [
        migrations.AddField(
            model_name="tombstone",
            name="redacted_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name="tombstone",
            index=models.Index(condition=models.Q(("redacted_at", None)), fields=["deleted_at"], name="not_redacted_yet"),
        ),
    ]
