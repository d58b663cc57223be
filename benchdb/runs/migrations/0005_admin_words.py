"""The admin calls the state of a run a run. Changes no table."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("runs", "0004_facets")]

    operations = [migrations.AlterModelOptions(name="runstate", options={"verbose_name": "run"})]
