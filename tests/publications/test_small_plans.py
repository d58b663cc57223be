"""Each table of an article against real runs of the small plan that repeats its experiment, with newer other runs.

With `-s`, the tests print what the pages say.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from benchdb.publications.beside.own_runs import own_runs
from benchdb.publications.beside.page import page_of
from benchdb.publications.models import Publication
from benchdb.publications.page import frozen_tables
from benchdb.publications.page_files import page_file
from tests.support.html import read
from tests.support.store import make_user, store_run

from .small_plans import documents
from .test_beside import measured

pytestmark = pytest.mark.django_db

SLUGS = ("comparison-2024", "ffsb-2007", "iozone-2009", "raid-2009")
TABLES = [(slug, table.key) for slug in SLUGS for table in page_file(slug).tables]


@pytest.fixture(scope="module")
def readers(loaded: dict[str, Publication], django_db_blocker: Any) -> Iterator[dict[str, User]]:
    """For each article, a reader who ran its small plan, and then something else with the tests of all its tables."""
    with django_db_blocker.unblock(), transaction.atomic():
        found = {}
        for slug in SLUGS:
            found[slug] = make_user(slug)
            for document in documents(f"{loaded[slug].plan}-small"):
                store_run(found[slug], document, visibility="private")
            for table in frozen_tables(loaded[slug]).values():
                for tool in {line.tool.partition(" ")[0] for line in table.run_list}:
                    measured(found[slug], table, tool=tool)
        yield found
        transaction.set_rollback(True)


def page_about(publication: Publication, reader: User, key: str) -> dict[str, object]:
    table = frozen_tables(publication)[key]
    return page_of(publication, key, table, own_runs(publication, table, reader), reader)


def print_page(page: dict[str, object], slug: str, key: str) -> None:
    """What a person looks at: the headline, what it rests on, the rows and what is not compared."""
    print(f"\n\n== {slug} {key}: {page['table']}\n{page['headline']}\n   {page['own']}")
    for sentence in (*page["said"], *page["basis"]):
        print(f"   {sentence}")
    for group in page["groups"]:
        print(f" # {group['own']} against {group['published']}")
        for row in group["rows"]:
            print("   {what}: {published} [{published_basis}] | {own} [{own_basis}] | {change}".format_map(row))
    for reason in page["without"]:
        print(f" - {reason}")


@pytest.mark.parametrize(("slug", "key"), TABLES)
def test_the_headline_of_each_table_is_about_the_runs_of_its_plan(
    loaded: dict[str, Publication], readers: dict[str, User], slug: str, key: str
) -> None:
    page = page_about(loaded[slug], readers[slug], key)
    print_page(page, slug, key)

    assert {run.runstate.labels.get("plan") for run in page["runs"]} == {f"{loaded[slug].plan}-small"}
    assert page["headline"].startswith("Your ")
    assert "than the article’s" in page["headline"]
    own = {str(run.target.file_system) for run in page["runs"]}
    for group in page["groups"]:
        assert group["own"].partition(" ")[0] == group["published"].partition(" ")[0]
        assert group["own"].partition(" ")[0] in own
    for row in (row for group in page["groups"] for row in group["rows"]):
        assert (" · elapsed" in row["what"]) <= all("/s" in row[of] for of in ("published_basis", "own_basis")), row
        assert ("mean of" in row["published_basis"]) == ("mean of" in row["own_basis"]), row


def test_the_page_of_a_run_has_the_table_of_its_plan_with_most_of_its_figures(
    client: Client, loaded: dict[str, Publication], readers: dict[str, User]
) -> None:
    client.force_login(readers["raid-2009"])
    run = next(run for run in page_about(loaded["raid-2009"], readers["raid-2009"], "create")["runs"])

    assert client.get(f"/runs/{run.id}/published/").context["table"] == "Creating files: real, user and sys"


def test_the_page_takes_as_many_queries_for_any_number_of_runs(
    loaded: dict[str, Publication], readers: dict[str, User], django_assert_num_queries: Any
) -> None:
    for slug, key in (("raid-2009", "create"), ("iozone-2009", "table-2")):
        table = frozen_tables(loaded[slug])[key]
        with django_assert_num_queries(3):
            assert page_of(loaded[slug], key, table, own_runs(loaded[slug], table, readers[slug]), readers[slug])[
                "groups"
            ]


def test_another_tools_time_of_a_whole_run_is_no_figure_of_a_table(
    client: Client, owner: User, loaded: dict[str, Publication]
) -> None:
    of_trees = [document for document in documents("many-files-small") if "source" in document["campaign"]["point"]]
    run = store_run(owner, of_trees[0])

    page = read(client.get(f"/runs/{run.id}/published/"))

    assert "No article has figures of these tests" in page.text
