"""Citations of permalinks."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.content_json import to_json
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.citation import bibtex, plain
from benchdb.compare.permalinks.services import share
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.comparing.contents import content
from tests.support.html import read
from tests.texts import missing_in

ADDRESS = "https://bench.example/c/k3f9vq2m7aeipx5c/"


def made(title: str = "ext4, xfs on epyc-2", author: str = "ada") -> Permalink:
    shown = replace(
        content(["ext4"], [], {}),
        title=title,
        subtitle="iozone 3.489 · throughput",
        statistics_version=2,
        benchdb_version="0.2.0",
    )
    link = Permalink(
        id="k3f9vq2m7aeipx5c",
        author=author,
        content=to_json(shown),
        created_at=datetime(2026, 11, 1, tzinfo=UTC),
    )
    link.deleted = []
    return link


def test_in_words() -> None:
    assert plain(made(), ADDRESS) == (
        "ada: ext4, xfs on epyc-2 (iozone 3.489 · throughput). "
        f"Frozen 1 November 2026 with BenchDB 0.2.0, statistics 2. {ADDRESS}"
    )


def test_for_bibtex() -> None:
    assert bibtex(made(), ADDRESS).splitlines() == [
        "@misc{benchdb-k3f9vq2m7aeipx5c,",
        "  author = {{ada}},",
        "  title = {{ext4, xfs on epyc-2}},",
        "  year = {2026},",
        "  month = nov,",
        "  note = {iozone 3.489 · throughput; BenchDB 0.2.0, statistics 2},",
        f"  url = {{{ADDRESS}}},",
        "  urldate = {2026-11-01},",
        "}",
    ]


@pytest.mark.parametrize("text", ["a{b", "a}b", "}}{", "50 % & more_#$~^\\", "two\nlines", "\\end{document}"])
def test_braces_balance_whatever_a_machine_is_called(text: str) -> None:
    entry = bibtex(made(title=text, author=text), ADDRESS)

    assert entry.count("{") == entry.count("}")
    assert len(entry.splitlines()) == 9
    depth = 0
    for sign in entry:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert not re.search(r"(?<!\\)[%&#_]", entry.partition("title = ")[2].partition("\n")[0])


def test_the_page_has_both_with_a_button_to_copy(client: Client, owner: User) -> None:
    owner.first_name, owner.last_name = "Ada", "Lovelace"
    owner.save()
    link, _ = share(owner, "table", ids(compared_runs(owner)))

    page = read(client.get(f"/c/{link.id}/"))

    assert not missing_in(
        page.text,
        "Ada Lovelace: ext4, xfs, btrfs on epyc-2",
        f"http://testserver/c/{link.id}/",
        "author = {{Ada Lovelace}}",
    )
    copied = {attributes.get("data-copy") for tag, attributes in page.elements if tag == "button"}
    assert {"permalink", "cite-plain", "cite-bibtex", "embed"} <= copied
