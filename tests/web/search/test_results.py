"""`/search/`: file systems, tests, sizes and metrics lead to the comparison, the trend and the list of runs."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.comparing.comparisons import campaign
from tests.support.documents import KIB, MIB, result
from tests.support.html import read
from tests.support.store import store_run

RESULTS = [
    result([1e8], test, record_size=size, params={"fsync": True} if "write" in test else {})
    for test in ("write", "read", "random_read", "random_write")
    for size in (4 * KIB, MIB)
] + [result([0.1], "read", f"latency_{name}", "s", record_size=4 * KIB) for name in ("p99", "p999")]


def links(client: Client, words: str) -> dict[str, str]:
    """The links of the section of results, which is the first."""
    page = read(client.get("/search/", {"q": words}))
    return {
        text: href
        for text, href in page.links.items()
        if "compared" in text or "all runs" in text.lower() or "over time" in text
    }


def measured(owner: User, names: tuple[str, ...] = ("ext4", "xfs"), **sections: object) -> None:
    shared = {"campaign": campaign(), "rounds": 1, "results": RESULTS, **sections}
    for name in names:
        store_run(owner, file_system=name, **shared)


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("ext4 random write", {"test": ["random_write"]}),
        ("RANDWRITE Ext4", {"test": ["random_write"]}),
        ("xfs read 4k", {"test": ["read"], "record_size": ["4K"]}),
        ("1 MiB write", {"test": ["write"], "record_size": ["1M"]}),
        ("xfs fsync", {"params": ["fsync=true"]}),
        ("ext4 p99 latency", {"metric": ["latency_p99"]}),
        ("xfs ext4 read", {"test": ["read"], "file_system": ["xfs", "ext4"]}),
    ],
)
def test_words_lead_to_a_comparison_that_has_their_cells(
    client: Client, owner: User, words: str, chosen: dict[str, list[str]]
) -> None:
    measured(owner)
    found = links(client, words)
    href = next(href for text, href in found.items() if "compared" in text)
    pairs = parse_qs(urlsplit(href).query)
    assert {name: pairs[name] for name in pairs if name not in ("campaign", "tool")} == chosen
    rows = [attributes.get("class") or "" for tag, attributes in read(client.get(href)).elements if tag == "th"]
    assert sum(each.startswith("row-head of-") for each in rows) == 2  # both file systems have cells
    assert all(client.get(href).status_code == 200 for href in found.values())


@pytest.mark.parametrize(
    "words", ["ext4", "write", "random write", "ext4 nonsense", "ext4 write 3k", "btrfs write", "4k p99"]
)
def test_nothing_leads_there_unless_all_words_make_sense(client: Client, owner: User, words: str) -> None:
    measured(owner)
    assert links(client, words) == {}


def test_repeated_campaigns_lead_to_a_trend(client: Client, owner: User) -> None:
    for _ in range(3):
        measured(owner)
    href = links(client, "ext4 read 4k")["Read, 4 KiB: ext4 over time"]
    assert client.get(href).status_code == 200


def test_only_what_lists_show_is_found_as_text_in_as_many_queries(client: Client, owner: User) -> None:
    measured(owner, labels={"plan": "<script>x</script>"})
    counts = []
    for visibility in ("private", "public"):
        measured(owner, ("ext4", "btrfs"), visibility=visibility)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get("/search/", {"q": "ext4 write"})
        counts.append(len(queries))
        assert (b"btrfs" in answer.content) == (visibility == "public")
    assert counts[0] == counts[1]
    assert b"<script>x" not in answer.content
