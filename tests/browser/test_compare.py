"""A comparison in a browser: a cell chosen in every view, and a table pasted elsewhere."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import NARROW, WIDE, OpenPage, Site

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


def test_a_chosen_cell_shows_in_every_view_and_in_the_address(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["comparison"] + "&show=ratios")
        mark = page.locator("#ratios + .chart [data-cell=c0-1-0]")
        mark.click()
        expect(page).to_have_url(re.compile(r"&cell=0-1-0$"))
        expect(mark).to_have_class(re.compile("chosen"))
        expect(page.locator("#c0-1-0")).to_have_class(re.compile("chosen"))
        expect(page.locator("[data-chosen]")).to_contain_text("xfs · Write")
        page.locator("#c0-2-1").click(position={"x": 3, "y": 3})
        expect(page.get_by_role("link", name="Figures")).to_have_attribute("href", re.compile("cell=0-2-1"))
        expect(mark).not_to_have_class(re.compile("chosen"))
        expect(page.locator("#c0-2-1")).to_have_class(re.compile("chosen"))
        page.reload()
        expect(page.locator("#c0-2-1")).to_have_class(re.compile("chosen"))
        page.get_by_role("link", name="Trend").click()
        expect(page).to_have_url(re.compile(r"/trend/\?run=.*test=read"))


@pytest.mark.parametrize("scripts", [True, False])
def test_one_value_is_chosen_with_a_button_beside_it(site: Site, open_page: OpenPage, *, scripts: bool) -> None:
    with open_page(java_script_enabled=scripts) as page:
        page.goto(site["comparison"])
        page.get_by_text("Change table").click()
        tests = page.locator(".field:has(input[name=test])")
        tests.get_by_text("both").click()
        tests.get_by_role("button", name="only Read").click()
        expect(page).to_have_url(re.compile("test=read"))
        expect(page.locator("#comparison .heads-over th")).to_have_text(["Read"])


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("text", ["Export", "all 3"])
def test_a_menu_over_the_page_closes_with_escape_and_a_click_elsewhere(
    site: Site, open_page: OpenPage, text: str, *, scripts: bool
) -> None:
    with open_page(java_script_enabled=scripts) as page:
        page.goto(site["comparison"])
        page.get_by_text("Change table").click()
        button = page.get_by_role("button", name=text)
        menu = page.locator(f"#{button.get_attribute('popovertarget')}")
        expect(menu).to_be_hidden()
        for close in (lambda: page.keyboard.press("Escape"), page.locator("h1").click, button.click):
            button.click()
            expect(menu).to_be_visible()
            below, menu_box = button.bounding_box(), menu.bounding_box()
            assert below
            assert menu_box
            assert 0 <= menu_box["y"] - below["y"] - below["height"] < 10
            close()
            expect(menu).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_heads_sort_the_rows_and_menus_keep_the_order(site: Site, open_page: OpenPage, *, scripts: bool) -> None:
    with open_page(java_script_enabled=scripts) as page:
        page.goto(site["comparison"])
        rows = page.locator("#comparison tr:not(.group) > th")
        head = page.locator("#comparison th", has=page.get_by_role("button", name="Write", exact=True)).first
        expect(rows.first).to_contain_text("xfs")  # the order of the ranking
        for order, sort, first in (("descending", "sort=Write", "xfs"), ("ascending", "sort=-Write", "ext4")):
            head.get_by_role("button").click()
            expect(page).to_have_url(re.compile(sort))
            expect(head).to_have_attribute("aria-sort", order)
            expect(rows.first).to_contain_text(first)
        page.get_by_text("Change table").click()
        page.get_by_label("statistic").select_option("median")
        if not scripts:
            page.get_by_role("button", name="Show", exact=True).click()
        expect(page).to_have_url(re.compile("sort=-Write.*statistic=median"))
        head.get_by_role("button").click()
        expect(page).not_to_have_url(re.compile("sort="))
        expect(head).not_to_have_attribute("aria-sort", re.compile(""))


def test_a_menu_that_removes_the_sorted_column_ends_the_sort(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(f"{site['comparison']}&sort=Write")
        page.get_by_text("Change table").click()
        tests = page.locator(".field:has(input[name=test])")
        tests.get_by_text("both").click()
        tests.get_by_role("button", name="only Read").click()
        expect(page).to_have_url(re.compile("test=read"))
        expect(page.get_by_role("button", name="Read", exact=True).first).to_be_visible()


def test_enter_in_a_box_shows_all_ticked_values(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["comparison"])
        page.get_by_text("Change table").click()
        systems = page.locator(".field:has(input[name=file_system])")
        systems.get_by_text("all 3").click()
        systems.get_by_role("checkbox", name="ext4").uncheck()
        systems.get_by_role("checkbox", name="xfs").press("Enter")
        expect(page).to_have_url(re.compile("file_system=xfs&file_system=btrfs"))


def test_a_keyboard_skips_to_the_table_and_crosses_it_with_arrow_keys(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["comparison"])
        page.get_by_role("link", name="Skip to content").press("Enter")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the table")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        expect(page.locator("#c0-1-0 a.mean")).to_be_focused()  # of the best row
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#c1-2-0 a.mean")).to_be_focused()
        expect(page.locator("aside.panel")).to_contain_text("95 % interval")
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        expect(page.locator("#comparison :focus")).to_have_count(0)


def test_without_scripts_a_mark_leads_to_its_cell_and_a_link_opens_the_chart_of_figures(
    site: Site, open_page: OpenPage
) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site["comparison"])
        page.get_by_role("link", name="Ratios").click()
        page.locator("#ratios + .chart [data-cell=c0-1-0]").click()
        expect(page).to_have_url(re.compile("#c0-1-0$"))
        line = "element => getComputedStyle(element).boxShadow"
        assert page.locator("#c0-1-0").evaluate(line) != page.locator("#c0-2-0").evaluate(line) == "none"
        page.get_by_role("link", name="Figures").click()
        expect(page.locator("#figures + .chart .panels")).to_be_visible()


def test_a_mark_of_a_chart_answers_a_pointer(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["comparison"] + "&show=ratios")
        page.locator("#ratios + .chart [data-cell=c0-1-0]").hover()
        expect(page.locator("aside.panel")).to_contain_text("95 % interval")


def test_a_table_is_pasted_into_cells_with_numbers_as_numbers(site: Site, open_page: OpenPage) -> None:
    read = "navigator.clipboard.read().then(([item]) => item.getType('text/{}')).then((blob) => blob.text())"
    with open_page(permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(site["comparison"])
        page.get_by_role("button", name="Export").click()
        page.get_by_role("button", name="Copy the table").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        rows = [line.split("\t") for line in page.evaluate(read.format("plain")).splitlines()]
        assert rows[0][:4] == [
            "File system (n = 6 rounds, MiB/s, more is better)",
            "Write, 64 KiB",
            "sd",
            "against the baseline",
        ]
        assert rows[1][:4] == ["xfs", "120.00", "0.53", "20.0 % faster"]
        assert rows[3][:4] == ["ext4 (baseline)", "100.00", "0.44", ""]
        assert len({len(row) for row in rows}) == 1
        assert "<td>120.00</td><td>0.53</td><td>20.0 % faster</td>" in page.evaluate(read.format("html"))
        # Select a part of the table, as a reader does.
        page.evaluate(
            "getSelection().setBaseAndExtent(document.querySelector('#c0-1-0').closest('tr').firstElementChild, 0,"
            " document.querySelector('#c0-1-0'), 1)"
        )
        page.keyboard.press("Control+c")
        assert page.evaluate(read.format("plain")) == "xfs\t120.00\t0.53\t20.0 % faster"


def test_a_surface_whose_figures_do_not_come_says_so(site: Site, browser: Browser) -> None:
    page = browser.new_page()
    page.route(re.compile("/plotly"), lambda route: route.abort())
    page.goto(site["surface"])
    expect(page.locator("[data-plot=solid]").first).to_contain_text("could not be loaded")
    expect(page.locator("#surface-table td").first).to_be_visible()
    page.close()


def test_the_answer_is_on_the_first_screen(site: Site, open_page: OpenPage) -> None:
    for window in (WIDE, NARROW):
        with open_page(viewport=window) as page:
            page.goto(site["comparison"])
            answer = page.get_by_role("region", name="Answer")
            for part in (answer.locator(".lead"), answer.locator(".ranking tbody tr").last):
                box = part.bounding_box()
                assert box is not None
                assert box["y"] + box["height"] < 700


def test_the_parts_of_a_table_are_beside_each_other_and_rounds_are_shown_on_demand(
    site: Site, open_page: OpenPage
) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(site["comparison"])
        table = page.locator("#comparison")
        box = table.bounding_box()
        assert box is not None
        assert box["y"] < 650
        assert table.evaluate("element => element.parentElement.scrollWidth <= element.parentElement.clientWidth")
        expect(table.locator("svg:not(.key)")).to_have_count(0)
        page.get_by_role("link", name="Show rounds").click()
        expect(page).to_have_url(re.compile("show=rounds"))
        expect(table.locator("svg:not(.key)").first).to_be_visible()
