"""`/runs/` in a browser: immediate filters, on a phone, and without JavaScript; the tray across several pages."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NARROW, OpenPage, Site
from tests.browser.support.serving import session_of
from tests.browser.test_pages import overflow

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


@pytest.fixture(scope="module")
def cookie(site: Site, django_db_blocker: Any) -> dict[str, Any]:
    """The session of `ada`, stored before the transactions of the tests, which the server does not see."""
    with django_db_blocker.unblock():
        return session_of("ada", site.address)


def test_a_box_filters_at_once_and_runs_of_several_pages_stay_in_the_tray(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["list"])
        page.locator("#filters [name=file_system][value=xfs]").check()
        page.wait_for_url("**/runs/?file_system=xfs")
        expect(page.locator("#filters [name=file_system][value=xfs]")).to_be_focused()
        page.locator("#filters [name=file_system][value=btrfs]").check()
        page.wait_for_url("**/runs/?file_system=*&file_system=*")
        expect(page.locator("[data-choose] tbody tr")).not_to_have_count(0)
        expect(page.locator("[data-choose] tbody")).not_to_contain_text("ext4")
        page.get_by_role("link", name="file system btrfs").click()
        page.wait_for_url("**/runs/?file_system=xfs")
        # All runs of one page by a single box, some of the next page, and all of them after a reload.
        rows = page.locator("[data-choose] tbody tr").count()
        page.get_by_label("Choose all runs of this page").check()
        page.goto(site["list"] + "?file_system=btrfs")
        page.reload()
        expect(page.locator("[data-tray]")).to_contain_text(f"{rows} run")
        page.locator("[data-choose] tbody").get_by_role("checkbox").first.check()
        expect(page.locator("[data-tray]")).to_contain_text(f"{rows + 1} runs")


def test_my_newest_runs_are_one_click_from_the_first_page(
    site: Site, open_page: OpenPage, cookie: dict[str, Any]
) -> None:
    for viewport in (None, NARROW):
        with open_page(viewport=viewport) as page:
            page.context.add_cookies([cookie])
            page.goto(site.address)
            page.get_by_role("button", name="ada", exact=True).click()
            page.get_by_role("link", name="My runs").click()
            expect(page.locator("h1")).to_have_text("Runs · mine")
            expect(page.get_by_role("navigation", name="Owners").get_by_text("Mine")).to_have_attribute(
                "aria-current", "page"
            )
            expect(page.locator("[data-choose] tbody tr").first).to_be_visible()
            assert overflow(page) == 0


def test_filters_and_their_count_stay_in_sight(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["list"])
        page.locator("[data-choose] tbody tr").last.scroll_into_view_if_needed()
        assert page.evaluate("scrollY") > 0
        expect(page.locator("#filters .count")).to_be_in_viewport()
        expect(page.locator("#filters [name=file_system]").first).to_be_in_viewport()


def test_a_comparison_of_the_whole_tray_has_no_tray(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["list"] + "?tool=iozone&file_system=xfs")
        page.get_by_label("Choose all runs of this page").check()
        tray = page.locator("[data-tray]")
        tray.get_by_role("button", name="Compare").click()
        page.wait_for_url("**/compare/**")
        expect(page.locator("table").first).to_be_visible()
        expect(tray).to_be_hidden()
        page.goto(site["run"])
        expect(tray).to_be_visible()


def test_on_a_phone_the_filters_unfold_by_a_link_and_fold_away(site: Site, open_page: OpenPage) -> None:
    with open_page(viewport=NARROW) as page:
        page.goto(site["list"])
        box = page.locator("#filters [name=file_system][value=xfs]")
        expect(box).to_be_hidden()
        page.get_by_role("link", name="Filters").click()
        expect(box).to_be_visible()
        assert overflow(page) == 0
        box.check()
        page.locator("#filters").get_by_role("button", name="Show").click()
        page.wait_for_url("**/runs/?file_system=xfs")
        expect(box).to_be_hidden()
        expect(page.get_by_role("link", name="Filters (1)")).to_be_visible()
        assert overflow(page) == 0


def test_on_a_phone_a_run_has_two_lines_and_on_a_wide_screen_a_row(site: Site, open_page: OpenPage) -> None:
    tall = "(row) => row.getBoundingClientRect().height / parseFloat(getComputedStyle(row).fontSize)"
    for viewport, displayed in ((NARROW, "flex"), (None, "table-row")):
        with open_page(viewport=viewport) as page:
            page.goto(site["list"])
            row = page.locator("table.entries tbody tr").first
            expect(row).to_have_css("display", displayed)
            assert row.evaluate(tall) < 5
            expect(row.get_by_role("link")).to_be_visible()
            expect(page.get_by_role("columnheader", name="Rounds")).to_be_visible(visible=viewport is None)


def test_without_javascript_filters_columns_and_orders_work_on_a_phone(site: Site, open_page: OpenPage) -> None:
    with open_page(java_script_enabled=False, viewport=NARROW) as page:
        page.goto(site["list"] + "#filters")
        page.locator("#filters [name=file_system][value=xfs]").check()
        page.locator("#filters").get_by_role("button", name="Show").click()
        page.wait_for_url("**/runs/?file_system=xfs")
        page.get_by_role("button", name="Columns").click()
        page.get_by_role("group", name="Columns").get_by_label("Memory").check()
        page.get_by_role("group", name="Columns").get_by_role("button", name="Show").click()
        page.get_by_label("order").select_option("memory")
        page.locator(".list-head").get_by_role("button", name="Search").click()
        page.wait_for_url("**sort=memory**")
        expect(page.get_by_label("order")).to_have_value("memory")
        expect(page.locator("td[data-label=Memory]").first).to_be_visible()
        expect(page.get_by_role("button", name="Compare the chosen runs")).to_be_visible()
