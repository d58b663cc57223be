import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("compare", "0002_permalink_author"), ("publications", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="PublishedTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=100)),
                (
                    "permalink",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="compare.permalink"
                    ),
                ),
                (
                    "publication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="publications.publication",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("publication", "key"), name="published_table_once")
                ],
            },
        ),
    ]
