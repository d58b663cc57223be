"""`manage.py recount`: count again what the accounts use."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from benchdb.operations.recount import recount
from benchdb.quotas.limits import CHARGED, Amount, say
from benchdb.quotas.models import Quota


class Command(BaseCommand):
    """Corrects the use of accounts and prints what was wrong."""

    help = "Counts again what the accounts use of their quotas (docs/quotas.md), and prints what was wrong."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--values", action="store_true", help="also count the values of every run; reads them all")

    def handle(self, *args: object, values: bool, **options: object) -> None:
        """Count and print."""
        wrong = 0
        for account in recount(values=values):
            if account.before != account.after:
                wrong += 1
                self.stdout.write(f"{account.name}: {_say(account.after)} instead of {_say(account.before)}")
        self.stdout.write(f"{wrong} corrected." if wrong else "Everything was right.")


def _say(amount: Amount) -> str:
    return ", ".join(
        f"{say(quota, amount.of(quota))} {'of documents' if quota == Quota.BYTES else quota.label}" for quota in CHARGED
    )
