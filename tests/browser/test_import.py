"""What workers do while a page waits for it: an import, and large comparisons."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from benchdb.compare.page_parts import kept as parts
from benchdb.ingest.imports import background
from benchdb.ingest.models import Import
from benchdb.runs.models import Run
from benchdb.runs.store.summaries import compute_summaries
from tests.agents.formats.texts import golden
from tests.browser.conftest import NARROW, WIDE, OpenPage, Site
from tests.browser.support.serving import session_of
from tests.browser.test_pages import overflow
from tests.browser.test_plan_pages import elsewhere
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.imports import BONNIE, IOZONE
from tests.support.made import make_all
from tests.support.store import make_user

pytestmark = pytest.mark.needs("chromium", package="chromium-headless-shell")
# A line of bonnie++ 1.03 as printed in the article on the RAID: KiB/s and files per second.
LINE = (
    "ext4obar,8G:32k,49695,96,167028,20,83297,13,79158,97,255534,17,502.1,1,"
    "256,28018,92,423243,99,68956,88,28885,93,406118,100,6053,9"
)
THROUGHPUT = "167\u202f028"


@pytest.fixture
def site(live_server: LiveServer, transactional_db: None) -> Site:
    """An empty server with the form, for `ada`."""
    assert settings.STATICFILES_DIRS, "The front end is not built: frontend/npm ci && frontend/npm run build"
    make_user("ada")
    return Site(live_server.url, {"import": "/import/"})


@pytest.fixture
def cookie(site: Site) -> dict[str, Any]:
    """The session of `ada`."""
    client = Client()
    client.force_login(User.objects.get(username="ada"))
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site.address}


def begin(page: Page, site: Site, cookie: dict[str, Any]) -> None:
    page.context.add_cookies([cookie])
    page.goto(site["import"])


def paste(page: Page) -> None:
    page.get_by_label("or text, pasted").fill(LINE)
    page.get_by_role("button", name="Analyze").click()
    let_read(page)


def let_read(page: Page) -> None:
    """Read the files in place of a worker, while the page shows the progress."""
    expect(page.locator("h1")).to_contain_text("reading")
    elsewhere(lambda: background.read_files(Import.objects.get().pk))
    expect(page.locator("h1")).to_contain_text("ready")


def store(page: Page, **facts: str) -> None:
    for name, value in {"machine": "raid-1", **facts}.items():
        page.locator(f"#{name}").fill(value)
    page.get_by_role("button", name="Store").click()
    expect(page.locator("h1")).to_contain_text("stored")


def test_a_pasted_line_becomes_a_run(site: Site, cookie: dict[str, Any], open_page: OpenPage) -> None:
    with open_page(viewport=NARROW, color_scheme="dark") as page:
        begin(page, site, cookie)
        assert overflow(page) == 0
        paste(page)
        written = page.get_by_role("row").filter(has_text="Block write").first
        expect(written).to_contain_text(f"{THROUGHPUT} KiB/s")  # the digits of the line
        assert overflow(page) == 0

        store(page, file_system="ext4", memory="2 GiB")
        assert overflow(page) == 0
        page.get_by_role("link", name=re.compile(r"bonnie\+\+ · ext4 · .*raid-1")).click()
        expect(page.locator("h1")).to_contain_text("bonnie++")
        expect(page.locator("main")).to_contain_text("2 GiB declared")
        elsewhere(lambda: compute_summaries(Run.objects.get().pk))  # stands in for a worker
        expect(page.get_by_role("table").first).to_contain_text("163.1")  # MiB/s; the page polls for it
        assert overflow(page) == 0


def test_what_is_wrong_is_said_beside_its_field(site: Site, cookie: dict[str, Any], open_page: OpenPage) -> None:
    with open_page(refused=422) as page:
        begin(page, site, cookie)
        paste(page)
        page.get_by_label("memory").fill("much")
        page.get_by_role("button", name="Store").click()
        told = page.get_by_role("alert", name="Why nothing was stored")
        expect(told).to_contain_text("machine: Name the machine")
        expect(told).to_contain_text("memory: Expected a size")
        expect(page.locator("#memory-faults")).to_contain_text("Expected a size")
        expect(page.get_by_label("memory")).to_have_value("much")
        store(page, memory="2 GiB")


def test_two_files_become_runs_to_compare(
    site: Site, cookie: dict[str, Any], open_page: OpenPage, tmp_path: Path
) -> None:
    files = []
    for name, source in (("one.txt", IOZONE), ("two.txt", BONNIE)):
        (tmp_path / name).write_text(golden(source))
        files.append(tmp_path / name)
    with open_page(viewport=WIDE) as page:
        begin(page, site, cookie)
        page.get_by_label("Files, or archives").set_input_files(files)
        page.get_by_role("button", name="Analyze").click()
        let_read(page)
        expect(page.locator("main")).to_contain_text("2 files recognized")
        expect(page.get_by_role("region", name="Results of one.txt")).to_be_visible()
        expect(page.get_by_role("region", name="Results of two.txt")).to_be_visible()
        assert overflow(page) == 0

        store(page)
        expect(page.locator("main")).to_contain_text("2 runs stored")
        expect(page.locator("ul.imports li").filter(has_text="two.txt").get_by_role("link")).to_contain_text("bonnie++")
        page.get_by_role("link", name="Compare them").click()
        expect(page.locator("h1")).to_have_count(1)
        assert overflow(page) == 0


def test_a_dropped_file_is_sent_at_once_and_stored_by_one_click(
    site: Site, cookie: dict[str, Any], open_page: OpenPage
) -> None:
    with open_page() as page:
        begin(page, site, cookie)
        dropped = page.evaluate_handle(
            "text => { const all = new DataTransfer(); all.items.add(new File([text], 'one.txt')); return all; }",
            golden(IOZONE),
        )
        page.dispatch_event("h1", "drop", {"dataTransfer": dropped})
        # Without a click; the second step, after the name of the machine, is the only one.
        let_read(page)
        expect(page.get_by_role("region", name="Results of one.txt")).to_be_visible()
        for field in page.locator(".facts-form input").all():
            assert field.get_attribute("placeholder") is None
        page.locator("#machine").fill("raid-1")
        page.get_by_role("button", name="Store").click()
        expect(page.locator("main")).to_contain_text("1 run stored")


def test_a_large_file_is_sent_and_read_without_a_click(
    site: Site, cookie: dict[str, Any], open_page: OpenPage, tmp_path: Path
) -> None:
    (tmp_path / "large.txt").write_text(golden(BONNIE) + "\n" * 2 * 1024**2)
    with open_page() as page:
        begin(page, site, cookie)
        page.get_by_label("Files, or archives").set_input_files(tmp_path / "large.txt")
        page.get_by_role("button", name="Analyze").click()
        expect(page.locator("h1")).to_contain_text("reading")
        expect(page.get_by_role("status")).to_contain_text("0 of 1 file read")
        let_read(page)


def test_without_scripts_nothing_is_missing(site: Site, cookie: dict[str, Any], open_page: OpenPage) -> None:
    with open_page(java_script_enabled=False) as page:
        begin(page, site, cookie)
        paste(page)
        expect(page.locator("table.recognised")).to_contain_text(THROUGHPUT)
        page.get_by_role("link", name="line 1").first.click()
        expect(page.locator("#L1")).to_contain_text("ext4obar")
        page.go_back()
        store(page, file_system="ext4")
        page.get_by_role("link", name=re.compile(r"bonnie\+\+ · ext4 · .*raid-1")).click()
        expect(page.locator("h1")).to_contain_text("bonnie++")


@pytest.fixture
def address(live_server: LiveServer, transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(parts, "TASK_SECONDS", 0)
    return f"{live_server.url}/compare/?{ids(compared_runs(make_user('ada')))}"


def test_a_large_table_appears_and_its_permalink_too(
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


def test_a_large_table_without_scripts(address: str, open_page: OpenPage) -> None:
    with open_page(java_script_enabled=False) as page:
        page.goto(address)
        expect(page.get_by_role("link", name="Look again")).to_be_visible()
        elsewhere(make_all)
        page.get_by_role("link", name="Look again").click()
        expect(page.locator("#comparison")).to_be_visible()
