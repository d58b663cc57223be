"""`manage.py audit`: print the audit trail."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime

from django.core.management.base import BaseCommand
from django.forms.models import model_to_dict

from benchdb.audit.models import Action, AuditEntry
from benchdb.wording.clean import clean


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no time such as 2026-11-26 or 2026-11-26T09:00+01:00") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


class Command(BaseCommand):
    """Prints the acts of maintainers and admins, oldest first."""

    help = "Prints the audit trail, oldest first (docs/security.md)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--json", action="store_true", help="a JSON object a line")
        parser.add_argument("--since", type=_time, help="a date or a time, UTC unless it has an offset")
        parser.add_argument("--until", type=_time, help="the first time that is left out")
        parser.add_argument("--who", help="the name of an account")
        parser.add_argument("--action", choices=Action.values)

    def handle(
        self,
        *args: object,
        json: bool,
        since: datetime | None,
        until: datetime | None,
        who: str | None,
        action: str | None,
        **options: object,
    ) -> None:
        """Print the entries that match all options."""
        asked = {"at__gte": since, "at__lt": until, "who": who, "action": action}
        entries = AuditEntry.objects.filter(**{name: value for name, value in asked.items() if value is not None})
        for entry in entries.order_by("pk").iterator():
            self.stdout.write(_as_json(entry) if json else _as_text(entry))


def _as_json(entry: AuditEntry) -> str:
    facts = {"id": entry.pk, "at": entry.at.isoformat(), **model_to_dict(entry, exclude=["id", "at"])}
    return json.dumps(facts, ensure_ascii=False)


def _as_text(entry: AuditEntry) -> str:
    where = f"{entry.via} {entry.address}".strip()
    more = "".join(f"; {text}" for text in (entry.detail, entry.reason and f"reason: {entry.reason}") if text)
    return clean(f"{entry.at:%Y-%m-%d %H:%M:%S} {entry.who} ({where}) {entry} ({entry.kind} {entry.object_id}){more}")
