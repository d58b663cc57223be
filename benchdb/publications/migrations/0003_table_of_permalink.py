import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """From a permalink back to the article that it is a table of."""

    dependencies = [("compare", "0002_permalink_author"), ("publications", "0002_publishedtable")]

    operations = [
        migrations.AlterField(
            model_name="publishedtable",
            name="permalink",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="published", to="compare.permalink"
            ),
        ),
    ]
