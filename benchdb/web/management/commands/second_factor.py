"""`manage.py second_factor`: whether an account has one; remove it."""

from __future__ import annotations

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from benchdb.audit import services as audit
from benchdb.audit.models import Action
from benchdb.web.account import second_factor


class Command(BaseCommand):
    """Prints whether an account has a second factor, or removes it."""

    help = "Prints whether an account has a second factor; --remove removes it (docs/security.md)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="user name")
        parser.add_argument("--remove", action="store_true", help="the account then signs in with its password only")
        parser.add_argument("--reason", default="", help="for the audit trail")

    def handle(self, *args: object, name: str, remove: bool, reason: str, **options: object) -> None:
        """Remove and print."""
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no user {name!r}.")
        if remove:
            with transaction.atomic():
                second_factor.remove(user)
                of = audit.account(user)
                audit.record(audit.actor_at_shell(), Action.SECOND_FACTOR, of, reason=reason, detail="removed")
        self.stdout.write("on" if second_factor.is_on(user) else "off")
