"""Every page: accessible, light and dark, wide and on a phone, with scripts and without, small, and with no error."""

from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Browser

from tests.browser.pages import CASES, NO_PAGE, Case
from tests.browser.support.visits import (
    Filled,
    Windows,
    has_contrast_in_the_dark,
    is_complete_without_scripts,
    keeps_to_the_walls,
)

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


def by_name(case: Case) -> str:
    return case.name


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_a_page_keeps_to_the_walls(case: Case, filled: Filled, windows: Windows) -> None:
    keeps_to_the_walls(case, filled, windows)


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_a_page_is_complete_without_scripts(case: Case, filled: Filled, browser: Browser) -> None:
    is_complete_without_scripts(case, filled, browser)


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_every_text_of_a_page_has_contrast_in_the_dark(case: Case, filled: Filled, browser: Browser) -> None:
    has_contrast_in_the_dark(case, filled, browser)


def names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The names of all our addresses, without those in a library's own namespace (the API, the admin)."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name or str(pattern.pattern)
        elif not pattern.namespace:
            yield from names(pattern.url_patterns)


def test_every_address_is_a_page_in_the_list_or_known_to_be_none() -> None:
    there = set(names(get_resolver("benchdb.urls").url_patterns))
    shown = {case.view for case in CASES} - {""}
    assert there - shown - set(NO_PAGE) == set(), "put these into tests/browser/pages.py"
    assert (shown | set(NO_PAGE)) - there == set(), "no such address is left"
    assert not shown & set(NO_PAGE)
    assert len({case.name for case in CASES}) == len(CASES)
