"""Running servers for all tests that do not change them, because starting one takes ten seconds of two cores.

They sweep every five seconds, because each sweep costs 0.2 seconds of processor time, until all tests have ended.
"""

from collections.abc import Iterator

import pytest

from tests.system.server import Server, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`manage.py up` with a data directory of its own."""
    with running(
        tmp_path_factory.mktemp("server") / "var", BENCHDB_SWEEP_SECONDS="5", BENCHDB_REPORT_SECONDS="1"
    ) as server:
        yield server


@pytest.fixture(scope="session")
def secret(server: Server) -> str:
    """The token of the user `ada`'s agent."""
    return server.manage("token", "ada", "--create-owner")


@pytest.fixture(scope="session")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without a worker, which tests start and kill themselves; its beat sweeps every five seconds."""
    with running(tmp_path_factory.mktemp("idle") / "var", "--no-worker", BENCHDB_SWEEP_SECONDS="5") as server:
        yield server


@pytest.fixture(scope="session")
def idle_secret(idle: Server) -> str:
    """The token of `ada` on `idle`."""
    return idle.manage("token", "ada", "--create-owner")
