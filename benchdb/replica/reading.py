"""Chooses the database that a request reads from, and routes Django's queries to it."""

from __future__ import annotations

from contextvars import ContextVar

from django.conf import settings
from django.db import connections
from django.db.models import Model
from django.http import HttpRequest

from benchdb.connections.database.base import DatabaseWrapper
from benchdb.replica import PRIMARY, REPLICA

from .positions import EVERYBODY, needed
from .progress import ReplicaWatch

# Identity and permissions are always read from the primary.
ACCESS = {"auth", "sessions", "admin"}
TOKENS = "ingest.token"

_watch = ReplicaWatch()


class RequestReader:
    """The choice for one request, which reads from the same database throughout unless it writes in between."""

    def __init__(self, request: HttpRequest, *, replica: bool) -> None:
        self._request = request
        self._alias = None if replica else PRIMARY
        self.account: object = None  # the token's
        self.used = False  # whether a query went to the replica
        self.wrote = False

    @property
    def account_key(self) -> str | None:
        """The account of the token or session, as a key for `positions`; None if there is neither."""
        account = self.account
        if account is None and settings.SESSION_COOKIE_NAME in self._request.COOKIES:
            account = self._request.user.pk
        return None if account is None else f"account {account}"

    @property
    def alias(self) -> str:
        """The database to read from, chosen at the first query."""
        if self._alias is None:
            position = needed(EVERYBODY, *filter(None, [self.account_key]))
            near = position is not None and _watch.suffices(position)
            self._alias = REPLICA if near else PRIMARY
        self.used = self.used or self._alias == REPLICA
        return self._alias

    def is_for(self, account: object) -> None:
        """Set the account of the request's token."""
        self.account = account

    def writes(self) -> None:
        """Read from the primary from now on, because the request writes."""
        self._alias, self.wrote = PRIMARY, True


current: ContextVar[RequestReader | None] = ContextVar("reader", default=None)


def _alias() -> str:
    reader = current.get()
    # A transaction must read the rows that it locks and writes.
    return PRIMARY if reader is None or connections[PRIMARY].in_atomic_block else reader.alias


def reading() -> DatabaseWrapper:
    """The connection for hand-written SQL that reads for a page; all other reads go through the router."""
    return connections[_alias()]  # type: ignore[return-value]  # the backend of settings.DATABASES


def is_for(account: object) -> None:
    """Set the account of the current request's token."""
    if (reader := current.get()) is not None:
        reader.is_for(account)


class Router:
    """Django's database router."""

    def db_for_read(self, model: type[Model], **hints: object) -> str:
        """The primary for models that decide permissions; the database of the request for all others."""
        return PRIMARY if _decides(model) else _alias()

    def db_for_write(self, model: type[Model], **hints: object) -> str:
        """The primary, which the request also reads from after this."""
        if (reader := current.get()) is not None and not _decides(model):
            reader.writes()
        return PRIMARY

    def allow_relation(self, first: Model, second: Model, **hints: object) -> bool:
        """Always: both databases have the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        """Only on the primary; the replica gets its tables from there."""
        return db == PRIMARY


def _decides(model: type[Model]) -> bool:
    return model._meta.app_label in ACCESS or model._meta.label_lower == TOKENS
