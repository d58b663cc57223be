"""Pictures of every page for review: `make screenshots OUT=folder ONLY=word`. Not collected as a test."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.browser.pages import CASES, Case
from tests.browser.support.launching import NARROW, WIDE
from tests.browser.support.visits import Filled, settled, visit

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("window", [WIDE, NARROW], ids=lambda window: f"{window['width']}px")
def test_a_look(window: ViewportSize, case: Case, filled: Filled, browser: Browser) -> None:
    folder = Path(os.environ["BENCHDB_SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    page = visit(browser, filled, case, viewport=window).page
    for light in ("light", "dark"):
        page.emulate_media(color_scheme=light)
        settled(page, case)
        page.wait_for_load_state("networkidle")
        name = re.sub(r"\W+", "-", f"{case.name} {window['width']} {light}")
        page.screenshot(path=folder / f"{name}.png", full_page=True)
    page.context.close()
