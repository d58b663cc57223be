"""`manage.py delete_account`: delete an account with all its data."""

from __future__ import annotations

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from benchdb.audit import services as audit
from benchdb.audit.models import Action
from benchdb.web.account.leaving import AT_ONCE, KeptAccount, leave, sweep


class Command(BaseCommand):
    """Closes an account for good and deletes its runs, permalinks, tokens, imports, plans and machines."""

    help = "Deletes an account with everything of it (docs/operations.md). Cannot be undone."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="user name")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument("--reason", default="", help="for the audit trail")

    def handle(self, *args: object, name: str, yes: bool, reason: str, **options: object) -> None:
        """Ask, then delete the account."""
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no user {name!r}.")
        if not yes:
            self.stdout.write(f"{user.runs.count()} runs go, and {user.permalinks.count()} permalinks, for good.")
            if input("Write the name of the account to go on: ") != name:
                raise CommandError("Nothing was changed.")
        try:
            with transaction.atomic():
                of = audit.account(user)
                leave(user)
                audit.record(audit.actor_at_shell(), Action.DELETE_ACCOUNT, of, reason=reason)
        except KeptAccount as error:
            raise CommandError(f"Not deleted: the account {error}.") from None
        gone = 0
        while (now := sweep()) == AT_ONCE:
            gone += now
        self.stdout.write(f"Deleted, with {gone + now} runs.")
