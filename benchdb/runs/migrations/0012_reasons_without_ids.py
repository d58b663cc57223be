from django.db import migrations

# The reason is public, and the run that continues another one may not be.
WITHOUT_IDS = """
UPDATE runs_runstate SET withdrawn_reason = regexp_replace(withdrawn_reason, ' as run [0-9a-f-]{36}$', '')
WHERE withdrawn_reason ~ '^continued to [0-9]+ rounds as run [0-9a-f-]{36}$'
"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0011_kept_parts")]

    operations = [migrations.RunSQL(WITHOUT_IDS, migrations.RunSQL.noop)]
