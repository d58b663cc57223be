import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models

# Only finished runs are in what is kept, and only a finished run that changes can make it wrong. The statement sees rows
# that were committed after the transaction began, because each statement has a snapshot of its own.
FORGET = """
CREATE FUNCTION runs_forget_kept_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM runs_keptpart WHERE runs @> ARRAY[OLD.run_id];
    RETURN NULL;
END $$;
CREATE TRIGGER runs_forget_kept_parts AFTER UPDATE OR DELETE ON runs_runstate
FOR EACH ROW WHEN (OLD.state IN ('ready', 'failed')) EXECUTE FUNCTION runs_forget_kept_parts();
"""
FORGET_NOTHING = """
DROP TRIGGER runs_forget_kept_parts ON runs_runstate;
DROP FUNCTION runs_forget_kept_parts();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0010_no_sources'),
    ]

    operations = [
        migrations.CreateModel(
            name='KeptPart',
            fields=[
                ('key', models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                ('runs', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), help_text='all that may have been read', size=None)),
                ('data', models.BinaryField(help_text='compressed with zlib')),
                ('used_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'indexes': [
                    django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['runs'], name='kept_parts_of_run'),
                    models.Index(fields=['used_at'], name='kept_parts_by_use'),
                ],
            },
        ),
        migrations.RunSQL(FORGET, FORGET_NOTHING),
    ]
