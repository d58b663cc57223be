"""Fixtures: a browser, and servers with data."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.support.filled import fill
from tests.browser.support.launching import ARGUMENTS, NARROW, WIDE
from tests.browser.support.serving import EVERY_WAY, serving, session_of
from tests.browser.support.visits import Filled, Windows
from tests.plugins.missing import CHROMIUM_NAMES, find_command
from tests.runs.inside.samples import round_of_series, rounds_of_tests
from tests.support.comparing.comparisons import compared_runs, fine_run, ids, surface_run
from tests.support.comparing.trends import upgraded
from tests.support.documents import KIB, MIB, iozone_document
from tests.support.store import make_user, store_run
from tests.support.stores.kept import kept

__all__ = ["NARROW", "WIDE", "OpenPage", "Site"]

expect.set_options(timeout=20_000)  # milliseconds; for machines that are busy with other tests


@dataclass(frozen=True)
class Site:
    """The address of the server, and the paths of its pages by name."""

    address: str
    paths: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.address + self.paths[name]


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[Site]:
    """Pages with real numbers, for all tests of a file, which undo their changes."""
    with serving(django_db_blocker, lambda: kept("site", _stored)) as (address, paths):
        yield Site(address, paths)


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[Filled]:
    """A server with objects of every kind."""
    with serving(django_db_blocker, fill, ROOT_URLCONF="tests.browser.support.urls", **EVERY_WAY) as (address, stored):
        yield Filled(address, stored, {name: session_of(name, address) for name in ("ada", "root")})


def _stored() -> dict[str, str]:
    """Store the data of the pages. Returns the paths of the pages by name."""
    owner = make_user("ada")
    # Stored first, so that lists have them last.
    inside = store_run(owner, visibility="public", series=[*round_of_series(0), *rounds_of_tests(0)])
    days = upgraded(owner, machine={"name": "epyc-7", "machine_id": "7a" * 32})
    fine = fine_run(owner)
    faster_grid = surface_run(owner, rounds=4, factor=2, file_system="xfs")
    runs = compared_runs(owner, record_sizes=(64 * KIB, MIB))
    auto = store_run(owner, iozone_document(visibility="public"))
    grid = surface_run(owner, rounds=4)
    return {
        "list": "/runs/",
        "run": f"/runs/{auto.id}/",
        "comparison": f"/compare/?{ids(runs)}",
        "surface": f"/surface/?run={auto.id}&test=read",
        "trend": f"/trend/?run={days[0].id}",
        "fine surface": f"/surface/?run={fine.id}&test=write",
        "inside": f"/runs/{inside.id}/inside/",
        "two surfaces": f"/surface/?{ids([grid, faster_grid])}",
    }


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Iterator[Windows]:
    """The windows of the readers, for all tests of a file."""
    opened = Windows(browser)
    yield opened
    opened.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as playwright:
        # Playwright's event loop runs in this thread, and Django would refuse to block it.
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chromium = playwright.chromium.launch(executable_path=find_command(*CHROMIUM_NAMES), args=ARGUMENTS)
        yield chromium
        chromium.close()
        connections.close_all()  # connections that tests opened beside the event loop, which nothing else closes


OpenPage = Callable[..., Any]


@pytest.fixture
def meanwhile() -> Callable[[], None]:
    """Called between two steps of a journey. Does nothing; in `trial_restarts.py` a part of the server dies."""
    return lambda: None


@pytest.fixture
def open_page(browser: Browser) -> OpenPage:
    """`with open_page(**options) as page`: a page of a new context, which must have no problems until its end.

    `refused` is the status with which the server must refuse one request of the test.
    """

    @contextmanager
    def open_one(*, refused: int | None = None, **options: Any) -> Iterator[Page]:
        context = browser.new_context(**{"viewport": WIDE, **options})
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "response",
            lambda answer: problems.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None,
        )
        yield page
        context.close()
        if refused:  # reported twice: by the answer and on the console
            expected = [
                problem
                for problem in problems
                if problem.startswith(f"{refused} ") or f"status of {refused} " in problem
            ]
            assert len(expected) == 2, problems
            problems = [problem for problem in problems if problem not in expected]
        assert problems == []

    return open_one
