from django.core.management.base import CommandError
from django.db import migrations
from django.db.migrations.recorder import MigrationRecorder

SOURCES = "federation_source"
# Removes the sources; their runs stay, and no longer show where they come from.
FORGET = (
    "DELETE FROM federation_refusedrun; DELETE FROM federation_source; "
    "UPDATE runs_runstate SET read_from = NULL, origin = NULL WHERE read_from IS NOT NULL"
)
REFUSAL = """\
This version reads no other servers. The database was not changed, because it still has
sources: {sources}, runs that were read from sources: {runs}.
Make a backup, then
- delete the runs that you do not want to keep, with the version before (commit 31d270e7): on their pages, or with the
  account that owns them;
- remove the sources and keep the other runs, as runs of their owners that do not show where they come from:
  manage.py shell -c "from django.db import connection; connection.cursor().execute('{forget}')"
- migrate again."""


def remove_sources(apps, schema_editor):
    """Remove the tables of the former app `federation` and what Django knows about it. Raises CommandError."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        sources = 0
        if SOURCES in connection.introspection.table_names(cursor):
            cursor.execute("LOCK TABLE federation_source")  # so that none is added meanwhile
            cursor.execute("SELECT count(*) FROM federation_source")
            (sources,) = cursor.fetchone()
        cursor.execute("SELECT count(*) FROM runs_runstate WHERE read_from IS NOT NULL")
        (runs,) = cursor.fetchone()
        if sources or runs:
            raise CommandError(REFUSAL.format(sources=sources, runs=runs, forget=FORGET))
        cursor.execute("DROP TABLE IF EXISTS federation_refusedrun, federation_source")
    apps.get_model("contenttypes", "ContentType").objects.filter(app_label="federation").delete()  # and permissions
    MigrationRecorder(connection).migration_qs.filter(app="federation").delete()


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0009_sources'),
        ('identity', '0002_no_guests'),  # may refuse, after which the version before must still run
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
    ]

    operations = [
        migrations.RunPython(remove_sources, migrations.RunPython.noop),
        migrations.RemoveField(model_name='runstate', name='origin'),
        migrations.RemoveField(model_name='runstate', name='read_from'),
    ]
