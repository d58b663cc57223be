"""Typical tasks from the first page to the last: in a browser, against a server and an agent in normal operation."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.conftest import NARROW, OpenPage
from tests.browser.support.launching import WIDE
from tests.browser.test_import import LINE, THROUGHPUT
from tests.support.comparing.comparisons import SPREAD, campaign, grid_results, values
from tests.support.documents import artifact, bonnie_document, document, encoded, result
from tests.support.waiting import wait_until
from tests.system.agent import TINY, Agent
from tests.system.server import Server, running

pytestmark = pytest.mark.needs("chromium", package="chromium-headless-shell")
Meanwhile = Callable[[], None]
PASSWORD = "neither short nor common"
MAKE_ADA = f"""
from django.contrib.auth.models import User
User.objects.create_user("ada", password={PASSWORD!r})
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`manage.py up` with its worker, and `ada`, who has a password."""
    base = tmp_path_factory.mktemp("server")
    with running(base / "var", BENCHDB_SWEEP_SECONDS="1", BENCHDB_REPORT_SECONDS="1") as server:
        server.manage("shell", "-c", MAKE_ADA)
        yield server


def sign_in(page: Page, server: Server) -> None:
    """Sign in from the first page on, as a person does."""
    page.goto(server.url)
    page.get_by_role("link", name="Sign in").first.click()
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Sign in")


def go_to(page: Page, name: str) -> None:
    """Follow a link of the masthead."""
    page.locator("header").get_by_role("link", name=name, exact=True).click()


def open_account(page: Page) -> None:
    """Follow the link in the menu of the account."""
    page.get_by_role("button", name="ada", exact=True).click()
    go_to(page, "Account")


def test_two_runs_found_by_facets_become_a_shared_surface(
    server: Server, open_page: OpenPage, meanwhile: Meanwhile
) -> None:
    secret = server.manage("token", "ada", "--scope", "upload", "--visibility", "public")
    runs = [_grid("ext4", 1), _grid("xfs", 2), _grid("btrfs", 3), bonnie_document(visibility="public")]
    for run in runs:
        server.upload(run, secret)
    meanwhile()
    for run in runs:
        server.until_ready(run["run_id"])
    with open_page() as page:
        sign_in(page, server)
        meanwhile()
        go_to(page, "Runs")
        for name, value in (("file_system", "ext4"), ("file_system", "xfs"), ("tool", "iozone")):
            page.locator(f"#filters [name={name}][value={value}]").check()
            page.wait_for_url(f"**{name}={value}**")
        page.get_by_label("Choose all runs of this page").check()
        tray = page.get_by_role("form", name="Selected for comparison")
        expect(tray).to_contain_text("2 runs")
        meanwhile()
        tray.get_by_role("button", name="Compare").click()

        expect(page.get_by_role("heading", level=1)).to_contain_text("ext4")
        expect(page.locator("table .verdict").first).to_be_attached()
        # A cell outside the baseline: its surface is shown beside the baseline's, with their ratio.
        page.locator("table[data-details]").get_by_role("row").filter(has=page.locator("td .verdict")).first.locator(
            "td"
        ).first.click(position={"x": 3, "y": 3})
        expect(page).to_have_url(re.compile("cell="))
        page.get_by_role("link", name="Surface", exact=True).first.click()
        expect(page.locator("[data-plot=solid] canvas")).to_have_count(1, timeout=90_000)  # drawn by the processor
        expect(page.locator("[data-plot=map] table.heat")).to_have_count(3)
        meanwhile()
        page.get_by_role("button", name="Share").click()
        page.wait_for_url("**/c/*/")
        address = page.url
    meanwhile()
    with open_page(java_script_enabled=False, viewport=NARROW) as page:
        page.goto(address)
        expect(page.get_by_role("link", name="Sign in").first).to_be_attached()
        expect(page.get_by_role("heading", level=1)).to_contain_text("ext4")
        expect(page.get_by_role("region", name="record size").first).to_contain_text("Input/output error")


def _grid(file_system: str, factor: float) -> dict[str, object]:
    raw = [artifact("iozone.txt", "raw\n")]
    return document(
        file_system=file_system, rounds=4, results=grid_results(4, factor), artifacts=raw, visibility="public"
    )


def test_a_pasted_line_becomes_a_stored_run(server: Server, open_page: OpenPage, meanwhile: Meanwhile) -> None:
    with open_page() as page:
        sign_in(page, server)
        go_to(page, "Import")
        page.get_by_label("or text, pasted").fill(LINE)
        meanwhile()
        page.get_by_role("button", name="Analyze").click()
        meanwhile()
        expect(page.get_by_role("row").filter(has_text="Block write").first).to_contain_text(THROUGHPUT)
        page.get_by_label("machine", exact=True).fill("raid-1")
        page.get_by_label("file system", exact=True).fill("ext4")
        meanwhile()
        page.get_by_role("button", name="Store").click()
        meanwhile()
        page.get_by_role("link", name=re.compile(r"bonnie\+\+ · ext4 · .*raid-1")).click()
        expect(page.locator("[data-state]")).to_have_count(0)  # a worker has computed it
        expect(page.get_by_role("table").first).to_contain_text("163.1")  # MiB/s


@pytest.mark.needs("cc", package="gcc")
def test_a_queued_plan_is_run_by_an_agent_while_one_watches(
    server: Server, open_page: OpenPage, tmp_path: Path, meanwhile: Meanwhile
) -> None:
    agent = Agent(server, tmp_path, "epyc-9")
    agent.once()  # makes the machine known
    with open_page() as page:
        sign_in(page, server)
        go_to(page, "Machines")
        page.get_by_role("link", name="epyc-9").first.click()
        page.get_by_role("link", name="Queue a plan").first.click()
        page.get_by_label("Plan (TOML)").fill(TINY.replace("rounds = 2", "rounds = 80"))
        page.get_by_role("checkbox", name="epyc-9").check()
        meanwhile()
        page.get_by_role("button", name="Queue it").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("waiting")
        with agent.serving():
            expect(page.locator("main")).to_contain_text(re.compile(r"round \d+"), timeout=60_000)
            meanwhile()
            expect(page.get_by_role("heading", level=1)).to_contain_text("finished", timeout=600_000)
        page.get_by_role("link", name="Its campaign").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("finished")
        page.locator("td .state").get_by_role("link").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("fsload")
        expect(page.locator("a[data-cell]").first).to_contain_text(re.compile(r"\d"))


def test_a_token_uploads_until_it_is_revoked(server: Server, open_page: OpenPage, meanwhile: Meanwhile) -> None:
    with open_page() as page:
        sign_in(page, server)
        open_account(page)
        if not page.get_by_label("Purpose").is_visible():
            page.get_by_text("Make a token").click()
        page.get_by_label("Purpose").fill("the agent on epyc-5")
        page.get_by_role("checkbox", name=re.compile("^upload")).check()
        page.get_by_role("button", name="Make token").click()
        secret = page.locator("#secret").inner_text().strip()
        meanwhile()
        server.upload(document(), secret)

        open_account(page)
        expect(page.locator("main")).not_to_contain_text(secret)  # a secret is shown only once
        row = page.get_by_role("row").filter(has_text="the agent on epyc-5")
        expect(row.get_by_role("cell").nth(3).get_by_role("time")).to_be_visible()  # the time of its last use
        row.get_by_role("link", name="Revoke").click()
        meanwhile()
        page.get_by_role("button", name="Revoke").click()
        expect(page.get_by_role("row").filter(has_text="the agent on epyc-5")).to_contain_text("revoked")
        refused = document()
        status, body = server.request(f"api/v1/runs/{refused['run_id']}", "PUT", secret, encoded(refused))
        assert status == 401
        assert b"revoked" in body


@pytest.mark.parametrize("window", [WIDE, NARROW], ids=lambda window: f"{window['width']}px")
def test_which_of_three_file_systems_wins_and_a_share_with_its_preview(
    server: Server, open_page: OpenPage, window: ViewportSize
) -> None:
    secret = server.manage("token", "ada", "--scope", "upload", "--visibility", "public")
    together = campaign()
    for name, mean in (("ext4", 100e6), ("xfs", 120e6), ("btrfs", 101e6)):
        results = [result(values(mean * share), test) for share, test in ((1, "write"), (2, "read"))]
        run = document(file_system=name, rounds=len(SPREAD), results=results, campaign=together)
        server.upload(run, secret)
        server.until_ready(run["run_id"])
    with open_page(viewport=window) as page:
        sign_in(page, server)
        begun = time.monotonic()
        page.goto(server.url)
        answer = page.get_by_role("region", name="Answer")
        expect(answer).to_contain_text("xfs is fastest: 20.0\u00a0% faster than ext4")
        in_first_view(page, answer.locator(".lead").first)
        print(f"{window['width']} px: the answer on the first page: 0 clicks, {time.monotonic() - begun:.1f} s")
        page.get_by_role("link", name="Open the comparison").click()
        expect(answer).to_contain_text("xfs is fastest: 20.0\u00a0% faster than ext4")
        in_first_view(page, answer.locator(".lead").first)
        print(f"{window['width']} px: the table: 1 click, {time.monotonic() - begun:.1f} s")
        page.get_by_role("button", name="Share").click()
        page.wait_for_url("**/c/*/")
        picture = page.locator("meta[property='og:image']").get_attribute("content") or ""
        description = page.locator("meta[property='og:description']").get_attribute("content") or ""
        print(f"{window['width']} px: shared: 2 clicks, {time.monotonic() - begun:.1f} s")
    assert "xfs" in description
    path = picture.removeprefix(server.url)
    wait_until(lambda: server.request(path)[0] == 200, 120, lambda: str(server.request(path)))  # a worker draws it
    assert server.request(path)[1].startswith(b"\x89PNG")


def in_first_view(page: Page, answer: Locator) -> None:
    """Fail unless the answer is in the first 700 px of the page."""
    box = answer.bounding_box()
    assert box is not None
    assert page.evaluate("scrollY") == 0
    assert box["y"] + box["height"] < 700
