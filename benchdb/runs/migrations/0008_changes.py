from django.db import migrations, models

# The runs that are public already, in the order in which they came.
NUMBER_PUBLIC = """
INSERT INTO runs_runchange (run_id, number, changed_at)
SELECT run_id, nextval('runs_runchange_numbers'), changed_at FROM (
    SELECT s.run_id, greatest(r.received_at, s.withdrawn_at) AS changed_at
    FROM runs_runstate s JOIN runs_run r ON r.id = s.run_id
    WHERE s.visibility = 'public' ORDER BY 2, 1
) public
"""


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0007_series_of_disks'),
    ]

    operations = [
        migrations.CreateModel(
            name='RunChange',
            fields=[
                ('run_id', models.UUIDField(primary_key=True, serialize=False)),
                ('number', models.BigIntegerField(help_text='place in the order of changes; null until `number_changes` gives it', null=True, unique=True)),
                ('changed_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('number', None)), fields=['changed_at'], name='changes_to_number')],
            },
        ),
        migrations.RunSQL(
            "CREATE SEQUENCE runs_runchange_numbers OWNED BY runs_runchange.number",
            "DROP SEQUENCE IF EXISTS runs_runchange_numbers",
        ),
        migrations.RunSQL(NUMBER_PUBLIC, migrations.RunSQL.noop),
    ]
