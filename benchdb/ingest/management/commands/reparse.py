"""`manage.py reparse`: read raw output again with the present parsers."""

from __future__ import annotations

from argparse import ArgumentParser
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from kombu.exceptions import OperationalError

from benchagent.formats import PARSER_VERSION
from benchdb.ingest.reparse import reparse
from benchdb.ingest.tasks import enqueue_unread
from benchdb.runs.management.follow import follow
from benchdb.runs.models import Parse

MOST_LISTED = 20


class Command(BaseCommand):
    """Reads named runs in this process, and all others in the workers."""

    help = "Reads the raw output of runs again; where it gives other results, they are stored beside the old ones."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("runs", metavar="RUN", nargs="*", type=UUID, help="the id of a run")
        parser.add_argument("--all", action="store_true", help="all runs that an older parser has read")
        parser.add_argument("--wait", action="store_true", help="with --all: say how far it is until all is done")

    def handle(self, *args: object, runs: list[UUID], all: bool, wait: bool, **options: object) -> None:
        """Read the named runs, or enqueue all."""
        if bool(runs) == all:
            raise CommandError("Name the runs to read again, or say --all.")
        if all:
            self._all(wait=wait)
            return
        refused = 0
        for run_id in runs:
            outcome = reparse(run_id)
            refused += bool(outcome.refusal)
            self.stdout.write(str(outcome))
        if refused:
            raise CommandError(f"{refused} of {len(runs)} runs could not be read again.")

    def _all(self, *, wait: bool) -> None:
        left = Parse.objects.unread().count
        count = left()
        try:
            if wait:
                follow(enqueue_unread, left, self.stderr.write)
            else:
                enqueue_unread()
        except OperationalError as error:
            raise CommandError(f"The broker does not answer: {error}") from None
        if not wait:
            self.stdout.write(f"{count:,} runs were read by older parsers. The workers read them again.")
            return
        self.stdout.write(f"{count:,} runs were read again by parser version {PARSER_VERSION}.")
        refused = Parse.objects.filter(checked_by=PARSER_VERSION).exclude(refusal="").order_by("-run_id")
        for parse in refused[:MOST_LISTED]:
            self.stdout.write(f"{parse.run_id}: not read again: {parse.refusal}")
        if (more := refused.count() - MOST_LISTED) > 0:
            self.stdout.write(f"… and {more:,} more.")
