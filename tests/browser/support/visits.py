"""Checks of one page: with scripts in light, dark and both widths, and without scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import walls
from tests.browser.pages import Case
from tests.browser.support.launching import NARROW, WIDE


@dataclass(frozen=True)
class Filled:
    """The server's address, the ids of stored objects by name, and the sessions of its readers."""

    address: str
    stored: dict[str, str]
    sessions: dict[str, dict[str, Any]]

    def of(self, case: Case) -> str:
        return self.address + case.path.format(**self.stored)


def visit(browser: Browser, filled: Filled, case: Case, **options: Any) -> walls.Loaded:
    """The page, loaded by a browser with an empty cache."""
    # Without transitions, because checks concern the final state of a page.
    context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **options})
    if case.reader:
        context.add_cookies([filled.sessions[case.reader]])
    loaded = walls.Loaded(context.new_page(), filled.address, case.status)
    answer = loaded.page.goto(filled.of(case))
    assert answer is not None
    assert answer.status == case.status
    return loaded


def settled(page: Page, case: Case) -> None:
    """Return once the scripts have drawn the chart, if there is one."""
    if case.chart:
        expect(page.locator("[data-plot] .main-svg").first).to_be_visible()


def say(faults: dict[str, list[str]]) -> None:
    """Fail with a line for each fault, if there is one."""
    if lines := [f"{under}: {fault}" for under, of_check in faults.items() for fault in of_check]:
        pytest.fail("\n".join(lines), pytrace=False)


def keeps_to_the_walls(case: Case, filled: Filled, browser: Browser) -> None:
    """Fail with every fault of the page: light and dark, wide and at 360 px."""
    loaded = visit(browser, filled, case)
    page = loaded.page
    settled(page, case)
    faults = {"budget": walls.over_budget(loaded, case.chart), "wide, light": walls.violations(page)}
    faults["keyboard"] = [*walls.keyboard_faults(page), *walls.order_faults(page)]
    page.emulate_media(color_scheme="dark")
    faults["wide, dark"] = walls.violations(page, walls.COLOURS)
    page.set_viewport_size(NARROW)
    faults["360 px"] = [*walls.overflowing(page), *walls.violations(page, walls.NO_COLOURS)]
    faults["360 px, keyboard"] = walls.order_faults(page)
    expect(page.locator("h1")).to_have_count(1)
    faults["loading"] = loaded.faults(filled.of(case))
    page.context.close()
    say(faults)


def is_complete_without_scripts(case: Case, filled: Filled, browser: Browser) -> None:
    """Fail with every element that is visible on a phone without scripts but does nothing there."""
    loaded = visit(browser, filled, case, java_script_enabled=False, viewport=NARROW)
    page = loaded.page
    expect(page.locator("h1")).to_have_count(1)
    faults = {"without scripts": walls.dead_without_scripts(page), "360 px": walls.overflowing(page)}
    faults["loading"] = loaded.faults(filled.of(case))
    page.context.close()
    say(faults)
