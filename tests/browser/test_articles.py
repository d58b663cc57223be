"""The pages of articles in a browser: wide and on a phone, light and dark, with scripts and without."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from benchdb.publications.data_files import read
from benchdb.publications.services import load
from tests.browser.conftest import NARROW, WIDE, OpenPage, Site
from tests.browser.support.serving import serving
from tests.browser.test_pages import overflow
from tests.publications.small_plans import documents
from tests.support.store import make_user, store_run

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]
ARTICLES = ("iozone-2009", "ffsb-2007", "t2-2008")


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[Site]:
    """Three articles: with verdicts, without verdicts, and without figures."""
    with serving(django_db_blocker, _stored) as (address, paths):
        yield Site(address, paths)


def _stored() -> dict[str, str]:
    for slug in ARTICLES:
        load(read(slug))
    ada = make_user("ada")
    for document in (*documents("iozone-throughput-small"), *documents("large-file-creation-small")):
        store_run(ada, document)
    paths = {"home": "/", "list": "/articles/", "plan": "/articles/iozone-2009/plan/"}
    paths |= {
        "own": "/articles/iozone-2009/tables/table-2/beside/",
        "rates": "/articles/ffsb-2007/tables/table/beside/",
    }
    return {**paths, **{slug: f"/articles/{slug}/" for slug in ARTICLES}}


def test_every_page_fits_wide_and_narrow_light_and_dark(site: Site, open_page: OpenPage) -> None:
    assert site.paths
    for viewport in (WIDE, NARROW):
        for scheme in ("light", "dark"):
            with open_page(viewport=viewport, color_scheme=scheme) as page:
                for name in site.paths:
                    page.goto(site[name])
                    expect(page.locator("h1")).to_have_count(1)
                    for fold in page.locator("ol.observations details").all():
                        fold.evaluate("each => each.open = true")
                    assert overflow(page) == 0, (name, viewport, scheme)


def test_from_an_observation_to_its_cells_and_what_is_known_of_them(site: Site, open_page: OpenPage) -> None:
    with open_page() as page:
        page.goto(site["iozone-2009"])
        observation = page.locator("ol.observations > li").filter(has_text="On ext4 random read gains about 100")
        expect(observation.locator(".answer").first).to_have_text("confirmed")
        observation.get_by_text("the cells").click()
        observation.get_by_role("link", name="ext4 · random read").click()
        cell = page.locator("td:target")
        expect(cell).to_contain_text("105\u202f651.60")
        cell.get_by_role("link").hover()
        expect(page.locator("aside.panel")).to_contain_text("10 rounds")


def test_without_scripts_everything_is_there(site: Site, open_page: OpenPage) -> None:
    with open_page(java_script_enabled=False, viewport=NARROW) as page:
        page.goto(site["iozone-2009"])
        expect(page.locator("#table-2")).to_contain_text("109\u202f339.90")
        page.get_by_role("link", name="Run this on my machine").click()
        expect(page.locator("#fetch")).to_contain_text("curl")
        expect(page.locator("#plan")).to_contain_text('name = "iozone-throughput"')
