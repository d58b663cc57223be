"""The journeys without loss while parts of the server are killed between the steps. `make test-faults` runs them.

A part is killed (-9) and started again by `manage.py up`. The next step begins after the site has been ready for as
long as the web server keeps reporting that the database was away. Meanwhile pages that poll get errors like visitors,
so such errors are not faults here.
"""

import http.client
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from benchdb.connections.database.base import SECONDS
from benchdb.embedded.config import Paths
from benchdb.embedded.supervisor.lock import holder
from tests.browser.conftest import WIDE, OpenPage

# Collected here too, in this order: this test must find two runs, and the others store more.
from tests.browser.test_journeys import test_two_runs_found_by_facets_become_a_shared_surface  # noqa: F401
from tests.embedded.processes import services
from tests.support.waiting import wait_until
from tests.system.server import Server

# isort: split
from tests.browser.test_journeys import (  # noqa: F401
    pytestmark,
    server,
    test_a_pasted_line_becomes_a_stored_run,
    test_a_queued_plan_is_run_by_an_agent_while_one_watches,
    test_a_token_uploads_until_it_is_revoked,
)

PATIENCE = 90.0  # seconds; a part that dies often is started again after up to half a minute
# The services. After the death of a master, all its processes start again; a master starts its children again.
PARTS = ("web", "postgres", "worker", "valkey-server", "beat", "application", "web's child", "worker's child")
_next = itertools.cycle(PARTS)


def find(var: Path, part: str) -> psutil.Process | None:
    """The process of a part, or None if there is none."""
    master, _, child = part.partition("'s ")
    keeper = holder(Paths(var))
    assert keeper is not None
    process = services(keeper.pid).get(master)
    try:
        return next(iter(process.children()), None) if process and child else process
    except psutil.NoSuchProcess:
        return None


def is_back(site: Server, part: str, before: psutil.Process) -> bool:
    """Whether another process replaced the killed one, and the site is ready."""
    process = find(site.var, part)
    try:
        return process is not None and process != before and site.request("readyz")[0] == 200
    except (OSError, http.client.HTTPException):  # the killed process cut off the request
        return False


@dataclass
class Lasting:
    """A condition that holds once another one has held for so many seconds at every check."""

    condition: Callable[[], bool]
    seconds: float
    since: float | None = None

    def __call__(self) -> bool:
        now = time.monotonic()
        self.since = (self.since or now) if self.condition() else None
        return self.since is not None and now - self.since >= self.seconds


@pytest.fixture
def meanwhile(server: Server, record_property: Callable[[str, str], None]) -> Callable[[], None]:  # noqa: F811
    server.killed = True

    def kill_one() -> None:
        part = next(_next)
        wait_until(lambda: find(server.var, part) is not None, PATIENCE)
        before = find(server.var, part)
        assert before is not None
        before.kill()
        ready = Lasting(lambda: is_back(server, part, before), 2 * SECONDS)
        wait_until(ready, PATIENCE, lambda: f"{part} did not come back")
        record_property("result", f"killed: {part}")

    return kill_one


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Waits longer, because killed parts are away for a while, and longer each time."""
    expect.set_options(timeout=PATIENCE * 1000)
    yield
    expect.set_options(timeout=20_000)


@pytest.fixture
def open_page(browser: Browser) -> OpenPage:
    """The fixture of the journeys, but without the check for problems."""

    @contextmanager
    def open_one(**options: Any) -> Iterator[Page]:
        context = browser.new_context(**{"viewport": WIDE, **options})
        yield context.new_page()
        context.close()

    return open_one
