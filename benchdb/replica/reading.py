"""From which database a request reads, and the router that tells Django."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from django.http import HttpRequest

from benchdb.replica import PRIMARY, REPLICA

from .notes import EVERYBODY, needed
from .progress import Watch

# Who somebody is and what they may do is never old.
ACCESS = {"auth", "sessions", "admin"}
TOKENS = "ingest.token"

_watch = Watch()


class Reader:
    """One request. It reads from one database from the first query to the last, unless it writes in between."""

    def __init__(self, request: HttpRequest, *, replica: bool) -> None:
        self._request = request
        self._alias = None if replica else PRIMARY
        self.account: object = None  # of the token
        self.used = False  # whether the replica was asked
        self.wrote = False

    @property
    def who(self) -> str | None:
        """The account that asks, by token or session."""
        account = self.account
        if account is None and settings.SESSION_COOKIE_NAME in self._request.COOKIES:
            account = self._request.user.pk
        return None if account is None else f"account {account}"

    @property
    def alias(self) -> str:
        """The database to read from, decided when it is asked for first."""
        if self._alias is None:
            position = needed(EVERYBODY, *filter(None, [self.who]))
            near = position is not None and _watch.suffices(position)
            self._alias = REPLICA if near else PRIMARY
        self.used = self.used or self._alias == REPLICA
        return self._alias

    def is_for(self, account: object) -> None:
        """The request's token is of this account."""
        self.account = account

    def writes(self) -> None:
        """From now on it reads what it wrote."""
        self._alias, self.wrote = PRIMARY, True


current: ContextVar[Reader | None] = ContextVar("reader", default=None)


def _alias() -> str:
    reader = current.get()
    # A transaction reads what it locks and writes.
    return PRIMARY if reader is None or connections[PRIMARY].in_atomic_block else reader.alias


def reading() -> BaseDatabaseWrapper:
    """The connection for SQL that reads for a page; everything else that reads goes through the router."""
    return connections[_alias()]


def is_for(account: object) -> None:
    """Tell the request that is being answered whose token it came with."""
    if (reader := current.get()) is not None:
        reader.is_for(account)


class Router:
    """Django's database router."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        """Of the primary where it decides what somebody may do; else where the request reads."""
        return PRIMARY if _decides(model) else _alias()

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        """The primary; the request then reads from it, too."""
        if (reader := current.get()) is not None and not _decides(model):
            reader.writes()
        return PRIMARY

    def allow_relation(self, first: Model, second: Model, **hints: Any) -> bool:
        """Both have the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """A replica gets its tables from the primary."""
        return db == PRIMARY


def _decides(model: type[Model]) -> bool:
    return model._meta.app_label in ACCESS or model._meta.label_lower == TOKENS
