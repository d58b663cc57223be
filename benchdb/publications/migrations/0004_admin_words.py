"""The admin calls a publication an article. Changes no table."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("publications", "0003_table_of_permalink")]

    operations = [
        migrations.AlterModelOptions(name="publication", options={"ordering": ["ordinal"], "verbose_name": "article"})
    ]
