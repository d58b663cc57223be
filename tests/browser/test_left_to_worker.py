"""A page that a worker makes appears by itself, with scripts and without; sharing it ends at the permalink."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from benchdb.compare.page_parts import kept as parts
from tests.browser.conftest import OpenPage
from tests.browser.support.serving import session_of
from tests.browser.test_plan_pages import elsewhere
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.made import make_all
from tests.support.store import make_user

pytestmark = pytest.mark.needs("chromium", package="chromium-headless-shell")


@pytest.fixture
def address(live_server: LiveServer, transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(parts, "TASK_SECONDS", 0)
    return f"{live_server.url}/compare/?{ids(compared_runs(make_user('ada')))}"


def test_it_appears_and_its_panels_and_permalink_too(
    live_server: LiveServer, address: str, open_page: OpenPage
) -> None:
    with open_page() as page:
        page.context.add_cookies([session_of("ada", live_server.url)])
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_text("One moment")
        elsewhere(make_all)
        expect(page.locator("#comparison")).to_be_visible()
        page.get_by_role("button", name="Share").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("One moment")
        elsewhere(make_all)
        page.wait_for_url("**/c/*/**")


def test_without_scripts_it_loads_itself(address: str, open_page: OpenPage) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(address)
        expect(page.get_by_role("link", name="Look again")).to_be_visible()
        elsewhere(make_all)
        page.get_by_role("link", name="Look again").click()
        expect(page.locator("#comparison")).to_be_visible()
