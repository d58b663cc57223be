"""`manage.py doctor`: what is missing, and what to do about it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from benchdb import __version__
from benchdb.operations.doctor.finding import Finding, Level
from benchdb.operations.doctor.looking import look

SCHEMA = "benchdb.doctor/1"


class Command(BaseCommand):
    """Looks at settings, database, broker, worker, beat, disk, clock and files."""

    help = "Looks at everything that a server needs. Ends with 1 where something is wrong; warnings end with 0."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look."""
        if options["json"]:
            found = list(look())
            checks = [asdict(each) for each in found]
            self.stdout.write(json.dumps({"schema": SCHEMA, "version": __version__, "checks": checks}, indent=2))
        else:
            found = [self._say(each) for each in look()]
            counts = Counter(each.level for each in found)
            self.stdout.write(", ".join(f"{counts[level]} {level}" for level in Level))
        if any(each.level is Level.WRONG for each in found):
            raise SystemExit(1)

    def _say(self, each: Finding) -> Finding:
        styles = {Level.OK: self.style.SUCCESS, Level.WARNING: self.style.WARNING, Level.WRONG: self.style.ERROR}
        self.stdout.write(f"{styles[each.level](f'{each.level:<8}')} {each.about:<11} {each.said}")
        return each
