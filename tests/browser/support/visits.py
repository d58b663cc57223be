"""Checks of one page: with scripts in light, dark and both widths, and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Response, expect

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


class Windows:
    """One window for each reader, who visits page after page in it: new ones cost a third of a page's checks.

    A page finds it as new: without cache, storage, or other cookies than the session's, wide and light.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.good_texts: set[str] = set()  # on the pages so far, see `walls.contrast_faults`
        self._open: dict[str, tuple[Page, CDPSession]] = {}

    @contextmanager
    def visit(self, case: Case, filled: Filled) -> Iterator[Visit]:
        """The page, loaded by its reader. After an error the reader's next page has a new window."""
        page, devtools = self._open.pop(case.reader, None) or self._new()
        try:
            self._clear(page, devtools, filled, case.reader)
            loaded = walls.Loaded(page, filled.address, case.status)
            answer = page.goto(filled.of(case))
            assert answer is not None
            assert answer.status == case.status
            yield Visit(loaded, answer, devtools)
            loaded.end()
            devtools.send("Emulation.setScriptExecutionDisabled", {"value": False})
        except BaseException:
            page.context.close()
            raise
        self._open[case.reader] = page, devtools

    def close(self) -> None:
        """Close all windows."""
        for page, _ in self._open.values():
            page.context.close()

    def _new(self) -> tuple[Page, CDPSession]:
        context = self._browser.new_context(reduced_motion="reduce")
        page = context.new_page()
        return page, context.new_cdp_session(page)

    def _clear(self, page: Page, devtools: CDPSession, filled: Filled, reader: str) -> None:
        devtools.send("Network.clearBrowserCache")
        devtools.send("Storage.clearDataForOrigin", {"origin": filled.address, "storageTypes": "all"})
        page.context.clear_cookies()
        if reader:
            page.context.add_cookies([filled.sessions[reader]])
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(WIDE)


@dataclass(frozen=True)
class Visit:
    """A loaded page: what was recorded, the server's answer, and the developer tools of the window."""

    loaded: walls.Loaded
    answer: Response
    devtools: CDPSession

    def without_scripts(self) -> Page:
        """The same window, with the server's HTML as it is where scripts do not run."""
        html = self.answer.text()
        self.devtools.send("Emulation.setScriptExecutionDisabled", {"value": True})
        self.loaded.page.set_content(html)
        return self.loaded.page


def settled(page: Page, case: Case) -> None:
    """Return once the scripts have drawn the chart, if there is one."""
    if case.chart:
        expect(page.locator("[data-plot] .main-svg").first).to_be_visible()


def say(faults: dict[str, list[str]]) -> None:
    """Fail with a line for each fault, if there is one."""
    if lines := [f"{under}: {fault}" for under, of_check in faults.items() for fault in of_check]:
        pytest.fail("\n".join(lines), pytrace=False)


def keeps_to_the_walls(case: Case, filled: Filled, windows: Windows) -> None:
    """Fail with every fault of the page: light and dark, wide and at 360 px, with scripts and without."""
    with windows.visit(case, filled) as visit:
        loaded, page = visit.loaded, visit.loaded.page
        settled(page, case)
        faults = {"budget": walls.over_budget(loaded, case.chart), "wide, light": walls.violations(page)}
        faults["keyboard"] = [*walls.keyboard_faults(page), *walls.order_faults(page)]
        page.emulate_media(color_scheme="dark")
        faults["wide, dark"] = walls.contrast_faults(page, windows.good_texts)
        page.set_viewport_size(NARROW)
        faults["360 px"] = [*walls.overflowing(page), *walls.violations(page, walls.NO_COLOURS)]
        faults["360 px, keyboard"] = walls.order_faults(page)
        expect(page.locator("h1")).to_have_count(1)
        visit.without_scripts()
        faults["without scripts"] = [*walls.dead_without_scripts(page), *walls.overflowing(page)]
        expect(page.locator("h1")).to_have_count(1)
        faults["loading"] = loaded.faults(filled.of(case))
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


def has_contrast_in_the_dark(case: Case, filled: Filled, browser: Browser) -> None:
    """Fail with every text of a dark page that is hard to read, without knowledge of other pages."""
    loaded = visit(browser, filled, case, color_scheme="dark")
    settled(loaded.page, case)
    faults = {"dark": walls.violations(loaded.page, walls.COLOURS)}
    loaded.page.context.close()
    say(faults)
