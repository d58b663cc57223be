from django.core.management.base import CommandError
from django.db import migrations

GROUP = "guest"
# Closes the accounts of guests; a worker then deletes what they have stored.
DELETE = (
    "from django.contrib.auth.models import User; from benchdb.web.account.leaving import leave; "
    "[leave(guest) for guest in User.objects.filter(groups__name='guest')]"
)
# Closes the accounts of guests, which keep their runs.
KEEP = (
    "from django.contrib.auth.models import Group, User; "
    "User.objects.filter(groups__name='guest').update(is_active=False); Group.objects.filter(name='guest').delete()"
)
REFUSAL = """\
This version takes no uploads without an account. The database was not changed, because it still has
unclaimed uploads without an account: {guests}.
Make a backup, then
- let people claim theirs with the version before (commit 31d270e7), at /account/claim/;
- or delete them: manage.py shell -c "{delete}"
- or keep them under their names, for nobody to claim: manage.py shell -c "{keep}"
- migrate again."""


def check_guests(apps, schema_editor):
    """Remove the empty group of guests. Raises CommandError if it has members."""
    guests = apps.get_model("auth", "User").objects.filter(groups__name=GROUP, username__startswith="anonymous-")
    if count := guests.count():
        raise CommandError(REFUSAL.format(guests=count, delete=DELETE, keep=KEEP))
    apps.get_model("auth", "Group").objects.filter(name=GROUP, user=None).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('identity', '0001_initial'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.RunPython(check_guests, migrations.RunPython.noop),
    ]
