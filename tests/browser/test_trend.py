"""Charts over time in a browser: trends, and the inside of a round; the same without scripts."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NARROW, OpenPage, Site

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


def test_runs_levels_and_what_changed_are_drawn(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["trend"])
        plot = page.get_by_role("figure", name="Write over time on epyc-7")
        expect(plot.locator("circle")).to_have_count(16)
        expect(plot.locator(".level")).to_have_count(2)
        expect(plot.locator(".event")).to_have_count(1)
        expect(plot.locator("text", has_text="▼ 12")).to_be_visible()
        plot.locator("circle").nth(3).hover()
        expect(page.locator("aside.panel")).to_contain_text("Write, 23 Nov 2026")
        page.get_by_role("link", name="Throughput of write: 12").click()
        expect(page.locator("#trend tr:target")).to_contain_text("6.1.0-31")
        page.get_by_label("over", exact=True).select_option("kernel")
        page.wait_for_url("**by=kernel**")
        expect(page.locator(".tick text")).to_have_text(["6.1.0-30-amd64", "6.1.0-31-amd64"])
        expect(page.get_by_role("heading", level=1)).to_contain_text("Write over kernels on epyc-7")


def test_without_scripts_it_is_all_there(site: Site, open_page: OpenPage) -> None:
    with open_page(java_script_enabled=False, viewport=NARROW) as page:
        page.goto(site["trend"])
        expect(page.locator("figure.trend circle")).to_have_count(16)
        expect(page.locator("#trend tbody tr")).to_have_count(18)
        expect(page.locator("#trend .event")).to_contain_text("changed here: kernel 6.1.0-30-amd64 → 6.1.0-31-amd64")
        page.get_by_label("test", exact=True).select_option("random_write")
        page.get_by_role("button", name="Show").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Random write over time")


def test_the_link_of_a_test_chooses_its_span(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["inside"])
        page.get_by_role("link", name="Read").click()
        expect(page.get_by_role("spinbutton", name="From")).to_have_value("18.4")
        page.get_by_role("link", name="Whole round").click()
        expect(page.get_by_role("spinbutton", name="From")).to_have_value("0")


def test_the_span_is_chosen_without_scripts(site: Site, open_page: OpenPage) -> None:
    with open_page(java_script_enabled=False, viewport=NARROW) as page:
        page.goto(site["inside"] + "?round=1")
        page.get_by_role("spinbutton", name="to").fill("10")
        page.get_by_role("button", name="Show means").click()
        expect(page.locator("#span")).to_contain_text("means over 10 s from 0 s")
