from django.db import migrations, models

# The values and raw output of stored runs, and their sums for each account.
_OF_RUNS = """
UPDATE runs_runstate AS state SET
    value_count = COALESCE((
        SELECT sum(COALESCE(cardinality(result.values), 0) + COALESCE(cardinality(result.singles), 0))
        FROM runs_result AS result WHERE result.run_id = state.run_id AND result.parse = 1), 0),
    raw_bytes = COALESCE((SELECT sum(size) FROM runs_artifact AS raw WHERE raw.run_id = state.run_id), 0)
"""
_OF_ACCOUNTS = """
INSERT INTO quotas_usage (owner_id, runs, value_count, raw_bytes)
SELECT owner_id, count(*), sum(value_count), sum(raw_bytes) FROM runs_runstate GROUP BY owner_id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('quotas', '0001_initial'),
        ('runs', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='runstate',
            name='value_count',
            field=models.BigIntegerField(db_default=0, help_text='values of the document'),
        ),
        migrations.AddField(
            model_name='runstate',
            name='raw_bytes',
            field=models.BigIntegerField(db_default=0, help_text='bytes of its raw output'),
        ),
        migrations.RunSQL(_OF_RUNS, migrations.RunSQL.noop),
        migrations.RunSQL(_OF_ACCOUNTS, migrations.RunSQL.noop),
    ]
