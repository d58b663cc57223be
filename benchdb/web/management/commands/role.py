"""`manage.py role`: the role of an account."""

from __future__ import annotations

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from benchdb.audit import services as audit
from benchdb.audit.models import Action
from benchdb.roles import Role, role_of, set_role


class Command(BaseCommand):
    """Gives an account a role, or prints its role."""

    help = "Gives an account a role (docs/security.md), or prints the one it has."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="user name")
        parser.add_argument("role", nargs="?", choices=Role.values)
        parser.add_argument("--reason", default="", help="for the audit trail")

    def handle(self, *args: object, name: str, role: str | None = None, reason: str, **options: object) -> None:
        """Set and print the role."""
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no user {name!r}.")
        if role:
            with transaction.atomic():
                before = role_of(user)
                set_role(user, Role(role))
                audit.record(
                    audit.actor_at_shell(), Action.ROLE, audit.account(user), reason=reason, detail=f"{before} → {role}"
                )
        self.stdout.write(role_of(user))
