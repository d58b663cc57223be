"""`manage.py recount`: count again what the accounts use."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from benchdb.quotas.limits import Amount
from benchdb.runs.store.recount import recount
from benchdb.wording.sizes import say_size


class Command(BaseCommand):
    """Corrects the use of accounts and prints what was wrong."""

    help = "Counts again what the accounts use of their quotas (docs/quotas.md), and prints what was wrong."

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
    return f"{amount.runs:,} runs, {amount.value_count:,} values, {say_size(amount.document_bytes)} of documents"
