"""Runs chosen in the list and compared: the first table keeps apart what differs, without any further choice."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, Site
from tests.browser.support.serving import serving
from tests.compare.table.test_default_rows import machine, measured, of_tool, on_raid, workload
from tests.support.comparing.comparisons import values
from tests.support.documents import KIB, MIB, result
from tests.support.store import make_user

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]

HOSTS = (("nas", "1"), ("laptop", "2"), ("desktop", "3"))


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[Site]:
    """Lists with the runs of each situation, which share a label."""
    with serving(django_db_blocker, _stored) as (address, paths):
        yield Site(address, paths)


def _stored() -> dict[str, str]:
    ada, bob = make_user("ada"), make_user("bob")
    for sync, mean in (("none", 1e9), ("dsync", 4e7)):
        measured(ada, mean, workload=workload(sync=sync), labels={"case": "dsync"})
    for power in range(4, 10):
        measured(ada, 1e8 + 1e6 * power, target=on_raid(KIB << power), labels={"case": "chunks"})
    for host, sign in HOSTS:
        for name, mean in (("ext3", 1e8), ("xfs", 2e8)):
            measured(ada, mean, file_system=name, machine=machine(host, sign), labels={"case": "machines"})
    for owner, mean in ((ada, 1e8), (bob, 2e8)):
        measured(owner, mean, labels={"case": "owners"})
    for files, size in ((32, MIB), (10, 32 * MIB)):
        bulk = [result(values(6e8), "bulk_write", file_size=size, params={"files": files})]
        measured(ada, results=bulk, workload=workload(file_size=size, files=files), labels={"case": "bulk"})
    for tree in ("kernel", "packages"):
        made = [result(values(60.0), "create", "elapsed", "s", params={"tree": tree})]
        measured(ada, results=made, workload=workload(tree=tree), labels={"case": "trees"})
    for tool in ("iozone", "fsload"):
        of_tool(ada, tool, "write", labels={"case": "tools"})
    cases = ("dsync", "chunks", "machines", "owners", "bulk", "trees", "tools")
    return {case: f"/runs/?label=case%3D{case}" for case in cases}


def first_table(page: Page, site: Site, case: str) -> list[str]:
    """The labels of the rows of the first table, after all runs of a situation were chosen and compared."""
    page.goto(site[case])
    page.get_by_label("Choose all runs of this page").check()
    page.locator("[data-tray]").get_by_role("button", name="Compare").click()
    page.wait_for_url("**/compare/?*")
    expect(page.locator("#comparison")).to_be_visible()
    heads = page.locator("#comparison .row-head").all()
    return [" ".join(head.inner_text().split()) for head in heads]


@pytest.mark.parametrize(
    ("case", "rows"),
    [
        ("dsync", ["dsync baseline", "no sync"]),
        ("chunks", [f"{size} KiB" for size in (512, 256, 128, 64, 32, 16)]),
        ("machines", [f"{name} · {host}" for host, _ in HOSTS[::-1] for name in ("xfs", "ext3")]),
        ("bulk", ["32 MiB file · 10 files", "1 MiB file · 32 files"]),
        ("trees", ["tree packages", "tree kernel"]),
        ("tools", ["fsload", "iozone"]),
    ],
)
def test_what_differs_is_the_rows(site: Site, open_page: OpenPage, case: str, rows: list[str]) -> None:
    with open_page() as page:
        labels = [label.removesuffix(" baseline") for label in first_table(page, site, case)]
        assert sorted(labels) == sorted(label.removesuffix(" baseline") for label in rows)
        expect(page.locator("#comparison td.mixed")).to_have_count(0)
        expect(page.locator("#comparison td .mean")).to_have_count(len(rows))


def test_machines_with_one_name_and_two_owners_are_two_rows(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        first, second = first_table(page, site, "owners")
        assert first.startswith("epyc-2 (machine ")
        assert second.startswith("epyc-2 (machine ")
        assert first != second


def test_a_cell_over_several_machines_is_split_by_its_link(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        first_table(page, site, "machines")
        page.goto(f"{page.url}&rows=file_system")
        mixed = page.locator("#comparison td.mixed a")
        expect(mixed).to_have_count(2)
        expect(mixed.first).to_contain_text("3 machines")
        mixed.first.click()
        expect(page.locator("#comparison td .mean")).to_have_count(6)
        expect(page.locator("#comparison td.mixed")).to_have_count(0)


def test_the_tray_names_runs_by_what_differs(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["dsync"])
        page.get_by_label("Choose all runs of this page").check()
        expect(page.locator("[data-tray-list]")).to_contain_text("sync dsync")
        expect(page.locator("[data-tray-list]")).to_contain_text("sync none")
