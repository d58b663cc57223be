from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingest", "0002_stated_tool_and_unit")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="recorded",
            field=models.JSONField(
                help_text="facts beside logs by the folder of a run: {folder: {pointer: fact}}", null=True
            ),
        )
    ]
