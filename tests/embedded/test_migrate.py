"""`manage.py migrate` beside readers that lock its tables."""

import io
from collections.abc import Iterator

import psycopg
import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import override_settings

from benchdb.embedded.management.commands import migrate
from benchdb.operations.postgres import parameters

pytestmark = pytest.mark.django_db(transaction=True)


def setting() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        return cursor.fetchone()[0]


@pytest.fixture
def behind() -> Iterator[None]:
    """Add a migration of a table that pages read and that the database lacks; undone afterwards."""
    with override_settings(MIGRATION_MODULES={"compare": "tests.embedded.later_migrations"}):
        yield
        call_command("migrate", "compare", "0001", verbosity=0)


def test_a_lock_that_is_not_had_soon_is_asked_for_again(behind: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "LOCK_SECONDS", 0.1)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(migrate, "MOST_ATTEMPTS", 2)
    output = io.StringIO()
    with psycopg.connect(**parameters()) as reader:
        reader.execute("SELECT FROM runs_runstate")
        with pytest.raises(OperationalError, match="lock timeout"):
            call_command("migrate", verbosity=0, stderr=output)
    assert output.getvalue() == "A table is in use; trying again (1 of 2).\n"

    call_command("migrate", verbosity=0)

    with connection.cursor() as cursor:
        names = {column.name for column in connection.introspection.get_table_description(cursor, "runs_runstate")}
    assert "later" in names


def test_what_comes_after_waits_as_long_as_before() -> None:
    before = setting()
    call_command("migrate", verbosity=0)
    assert setting() == before
