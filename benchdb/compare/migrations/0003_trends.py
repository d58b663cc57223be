from django.db import migrations, models


class Migration(migrations.Migration):
    """Trends may be shared, too. Nothing changes in the database."""

    dependencies = [("compare", "0002_permalink_author")]

    operations = [
        migrations.AlterField(
            model_name="permalink",
            name="kind",
            field=models.CharField(
                choices=[("table", "table"), ("surface", "surface"), ("trend", "trend")], max_length=16
            ),
        ),
    ]
