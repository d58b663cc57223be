"""`manage.py doctor`: faults of a server, with remedies."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from json import dumps

from django.core.management.base import BaseCommand

from benchdb import __version__
from benchdb.operations.doctor.checks import run_checks
from benchdb.operations.doctor.finding import DoctorFinding, Level

SCHEMA = "benchdb.doctor/1"


class Command(BaseCommand):
    """Checks settings, database, broker, worker, beat, disk, clock and files."""

    help = "Looks at everything that a server needs. Ends with 1 where something is wrong; warnings end with 0."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    def handle(self, *, json: bool, **_: object) -> None:
        """Run the checks and print their findings."""
        if json:
            findings = list(run_checks())
            checks = [{"level": finding.level, "about": finding.about, "said": finding.text} for finding in findings]
            self.stdout.write(dumps({"schema": SCHEMA, "version": __version__, "checks": checks}, indent=2))
        else:
            findings = [self._print(finding) for finding in run_checks()]
            counts = Counter(finding.level for finding in findings)
            self.stdout.write(", ".join(f"{counts[level]} {level}" for level in Level))
        if any(finding.level is Level.WRONG for finding in findings):
            raise SystemExit(1)

    def _print(self, finding: DoctorFinding) -> DoctorFinding:
        styles = {Level.OK: self.style.SUCCESS, Level.WARNING: self.style.WARNING, Level.WRONG: self.style.ERROR}
        self.stdout.write(f"{styles[finding.level](f'{finding.level:<8}')} {finding.about:<11} {finding.text}")
        return finding
