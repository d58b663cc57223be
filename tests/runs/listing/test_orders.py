"""`/runs/` in every order."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from benchdb.runs.listing import search
from benchdb.runs.listing.columns import SORTS
from tests.runs.listing.variants import variants
from tests.support.html import read
from tests.support.store import make_user
from tests.support.stores.shared import shared


@pytest.fixture(scope="module")
def stored(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, str]]:
    """Runs that differ, for all tests of this file."""
    with shared(django_db_blocker, lambda: variants(make_user("ada"))) as runs:
        yield runs


@pytest.mark.django_db
@pytest.mark.parametrize("sort", ["", "oldest", *SORTS, *(f"-{name}" for name in SORTS)])
def test_every_order_has_every_run_once_over_its_pages(
    client: Client, stored: dict[str, str], sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "PAGE", 3)

    page = read(client.get(f"/runs/?sort={sort}" if sort else "/runs/"))
    seen = [*page.fields["run"]]
    while following := next((href for text, href in page.links.items() if text.endswith("→")), None):
        page = read(client.get(following))
        assert len(page.fields["run"]) <= 3
        seen += page.fields["run"]

    assert sorted(seen) == sorted(stored.values())
    if sort in ("machine", "-machine"):
        assert seen.index(stored["machine"]) == (len(stored) - 1 if sort == "machine" else 0)
    if sort in ("memory", "oldest"):
        assert seen[0] == stored["memory" if sort == "memory" else "base"]
