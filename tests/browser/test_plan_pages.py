"""A signed-in user queues a plan, sees it wait and run, and cancels it, in a browser."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from playwright.sync_api import Page, expect

from benchdb.plans import queue
from benchdb.plans.models import Job
from tests.browser.conftest import NARROW, OpenPage, Site
from tests.browser.support.serving import session_of
from tests.browser.test_pages import overflow

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


@pytest.fixture
def cookie(site: Site) -> dict[str, Any]:
    """The session of `ada`, whose machine's agent is online."""

    def sign_in() -> dict[str, Any]:
        queue.listen(User.objects.get(username="ada"), "5a" * 32, "epyc-2", "0.2.0")
        return session_of("ada", site.address)

    return elsewhere(sign_in)  # otherwise the server would not see the changes


def elsewhere(call: Any) -> Any:
    """Call a function in a thread, so that the server sees its changes. Those of this thread stay in the test."""

    def run() -> Any:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


def fill(page: Page, site: Site, plan: str) -> None:
    page.goto(f"{site.address}/plans/new/?plan={plan}")
    page.get_by_role("checkbox", name="epyc-2").check()


def test_a_plan_is_queued_runs_and_is_cancelled(site: Site, cookie: dict[str, Any], open_page: OpenPage) -> None:
    with open_page(viewport=NARROW, color_scheme="dark") as page:
        page.context.add_cookies([cookie])
        fill(page, site, "directory")
        assert overflow(page) == 0
        page.get_by_role("button", name="Queue it").click()
        expect(page.locator("h1")).to_contain_text("waiting")
        assert overflow(page) == 0

        job = elsewhere(lambda: queue.claim(Job.objects.get().machine))
        expect(page.locator("h1")).to_contain_text("running")
        progress = {"point": "directory/fsload", "round": "2", "share": 0.4, "left": 95.0}
        elsewhere(lambda: queue.report(job.owner, job.pk, job.lease, progress, None))
        expect(page.get_by_role("progressbar")).to_have_attribute("value", "40")
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("main")).to_contain_text("stopping at the agent’s next report")
        elsewhere(lambda: queue.finish(job.owner, job.pk, job.lease, "given_back", "It was cancelled.", None))
        expect(page.locator("h1")).to_contain_text("cancelled")
        page.get_by_role("link", name="Queued plans").click()
        expect(page.get_by_role("row")).to_have_count(2)
        assert overflow(page) == 0
