"""Data that all tests of a file share, without a server. Tests marked `django_db` undo their own changes only."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connection, transaction

Stored = TypeVar("Stored")


@contextmanager
def shared(blocker: Any, fill: Callable[[], Stored]) -> Iterator[Stored]:
    """What `fill` returns, and its data in the database while the block runs."""
    with blocker.unblock(), undone():
        stored = fill()
        connection.check_constraints()  # otherwise the end of each test would do it
        yield stored


@contextmanager
def undone() -> Iterator[None]:
    """The changes of the block are rolled back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
