"""`python -m benchdb.embedded.prepare`: makes database and files ready for the other programs of `manage.py up`."""

from __future__ import annotations

import sys

import django
from django.core.management import CommandError, call_command

from .database import wait_for_database
from .errors import ServiceError


def main() -> None:
    """Wait for the database, migrate, and copy the files that the web server sends. Raises ServiceError.

    Without Django's checks, which the web server runs next.
    """
    wait_for_database()
    call_command("migrate", interactive=False, skip_checks=True)
    try:
        call_command("collectstatic", interactive=False, verbosity=0, skip_checks=True)
    except OSError as error:
        raise ServiceError(f"The files of the pages cannot be copied: {error}") from error


if __name__ == "__main__":
    django.setup()
    try:
        main()
    except (ServiceError, CommandError) as error:  # a migration that refuses says what to do first
        sys.exit(str(error))
