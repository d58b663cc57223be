"""`manage.py recompute`: compute outdated statistics of all runs now."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from kombu.exceptions import OperationalError

from benchdb.runs.management.follow import follow
from benchdb.runs.models import RunState, State
from benchdb.runs.tasks import recompute_outdated
from benchdb.stats import STATISTICS_VERSION


class Command(BaseCommand):
    """Beat does the same half a minute after an upgrade; this command can print the progress."""

    help = "Has the workers compute the statistics of all runs again that have older ones."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--wait", action="store_true", help="say how far it is until all is done")

    def handle(self, *args: object, wait: bool, **options: object) -> None:
        """Enqueue the runs, and wait with `--wait`."""
        left = RunState.objects.outdated().count
        outdated = left()
        if not outdated:
            self.stdout.write(f"All {RunState.objects.count():,} runs have statistics version {STATISTICS_VERSION}.")
            return
        try:
            if wait:
                follow(recompute_outdated, left, self.stderr.write)
            else:
                recompute_outdated()
        except OperationalError as error:
            raise CommandError(f"The broker does not answer: {error}") from None
        if not wait:
            self.stdout.write(
                f"{outdated:,} runs have older statistics than version {STATISTICS_VERSION}. The workers compute them;"
                " `--wait` says how far they are."
            )
            return
        self.stdout.write(f"{outdated:,} runs were brought to statistics version {STATISTICS_VERSION}.")
        if failed := RunState.objects.filter(state=State.FAILED).count():
            self.stdout.write(f"Of all runs, {failed:,} have statistics that failed; their pages say why.")
