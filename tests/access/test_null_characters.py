"""No parameter of any page makes it fail if its text is a null character, which PostgreSQL cannot compare."""

import re
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from django.http import QueryDict
from django.test import Client

from tests.access.readers import Store, make_store
from tests.access.tables import PAGES, rows
from tests.support.stores.shared import shared

LINKED = re.compile(r'(?:[?&]|&amp;)([a-z_]+)=|\bname="([\w:]+)"')
ADDRESSES: dict[str, list[str]] = {}
for row in rows(PAGES):
    if row.method == "GET" and row.path != "/logout/":
        ADDRESSES.setdefault(row.path.partition("?")[0], []).append(row.path)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def store(django_db_setup: None, django_db_blocker: Any) -> Iterator[Store]:
    """Objects of every kind, for all tests of this file."""
    with shared(django_db_blocker, make_store) as stored:
        yield stored


@pytest.fixture
def reader(store: Store, client: Client) -> Client:
    """An admin."""
    client.cookies = store.cookies["admin"].copy()
    return client


class Read(QueryDict):
    """A query that notes which of its parameters a page reads, and whether it goes through all of them."""

    names: ClassVar[set[str]] = set()
    goes_through = False

    def __getitem__(self, key: str) -> Any:
        return super().__getitem__(self._note(key))

    def __contains__(self, key: object) -> bool:
        return super().__contains__(self._note(key))

    def get(self, key: str, *default: Any) -> Any:
        return super().get(self._note(key), *default)

    def getlist(self, key: str, *default: Any) -> Any:
        return super().getlist(self._note(key), *default)

    def _note(self, key: Any) -> Any:
        Read.names.add(key)
        return key

    def __getattribute__(self, name: str) -> Any:
        if name in ("items", "lists", "keys", "copy", "dict", "urlencode"):
            Read.goes_through = True
        return super().__getattribute__(name)

    def __iter__(self) -> Iterator[str]:
        Read.goes_through = True
        return super().__iter__()


def names_of(reader: Client, addresses: list[str], monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The parameters that a page reads; if it goes through all, also those that it links to or asks for."""
    monkeypatch.setattr("django.core.handlers.wsgi.QueryDict", Read)
    monkeypatch.setattr(Read, "names", set())
    monkeypatch.setattr(Read, "goes_through", False)
    pages = [reader.get(address) for address in addresses]
    texts = [*addresses, *(page.content.decode("utf-8", "replace") for page in pages if not page.streaming)]
    linked = {one or other for text in texts for one, other in LINKED.findall(text)}
    names = Read.names | (linked if Read.goes_through else set())
    monkeypatch.undo()
    return names


@pytest.mark.parametrize("part", range(8))
def test_a_null_character_is_answered(store: Store, reader: Client, part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = []
    for path in [*ADDRESSES][part::8]:
        bare = path.format(**store.ids)
        addresses = {bare, *(address.format(**store.ids) for address in ADDRESSES[path])}
        for name in sorted(names_of(reader, sorted(addresses), monkeypatch)):
            if (status := reader.get(f"{bare}?{name}=%00").status_code) >= 500:
                faults.append(f"{bare}?{name}=%00: {status}")
    assert faults == []


@pytest.mark.parametrize(
    ("address", "expected"),
    [("/runs/", {"q", "file_system", "after", "find_kernel"}), ("/trend/", {"run", "tool", "vary"}), ("/docs/", set())],
)
def test_what_a_page_reads_is_known(
    reader: Client, address: str, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = names_of(reader, [address], monkeypatch)
    assert names >= expected
    assert bool(names) == bool(expected)
