"""A newcomer queues a plan for a new machine by copying what the page shows; a real agent finishes it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, Site
from tests.browser.support.serving import session_of
from tests.browser.test_plan_pages import elsewhere
from tests.support.campaigns import PLAN
from tests.support.signals import signalled
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.needs("chromium", package="chromium-headless-shell"),
    pytest.mark.needs("curl", package="curl"),
    pytest.mark.needs("cc", package="gcc"),
    pytest.mark.django_db,
]
PATIENCE = 120.0  # seconds; the agent builds fsload first
SHELL = ["sh", "-e", "-c"]


def copied(page: Page, name: str) -> str:
    """A command line as the page shows it."""
    return page.locator(f"#{name}").inner_text()


@contextmanager
def pasted(commands: list[str], directory: Path) -> Iterator[None]:
    """The commands in one shell in a directory; the last one runs until the block ends."""
    environment = {**os.environ, "BENCHAGENT_STATE": str(directory / "state")}
    script = "\n".join([*commands[:-1], f"exec {commands[-1]} --every 0.5s"])
    with subprocess.Popen([*SHELL, script], cwd=directory, env=signalled(environment)) as process:
        try:
            yield
        finally:
            process.terminate()


def test_a_newcomer_copies_four_commands_and_queues_a_plan(site: Site, open_page: OpenPage, tmp_path: Path) -> None:
    clicks = 0
    with open_page() as page:
        page.context.add_cookies([elsewhere(lambda: session_of("ada", site.address))])
        page.goto(f"{site.address}/plans/new/")
        page.get_by_role("button", name="Make a token").click()
        clicks += 1
        commands = [copied(page, name) for name in ("fetch", "keep-token", "config", "serve")]
        with pasted(commands, tmp_path):
            online = page.locator("label", has_text=" online").get_by_role("checkbox")
            wait_until(lambda: page.goto(f"{site.address}/plans/new/") is not None and online.count() == 1, PATIENCE)
            page.get_by_label("Plan (TOML)").fill(PLAN)
            online.check()
            page.get_by_role("button", name="Queue it").click()
            clicks += 2
            expect(page.locator("h1")).to_contain_text("finished", timeout=1000 * PATIENCE)
        print(f"clicks: {clicks}")
        page.get_by_role("link", name="Its campaign").click()
        expect(page.get_by_role("cell").get_by_role("link", name="finished", exact=True)).to_have_count(1)
