"""The walls find a fault of each kind, and none on a page without one."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from tests.browser.pages import Case
from tests.browser.support.faulty import FAULTS
from tests.browser.support.serving import serving
from tests.browser.support.visits import Filled, Windows, keeps_to_the_walls

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


@pytest.fixture(scope="module")
def broken(django_db_setup: None, django_db_blocker: Any) -> Iterator[Filled]:
    """A server with faulty pages."""
    with serving(django_db_blocker, dict, ROOT_URLCONF="tests.browser.support.faulty") as (address, stored):
        yield Filled(address, stored, {})


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name: str, broken: Filled, windows: Windows) -> None:
    said = FAULTS[name][1]
    with pytest.raises(pytest.fail.Exception, match=said) if said else nullcontext():
        keeps_to_the_walls(Case(name, "", f"/faulty/{name}/"), broken, windows)
