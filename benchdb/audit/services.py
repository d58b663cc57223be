"""Records acts. Call `record` in the transaction of the act, so that there is neither without the other."""

from __future__ import annotations

import getpass
import logging
import os
from contextlib import suppress
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import HttpRequest

from benchdb.http.rate_limits import address_of

from .models import Action, AuditEntry, ObjectKind, Via

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: an account through a page, or a user of the system through a command."""

    account: int | None
    name: str
    via: Via
    address: str = ""


@dataclass(frozen=True, slots=True)
class Acted:
    """What an act changed."""

    kind: ObjectKind
    object_id: str
    name: str


def actor_of(request: HttpRequest) -> Actor:
    """The signed-in account of a request, with the client's address."""
    return Actor(request.user.pk, request.user.get_username(), Via.ADMIN, address_of(request))


def record_own(request: HttpRequest, user: User, action: Action, detail: str) -> None:
    """Add an entry of what the owner of an account did with it on a page; they need not be signed in."""
    actor = Actor(user.pk, user.get_username(), Via.PAGE, address_of(request))
    record(actor, action, account(user), detail=detail)


def actor_at_shell() -> Actor:
    """The user of the system who runs this command; the one before sudo, if known."""
    name = os.environ.get("SUDO_USER", "")
    if not name:
        with suppress(KeyError, OSError):  # an id without a name, as in containers
            name = getpass.getuser()
    return Actor(None, name or str(os.getuid()), Via.COMMAND)


def account(user: User) -> Acted:
    """An account as the object of an act."""
    return Acted(ObjectKind.ACCOUNT, str(user.pk), user.get_username())


def record(actor: Actor, action: Action, of: Acted, *, reason: str = "", detail: str = "") -> None:
    """Add an entry, and a line to the log, which outlives a change of the database by hand."""
    AuditEntry.objects.create(
        who_id=actor.account,
        who=actor.name[:150],
        via=actor.via,
        address=actor.address,
        action=action,
        kind=of.kind,
        object_id=of.object_id,
        object_name=of.name[:400],
        reason=reason,
        detail=detail,
    )
    log.info("audit: %s %s %s %r detail=%r reason=%r", *_line(actor, action, of), detail, reason)


def _line(actor: Actor, action: Action, of: Acted) -> tuple[str, str, str, str]:
    where = f"{actor.via.value} {actor.address}".strip()
    return f"{actor.name} ({where})", action.value, f"{of.kind.value} {of.object_id}", of.name
