"""Every page of a server without data: the same limits, and a hint on what to do next."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.pages import CASES, Case
from tests.browser.support.serving import EVERY_WAY, serving, session_of
from tests.browser.support.visits import Filled, Windows, is_complete_without_scripts, keeps_to_the_walls
from tests.support.store import make_user

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]
# One state of each page is enough, the one without a query. The chart's page has no chart then.
EMPTY = [case for case in CASES if case.needs_nothing]


def _people() -> dict[str, str]:
    make_user("root", is_staff=True, is_superuser=True)
    make_user("ada")
    return {}


@pytest.fixture(scope="module")
def nothing(django_db_setup: None, django_db_blocker: Any) -> Iterator[Filled]:
    """A server with users but no data."""
    with serving(django_db_blocker, _people, **EVERY_WAY) as (address, stored):
        yield Filled(address, stored, {name: session_of(name, address) for name in ("ada", "root")})


@pytest.mark.parametrize("case", EMPTY, ids=lambda case: case.name)
def test_an_empty_page_keeps_to_the_walls(case: Case, nothing: Filled, windows: Windows) -> None:
    keeps_to_the_walls(case, nothing, windows)


@pytest.mark.parametrize("case", EMPTY, ids=lambda case: case.name)
def test_an_empty_page_is_complete_without_scripts(case: Case, nothing: Filled, browser: Browser) -> None:
    is_complete_without_scripts(case, nothing, browser)
