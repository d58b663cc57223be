"""The readers of the access tests, and a store with objects of every kind for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchdb.audit.models import Action, AuditEntry, Via
from benchdb.audit.services import Actor, account, record
from benchdb.exports.models import Export
from benchdb.ingest.models import Scope
from benchdb.quotas.models import OwnQuota
from benchdb.roles import Role, set_role
from tests.browser.support.filled import fill
from tests.support.comparing.comparisons import surface_run
from tests.support.documents import document, uuid7
from tests.support.store import id_of, make_token, make_user, store_run

READERS = ("anonymous", "viewer", "other", "owner", "maintainer", "admin")


@dataclass(frozen=True)
class Store:
    """Ids by name, for addresses; session cookies by reader; secrets of tokens by reader or by scope."""

    ids: Mapping[str, str]
    cookies: Mapping[str, SimpleCookie]
    secrets: Mapping[str, str]


def make_store() -> Store:
    """Store objects of every kind, all owned by `ada`, and create all readers."""
    ids = fill(["iozone-2009"])
    ada, root = (User.objects.get(username=name) for name in ("ada", "root"))
    viewer, maintainer = make_user("vera"), make_user("max")
    set_role(viewer, Role.VIEWER)
    set_role(maintainer, Role.MAINTAINER)
    people = {"viewer": viewer, "other": make_user("eve"), "owner": ada, "maintainer": maintainer, "admin": root}
    secrets = {name: make_token(user, *Scope)[1] for name, user in people.items()}
    secrets |= {scope.value: make_token(ada, scope)[1] for scope in Scope}
    sent = store_run(ada, document(visibility="public"), sent_with=id_of(secrets[Scope.UPLOAD.value]))
    return Store(
        {**ids, **_more(ada), "sent": str(sent.pk)}, {name: _signed_in(user) for name, user in people.items()}, secrets
    )


def _signed_in(user: User) -> SimpleCookie:
    client = Client()
    client.force_login(user)
    return client.cookies


def _more(ada: User) -> dict[str, str]:
    """The ids of objects that `filled` does not store: private ones, a small run, and an id of nothing."""
    hidden = {"name": "hidden", "machine_id": "5c" * 32}
    private = surface_run(ada, visibility="private", machine=hidden)
    now, digest = timezone.now(), "ab" * 32
    Export.objects.create(digest=digest, form="png", source=b"", runs=[], asked_at=now, used_at=now)
    return {
        "small": str(store_run(ada, document(visibility="public")).pk),
        "private": str(private.pk),
        "private_machine": str(private.machine_id),
        "digest": digest,
        "new": str(uuid7()),
        "user": str(ada.pk),
        "entry": str(_entry(ada)),
        "quota": str(OwnQuota.objects.create(owner=ada, quota="runs", most=1000).pk),
    }


def _entry(user: User) -> int:
    """The id of an entry of the audit trail."""
    record(Actor(None, "kim", Via.COMMAND), Action.ROLE, account(user))
    return AuditEntry.objects.get().pk
