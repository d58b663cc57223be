"""A browser, and a server with something to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from benchdb.compare.permalinks import share
from tests.plugins.missing import CHROMIUM_NAMES, find_command
from tests.support.campaigns import campaign_document, of_point, skipped, store_campaign
from tests.support.comparisons import compared_runs, ids, surface_run
from tests.support.documents import KIB, MIB, iozone_document
from tests.support.store import make_user, store_run
from tests.support.trends import upgraded

ARGUMENTS = [
    "--no-sandbox",  # the tests may run as root
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",  # WebGL without a graphics card
    "--enable-unsafe-swiftshader",
]
expect.set_options(timeout=20_000)  # milliseconds; for machines that are busy with other tests
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 360, "height": 740}


@dataclass(frozen=True)
class Site:
    """The address of the server, and the paths of its pages by name."""

    address: str
    paths: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.address + self.paths[name]


@pytest.fixture
def site(live_server: LiveServer, transactional_db: None) -> Site:
    """The five pages with real numbers on them. Made before the browser starts: Django's ORM minds its event loop."""
    assert settings.STATICFILES_DIRS, "The front end is not built: frontend/npm ci && frontend/npm run build"
    owner = make_user("ada")
    # The oldest, so that lists have them last.
    days = upgraded(owner, machine={"name": "epyc-7", "machine_id": "7a" * 32})
    faster_grid = surface_run(owner, rounds=4, factor=2, file_system="xfs")
    planned = skipped(campaign_document(), 3, "mkfs.xfs is not installed (Debian package: xfsprogs)")
    campaign = store_campaign(owner, planned)
    store_run(owner, campaign=of_point(campaign.pk, "ext4/iozone"))
    runs = compared_runs(owner, record_sizes=(64 * KIB, MIB))
    auto = store_run(owner, iozone_document(visibility="public"))
    grid = surface_run(owner, rounds=4)
    paths = {
        "campaigns": "/campaigns/",
        "campaign": campaign.get_absolute_url(),
        "list": "/runs/",
        "run": f"/runs/{auto.id}/",
        "comparison": f"/compare/?{ids(runs)}",
        "surface": f"/surface/?run={auto.id}&test=read",
        "trend": f"/trend/?run={days[0].id}",
        "two surfaces": f"/surface/?{ids([grid, faster_grid])}",
        "permalink": share(owner, "table", ids(runs))[0].get_absolute_url(),
        "permalink to a surface": share(owner, "surface", f"run={grid.id}")[0].get_absolute_url(),
        "result": f"/runs/{auto.id}/results/0/",
        "raw output": f"/runs/{auto.id}/raw/iozone.txt",
        "nothing chosen": "/compare/",
        "nothing found": "/runs/?q=nothing",
        "sign in": "/login/",
    }
    return Site(live_server.url, paths)


@pytest.fixture
def browser(site: Site) -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_command(*CHROMIUM_NAMES), args=ARGUMENTS)
        yield chromium
        chromium.close()


OpenPage = Callable[..., Any]


@pytest.fixture
def open_page(browser: Browser) -> OpenPage:
    """`with open_page(**options) as page`: a page of a new context that must have had no problem at its end.

    `refused` is the status with which the server must refuse what the test sends it on purpose, once.
    """

    @contextmanager
    def open_one(*, refused: int | None = None, **options: Any) -> Iterator[Page]:
        context = browser.new_context(**{"viewport": WIDE, **options})
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "response",
            lambda answer: problems.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None,
        )
        yield page
        context.close()
        if refused:  # told twice: by the answer and on the console
            expected = [each for each in problems if each.startswith(f"{refused} ") or f"status of {refused} " in each]
            assert len(expected) == 2, problems
            problems = [each for each in problems if each not in expected]
        assert problems == []

    return open_one
