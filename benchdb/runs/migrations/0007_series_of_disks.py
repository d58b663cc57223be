import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0006_totals_of_rounds'),
    ]

    operations = [
        migrations.AddField(
            model_name='roundseries',
            name='devices',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64, null=True), help_text='of series of one disk; else null; null before 0.2', null=True, size=None),
        ),
    ]
