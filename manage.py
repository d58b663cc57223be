#!/usr/bin/env python3
"""Django's command line for BenchDB."""

import os
import sys


def main() -> None:
    """Run the command named on the command line."""
    from benchdb.embedded import without_django

    if sys.argv[1:] and sys.argv[1] in without_django.COMMANDS:
        sys.exit(without_django.run(sys.argv[1], sys.argv[2:]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError:
        from benchdb.embedded.hints import services_missing

        if hint := services_missing():
            sys.exit(hint)
        raise


if __name__ == "__main__":
    main()
