"""A run counts how often computing it began. The database fills it in, so programs of the version before go on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0006_archive")]

    operations = [
        migrations.AddField(
            "runstate",
            "attempts",
            models.SmallIntegerField(
                db_default=0, help_text="how often computing it began since it was finished last"
            ),
        )
    ]
