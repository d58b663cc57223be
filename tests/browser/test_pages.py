"""The pages in a browser: with scripts and without, wide and on a phone, light and dark."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from benchdb.runs.models import RunState, State
from tests.browser.conftest import NARROW, WIDE, OpenPage, Site
from tests.browser.walls import reached

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


def test_every_page_loads_wide_and_narrow_light_and_dark(site: Site, open_page: OpenPage) -> None:
    assert site.paths
    for options in ({"color_scheme": "light"}, {"viewport": NARROW, "color_scheme": "dark"}):
        with open_page(**options) as page:
            for name in site.paths:
                page.goto(site[name])
                expect(page.locator("h1")).to_have_count(1)
                assert overflow(page) == 0, name


def test_every_page_is_complete_without_scripts(site: Site, open_page: OpenPage) -> None:
    with open_page(java_script_enabled=False, viewport=NARROW) as page:
        for name in site.paths:
            page.goto(site[name])
            expect(page.locator("h1")).to_have_count(1)
            for only_with_scripts in page.locator(".with-js").all():
                expect(only_with_scripts).to_be_hidden()
        page.goto(site["surface"])
        expect(page.get_by_role("region", name="Read: record size").get_by_role("row")).to_have_count(12)
        page.goto(site["comparison"])
        page.get_by_label("unit").select_option("KiB/s")
        page.get_by_role("button", name="Show").last.click()
        expect(page.locator("#comparison")).to_contain_text("KiB/s, more is better")
        page.goto(f"{site['list']}?q=epyc-2&tool=iozone")
        for file_system in ("btrfs", "xfs", "ext4"):
            page.get_by_role("checkbox", name=f"Choose iozone on {file_system}").first.check()
        page.get_by_role("button", name="Compare the chosen runs").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("ext4, btrfs, xfs on epyc-2")


def test_a_number_answers_when_it_is_asked(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["comparison"])
        number = page.locator("#comparison a[data-cell]").nth(1)
        panel = page.locator("aside.panel")
        number.hover()
        expect(panel).to_contain_text("95 % interval")
        expect(panel.locator("circle")).to_have_count(6)
        page.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        number.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        expect(panel).to_be_visible()
        panel.get_by_role("link", name="round 1").click()
        expect(page.locator("li:target")).to_have_attribute("id", "L1")


def test_a_tap_opens_the_panel_and_a_second_one_the_result(site: Site, open_page: OpenPage) -> None:
    with open_page(viewport=NARROW, has_touch=True) as page:
        page.goto(site["run"])
        number = page.locator("[id^=results-throughput] a[data-cell]").first
        number.tap()
        expect(page.locator("aside.panel")).to_contain_text("KiB/s =")
        assert overflow(page) == 0
        number.tap()
        expect(page.get_by_role("heading", level=2)).to_contain_text("Write, 64 MiB file, 64 KiB records")
        page.goto(f"{site['run']}#rounds")
        expect(page.get_by_role("region", name="Rounds")).to_be_visible()  # opened by its address


def test_menus_change_the_table_at_once(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["comparison"])
        page.get_by_label("against").select_option("xfs")
        page.wait_for_url("**baseline=xfs**")
        expect(page.locator("#comparison")).to_contain_text("16.7 % slower")
        page.get_by_text("Change table").click()
        tests = page.locator(".field:has(input[name=test])")
        tests.get_by_text("both").click()
        tests.get_by_role("checkbox", name="Write").uncheck()
        tests.get_by_role("button", name="Show").click()
        page.wait_for_url("**test=read**")
        expect(page.locator("#comparison .heads-over th")).to_have_text(["Read"])


def test_chosen_runs_stay_in_the_tray(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(f"{site['list']}?q=epyc-2&tool=iozone")
        tray = page.locator("[data-tray]")
        expect(tray).to_be_hidden()
        for file_system in ("btrfs", "xfs"):
            page.get_by_role("checkbox", name=f"Choose iozone on {file_system}").first.check()
        page.goto(site["run"])
        page.get_by_role("button", name="Add to comparison").click()
        expect(tray).to_contain_text("3 runs")
        tray.get_by_role("button", name="Take iozone on ext4 out").click()
        tray.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("btrfs, xfs on epyc-2")


def test_the_surface_is_drawn_and_its_slice_chosen(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["surface"])
        expect(page.locator("[data-plot=solid] canvas").first).to_be_visible()
        expect(page.locator("[data-plot=map] td.in-slice")).to_have_count(11)
        page.get_by_label("Slice at records of").select_option("65536")
        expect(page.locator("[data-plot=slice] .point")).to_have_count(11)


def test_the_wheel_scrolls_the_page_and_zooms_with_ctrl_only(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["surface"])
        solid = page.locator("[data-plot=solid]").first
        expect(solid.locator("canvas").first).to_be_visible()
        expect(page.locator("[data-plot=slice] .point").first).to_be_visible()
        expect(page.locator(".modebar-btn")).to_have_count(0)
        eye = page.evaluate(EYES)
        solid.hover()
        page.mouse.wheel(0, 120)
        page.wait_for_function("scrollY > 0")
        assert page.evaluate(EYES) == eye
        solid.scroll_into_view_if_needed()
        solid.hover()
        scrolled = page.evaluate("scrollY")
        page.keyboard.down("Control")
        page.mouse.wheel(0, 120)
        page.wait_for_function(f"before => ({EYES})()[0] !== before[0]", arg=eye)
        page.keyboard.up("Control")
        assert page.evaluate("scrollY") == scrolled


def test_a_second_run_is_added_on_the_page(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["two surfaces"])
        page.get_by_label("second run").select_option("")
        expect(page.locator("figure.map")).to_have_count(1)
        page.get_by_label("second run").select_option(index=1)
        page.wait_for_url("**run=**run=**")
        expect(page.locator("figure.map")).to_have_count(3)


def test_a_place_of_a_fine_heat_map_is_chosen_by_a_click(site: Site, open_page: OpenPage) -> None:
    """The heat map of 46 by 46 sizes is a drawing; the pointer's position determines the cell."""
    with open_page() as page:
        page.goto(site["fine surface"])
        expect(page.locator("[data-plot=slice] .point").first).to_be_visible()
        cells = page.locator("svg.cells")
        size = cells.bounding_box() or pytest.fail("the heat map is not shown")
        column, from_above = 10.5, 3.5  # the eleventh record size, the fourth file size from above
        at = {"x": size["width"] * column / 46, "y": size["height"] * from_above / 46}
        cells.click(position=at)
        readout = page.locator("[data-readout]")
        expect(readout).to_have_text("2.69 MiB file, 44 KiB records. 492 MiB/s")
        expect(page.get_by_label("Slice at records of")).to_have_value(str(44 * 1024))
        framed = page.locator("svg.cells rect.chosen").bounding_box() or pytest.fail("no cell is framed")
        assert abs(framed["x"] + framed["width"] / 2 - (size["x"] + at["x"])) < 4
        assert abs(framed["y"] + framed["height"] / 2 - (size["y"] + at["y"])) < 4
        page.locator("[data-plot=map]").focus()
        page.keyboard.press("ArrowUp")
        expect(readout).to_have_text("2.75 MiB file, 44 KiB records. 498 MiB/s")


# The numbers of pixels of a surface in the colours of the low and the high end of its scale, dark blue and yellow.
ENDS = """() => {
  const { glplot } = document.querySelector("[data-plot=solid]")._fullLayout.scene._scene;
  const { gl } = glplot, pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
  glplot.redraw();
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const ends = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const [red, green, blue] = pixels.subarray(at, at + 3);
    if (red < 30 && green < 60 && blue > 60 && blue < 120) ends[0]++;
    if (red > 190 && green > 160 && blue < 110) ends[1]++;
  }
  return ends;
}"""


def test_a_surface_has_the_colours_of_its_scale(site: Site, open_page: OpenPage) -> None:
    for options in ({"color_scheme": "light"}, {"color_scheme": "dark"}):
        with open_page(**options) as page:
            page.goto(site["fine surface"])
            expect(page.locator("[data-plot=slice] .point").first).to_be_visible()
            low, high = page.evaluate(ENDS)
            assert low > 100
            assert high > 100


# The position of each surface's camera.
EYES = """() => [...document.querySelectorAll("[data-plot=solid]")].map((plot) => {
  const { x, y, z } = plot._fullLayout.scene._scene.getCamera().eye;
  return [x, y, z].map((each) => each.toFixed(3)).join();
})"""
TOP = """() => Math.max(...document.querySelector("[data-plot=solid]").data[0].z)"""  # the highest figure
NO_WEBGL = """const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more);
};"""


def test_a_menu_chooses_the_surface_of_two_and_keys_a_place(site: Site, open_page: OpenPage) -> None:
    with open_page(color_scheme="dark") as page:
        page.goto(site["two surfaces"])
        solid, maps = page.locator("[data-plot=solid]"), page.locator("[data-plot=map]")
        expect(solid.locator("canvas").first).to_be_visible()
        for panel in range(3):
            expect(maps.nth(panel).locator("td.chosen")).to_have_count(1)
        expect(maps.nth(2).locator("td.b").first).to_be_visible()
        before, low = page.evaluate(EYES), page.evaluate(TOP)
        solid.focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(f"before => ({EYES})()[0] !== before[0]", arg=before)
        page.get_by_label("Surface of", exact=True).select_option("xfs")
        page.wait_for_function(f"low => ({TOP})() > 1.5 * low", arg=low)
        readout = page.locator("[data-readout]")
        maps.nth(0).focus()
        page.keyboard.press("ArrowDown")
        expect(readout).to_contain_text("256 KiB file, 64 KiB records. ext4: failed: Input/output error.")
        page.keyboard.press("ArrowLeft")
        expect(readout).to_contain_text("Ratio: Better: 2.00× faster")


def test_without_webgl_the_heat_maps_stand_alone(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.add_init_script(NO_WEBGL)
        page.goto(site["two surfaces"])
        expect(page.locator("[data-plot=map] td.chosen").first).to_be_visible()
        for solid in page.locator(".solid").all():
            expect(solid).to_be_hidden()


def test_a_page_that_waits_loads_anew_when_the_run_is_ready(site: Site, open_page: OpenPage) -> None:
    run_id = site.paths["run"].split("/")[2]

    def become(state: State) -> None:
        """Run in a thread: Playwright's event loop runs in this one, and Django refuses to block it."""
        RunState.objects.filter(pk=run_id).update(state=state)
        connection.close()

    with ThreadPoolExecutor(1) as elsewhere, open_page() as page:
        elsewhere.submit(become, State.COMPUTING).result()
        page.goto(site["run"])
        expect(page.get_by_label("State of this run")).to_be_visible()
        elsewhere.submit(become, State.READY).result()
        expect(page.get_by_label("State of this run")).to_have_count(0)
        expect(page.locator("h1 .state")).to_have_count(0)


@pytest.mark.parametrize(("name", "window"), [("comparison", WIDE), ("run", NARROW)])
def test_tab_goes_through_the_page_in_its_order(
    site: Site, open_page: OpenPage, name: str, window: dict[str, int]
) -> None:
    with open_page(viewport=window) as page:
        page.goto(site[name])
        stops = reached(page, 40)
        assert len(stops) >= 15
        assert stops == list(map(str, range(len(stops))))


def test_the_search_suggests_pages_while_one_types(site: Site, open_page: OpenPage) -> None:
    with open_page(viewport=NARROW) as page:
        page.goto(site["list"])
        box, options = page.get_by_role("combobox", name="Search"), page.locator("#suggestions > *")
        with page.expect_request("**/search/suggest/**") as asked:
            box.press_sequentially("xfs", delay=20)
        assert asked.value.url.endswith("?q=xfs")  # one request, after the last key
        expect(box).to_have_attribute("aria-expanded", "true")
        assert overflow(page) == 0
        box.press("Escape")
        expect(options).to_have_count(0)
        box.press_sequentially("?")  # nothing has this word
        expect(box).to_have_value("xfs?")
        box.press("Backspace")
        expect(options.first).to_be_visible()
        box.press("ArrowUp")
        expect(options.last).to_have_attribute("aria-selected", "true")
        box.press("ArrowDown")
        box.press("ArrowDown")
        expect(options.first).to_have_attribute("aria-selected", "true")
        box.press("Enter")
        page.wait_for_url("**/file-systems/xfs/")
