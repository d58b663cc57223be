"""`manage.py token`: make a token for an agent."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from benchdb.audit import services as audit
from benchdb.audit.models import Action, ObjectKind
from benchdb.ingest.models import Scope
from benchdb.ingest.tokens import create_token
from benchdb.quotas.limits import QuotaExceeded
from benchdb.runs.models import Visibility


class Command(BaseCommand):
    """Prints the secret of a new token, which is shown only once."""

    help = "Makes a token for an agent and prints it. It is shown this once."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("owner", help="user name")
        parser.add_argument("--create-owner", action="store_true", help="make the user if there is none")
        parser.add_argument("--name", default="agent", help="what the token is for (%(default)s)")
        parser.add_argument(
            "--scope", action="append", choices=Scope.values, help="may be given again; upload unless given"
        )
        parser.add_argument(
            "--visibility",
            choices=Visibility.values,
            default=Visibility.PRIVATE,
            help="of runs that name none (%(default)s)",
        )
        parser.add_argument("--days", type=int, help="the token expires after so many days")

    def handle(
        self,
        *args: object,
        owner: str,
        create_owner: bool,
        name: str,
        scope: list[str] | None,
        visibility: str,
        days: int | None,
        **options: object,
    ) -> None:
        """Make token."""
        users = get_user_model().objects
        user = users.filter(username=owner).first()
        if user is None:
            if not create_owner:
                raise CommandError(f"There is no user {owner!r}. Add --create-owner to make one.")
            user = users.create_user(owner)
        if days is not None and not 0 < days <= 36500:
            raise CommandError(f"--days {days} is not between 1 and 36500.")
        try:
            with transaction.atomic():
                token, secret = create_token(
                    user,
                    name,
                    [Scope(value) for value in scope or [Scope.UPLOAD]],
                    default_visibility=Visibility(visibility),
                    expires_at=timezone.now() + timedelta(days=days) if days else None,
                )
                made = audit.Acted(ObjectKind.TOKEN, str(token.pk), token.name)
                detail = f"for {owner}: {', '.join(token.scopes)}"
                audit.record(audit.actor_at_shell(), Action.MAKE_TOKEN, made, detail=detail)
        except QuotaExceeded as error:
            raise CommandError(str(error)) from None
        self.stdout.write(secret)
