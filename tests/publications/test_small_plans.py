"""Each table of an article next to real runs of the small plan that repeats its experiment, without further choices.

With `-s`, the tests print the addresses of these comparisons.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.evaluate import evaluate
from benchdb.publications.beside import beside, candidates
from benchdb.publications.models import Publication
from benchdb.publications.page import frozen_tables
from benchdb.publications.page_files import page_file
from tests.support.html import read
from tests.support.store import make_user, store_run

from .small_plans import documents

pytestmark = pytest.mark.django_db

SLUGS = ("comparison-2024", "ffsb-2007", "iozone-2009", "raid-2009")
TABLES = [(slug, table.key) for slug in SLUGS for table in page_file(slug).tables]


@pytest.fixture(scope="module")
def readers(loaded: dict[str, Publication], django_db_blocker: Any) -> Iterator[dict[str, User]]:
    """For each article, a reader who ran its small plan."""
    with django_db_blocker.unblock(), transaction.atomic():
        found = {}
        for slug in SLUGS:
            plan = f"{loaded[slug].plan}-small"
            found[slug] = make_user(plan)
            for document in documents(plan):
                store_run(found[slug], document, visibility="private")
        yield found
        transaction.set_rollback(True)


def common_columns(content: TableContent, published: set[str]) -> dict[tuple[str, str | None, str], set[bool]]:
    """By column, test and metric: whether published (True) and own figures (False) are there."""
    sides = defaultdict(set)
    for placed in cells(content):
        if placed.cell.status == "ok":
            key = (placed.column, placed.cell.test, placed.cell.metric)
            sides[key] |= {run in published for run in placed.cell.runs}
    return {key: of for key, of in sides.items() if len(of) == 2}


def followed(client: Client, reader: User, slug: str, key: str) -> tuple[str, TableContent]:
    """The address to which a table's link leads, and the table there."""
    client.force_login(reader)
    answer = client.get(f"/articles/{slug}/tables/{key}/beside/")
    assert answer.status_code == 302, read(answer).text
    address = answer["Location"]
    page = client.get(address)
    assert page.status_code == 200, read(page, 400).text
    return address, evaluate(Selection.parse(address.partition("?")[2]), reader)[0]


@pytest.mark.parametrize(("slug", "key"), TABLES)
def test_a_run_of_the_small_plan_is_beside_each_table(
    client: Client, loaded: dict[str, Publication], readers: dict[str, User], slug: str, key: str
) -> None:
    address, content = followed(client, readers[slug], slug, key)

    published = set(frozen_tables(loaded[slug])[key].runs)
    assert common_columns(content, published), (content.query, content.notes)
    assert not [placed for placed in cells(content) if len(placed.cell.runs) > 1]
    assert not [note for note in content.notes if "Left out" in note]
    print(f"\n{slug} {key}\n{address}")


def rows(content: TableContent) -> list[str]:
    """The labels of the rows of the first group."""
    return [row.label for row in content.groups[0].rows]


def test_rows_name_the_article_and_what_varies_in_it(client: Client, readers: dict[str, User]) -> None:
    def rows_of(slug: str, key: str) -> list[str]:
        return rows(followed(client, readers[slug], slug, key)[1])

    assert rows_of("iozone-2009", "table-2") == [
        *(f"iozone-2009 · {name}" for name in ("ext3", "ext4", "reiser4")),
        *(f"measured · {name}" for name in ("ext3", "ext4")),
    ]
    assert rows_of("ffsb-2007", "table") == [
        f"{article} · {name} · {threads} threads"
        for article in ("ffsb-2007", "measured")
        for name in ("ext3", "ext4", "xfs")
        for threads in (4, 16, 64)
    ]
    layout = "mkfs -E stride=32,stripe-width=320"
    assert rows_of("raid-2009", "mkfs")[:5] == [
        f"raid-2009 · ext4 · {layout} -i 65536",
        f"raid-2009 · ext4 · {layout} -i 131072",
        f"raid-2009 · ext3 · {layout} -i 65536",
        f"measured · ext2 · {layout} -i 65536 · barrier · read ahead 2 MiB",
        f"measured · ext3 · {layout} -i 65536 · barrier · read ahead 2 MiB",
    ]
    assert rows_of("raid-2009", "bonnie")[2:4] == ["raid-2009 · ext4 · barrier", "raid-2009 · ext4 · nobarrier"]
    aged = [label for label in rows_of("comparison-2024", "vm-and-computer") if " aged," in label]
    assert aged == [
        "comparison-2024 · ext4 · aged, profile Wang-OS",
        "measured · ext4 · aged, fullness 0.88, overwrites 2, profile developer · 128 MiB file · 16 MiB records",
    ]


def test_files_of_different_sizes_are_compared_by_their_ratio_to_the_memory(
    client: Client, readers: dict[str, User]
) -> None:
    ratios = {
        "iozone-2009/table-2": "2",
        "ffsb-2007/table": "1/2",
        "raid-2009/bonnie": "4",
        "raid-2009/create": "1/192",
    }

    for path, ratio in ratios.items():
        slug, key = path.split("/")
        address, _ = followed(client, readers[slug], slug, key)
        assert f"&file_size_to_memory={ratio}&" in address
        assert "&file_size=" not in address


def test_facts_that_differ_between_article_and_runs_name_only_these(client: Client, readers: dict[str, User]) -> None:
    _, content = followed(client, readers["raid-2009"], "raid-2009", "bonnie")

    machine = next(difference for difference in content.differences if difference.name == "machine")
    assert {value.value: value.where for value in machine.values} == {
        "PowerEdge, Infortrend EonStor": ["raid-2009"],
        "small": ["measured"],
    }


def test_finding_the_runs_takes_three_queries(
    loaded: dict[str, Publication], readers: dict[str, User], django_assert_num_queries: Any
) -> None:
    for slug, key in (("raid-2009", "mkfs"), ("iozone-2009", "table-2")):
        table = frozen_tables(loaded[slug])[key]
        with django_assert_num_queries(3):
            found = beside(table, candidates(table, readers[slug]))
        assert found


def test_another_tools_time_of_a_whole_run_is_no_figure_of_a_table(
    client: Client, owner: User, loaded: dict[str, Publication]
) -> None:
    of_trees = [document for document in documents("many-files-small") if "source" in document["campaign"]["point"]]
    run = store_run(owner, of_trees[0])

    page = read(client.get(f"/runs/{run.id}/published/"))

    assert "No article has figures of these tests" in page.text
