from django.db import migrations
from django.db.models.functions import Lower

MAIL = "mail"


def confirm_addresses(apps, schema_editor):
    """Take the addresses of accounts that a provider made as confirmed by it, except for those of several accounts.

    Such an account has no password of its own. Addresses that an administrator has entered are confirmed by their owners.
    """
    users, identities = apps.get_model("auth", "User").objects, apps.get_model("identity", "Identity").objects
    made = users.exclude(identities__issuer=MAIL).exclude(identities=None).exclude(email="")
    for user in made.filter(password__startswith="!").annotate(address=Lower("email")).order_by("pk"):
        identities.get_or_create(issuer=MAIL, subject=user.address, defaults={"user": user})


class Migration(migrations.Migration):

    dependencies = [
        ('identity', '0002_no_guests'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.RunPython(confirm_addresses, migrations.RunPython.noop),
    ]
