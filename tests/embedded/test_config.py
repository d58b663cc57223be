"""Paths and addresses that settings and supervisor derive from the var directory."""

from pathlib import Path

import dj_database_url
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.connection import parse_url

from benchdb.embedded.config import (
    SOCKET_PATH_BYTES,
    Paths,
    database_url,
    redis_url,
)

# Possible directory names, including characters with a special meaning in URLs.
directories = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12
).filter(lambda name: name not in {".", ".."})


@given(directories)
def test_django_libpq_and_redis_read_the_same_socket_from_the_urls(name: str) -> None:
    paths = Paths(Path("/srv") / name)
    host = str(paths.postgres_sockets)

    settings = dj_database_url.parse(database_url(paths.var))
    names = ("HOST", "PORT", "USER", "NAME")
    assert tuple(settings[name] for name in names) == (host, 5432, "benchdb", "benchdb")
    assert psycopg.conninfo.conninfo_to_dict(database_url(paths.var))["host"] == host
    assert parse_url(redis_url(paths.var))["path"] == str(paths.valkey_socket)


def test_sockets_lie_under_var() -> None:
    paths = Paths(Path("/srv/benchdb/var"))
    assert paths.postgres_sockets == Path("/srv/benchdb/var/run/postgres")
    assert paths.valkey_socket == Path("/srv/benchdb/var/run/valkey.sock")


@pytest.mark.parametrize("length", range(70, 120))
def test_no_socket_path_is_longer_than_the_kernel_takes(length: int) -> None:
    paths = Paths(Path("/" + "v" * (length - 1)))
    for socket in (paths.postgres_sockets / ".s.PGSQL.5432", paths.valkey_socket):
        assert len(bytes(socket)) <= SOCKET_PATH_BYTES


def test_deep_directories_do_not_share_their_sockets() -> None:
    deep = Path("/" + "v" * 100)
    assert Paths(deep / "a").sockets != Paths(deep / "b").sockets
    assert Paths(deep / "a").sockets == Paths(deep / "a").sockets
