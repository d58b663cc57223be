"""A migrated database that each process of a session copies, because migrating takes five seconds."""

import fcntl
import hashlib
from pathlib import Path

from django.conf import settings
from django.db import connection

from benchdb.embedded.config import PROJECT


def template() -> str:
    """The name of the database, which is made if this server has none for today's migrations and packages."""
    name = f"template_{_digest()}"
    with (Path(settings.VAR_DIR) / "template.lock").open("w") as lock, connection._nodb_cursor() as cursor:
        fcntl.flock(lock, fcntl.LOCK_EX)
        cursor.execute("SELECT datname, datistemplate FROM pg_database WHERE datname LIKE 'template\\_%'")
        found = dict(cursor.fetchall())
        if not found.pop(name, False):  # one that is not marked was interrupted
            _migrate(name)
            cursor.execute(f"ALTER DATABASE {name} IS_TEMPLATE true")
        for older in found:
            cursor.execute(f"ALTER DATABASE {older} IS_TEMPLATE false")
            cursor.execute(f"DROP DATABASE {older}")
    return name


def _digest() -> str:
    """A fingerprint of everything that decides about tables: our migrations, and the packages with theirs."""
    total = hashlib.sha256((PROJECT / "requirements.txt").read_bytes())
    for path in sorted((PROJECT / "benchdb").glob("**/migrations/*.py")):
        total.update(f"{path.relative_to(PROJECT)}\0".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def _migrate(name: str) -> None:
    """Make the database, replacing one that an interrupted session left."""
    of_tests, before = connection.settings_dict["TEST"], connection.settings_dict["NAME"]
    given, of_tests["NAME"] = of_tests["NAME"], name
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    finally:
        connection.close()  # a database with connections cannot be copied
        of_tests["NAME"] = given
        connection.settings_dict["NAME"] = settings.DATABASES[connection.alias]["NAME"] = before
