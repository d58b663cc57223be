from typing import Any

import django.contrib.postgres.indexes
from django.db import migrations, models


def name_authors(apps: Any, schema_editor: Any) -> None:
    """What permalinks have shown until now: the owner's user name."""
    for permalink in apps.get_model("compare", "Permalink").objects.select_related("owner").only("id", "owner__username"):
        permalink.author = permalink.owner.username
        permalink.save(update_fields=["author"])


class Migration(migrations.Migration):

    dependencies = [("compare", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="permalink",
            name="author",
            field=models.CharField(
                default="", help_text="the owner's name as it was shown, for citations", max_length=310
            ),
            preserve_default=False,
        ),
        migrations.RunPython(name_authors, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="permalink",
            index=models.Index(fields=["owner", "-created_at", "id"], name="permalinks_of_owner"),
        ),
        migrations.AddIndex(
            model_name="permalink",
            index=django.contrib.postgres.indexes.GinIndex(fields=["runs"], name="permalinks_of_run"),
        ),
    ]
