"""`Facets`: the filterable facts of runs, stored once for all runs that share them."""

import pytest
from django.contrib.auth.models import User

from benchdb.runs.listing.counting import say_count
from benchdb.runs.models import Facets, Parse, Result, Run, RunState, source_of
from benchdb.runs.services import delete_run
from benchdb.runs.store.summaries import adopt_parse
from tests.support.documents import result
from tests.support.store import store_run


def facets_of(run: Run) -> Facets:
    found = RunState.objects.select_related("facets").get(pk=run.id).facets
    assert found is not None
    return found


def test_runs_of_the_same_share_a_row(owner: User) -> None:
    first, second, other = store_run(owner), store_run(owner, rounds=5), store_run(owner, file_system="xfs")

    assert facets_of(first) == facets_of(second) != facets_of(other)
    assert facets_of(first).tests == ["rewrite", "seq_stat", "write"]
    assert (facets_of(first).source, facets_of(first).article) == ("measured", None)


@pytest.mark.parametrize(
    ("extra", "source", "article"),
    [
        ({"publication": {"slug": "t2"}}, "published", "t2"),
        ({"publication": "t2"}, "published", None),
        ({"publication": None, "import": {"files": []}}, "published", None),
        ({"import": {"files": []}}, "imported", None),
        ({"import": None}, "imported", None),
        ({"note": {"publication": {"slug": "t2"}}}, "measured", None),
        ({}, "measured", None),
    ],
)
def test_the_source_is_what_the_document_says(owner: User, extra: dict[str, object], source: str, article: str) -> None:
    run = store_run(owner, extra=extra)
    found = facets_of(run)

    assert (found.source, source_of(run), found.article) == (source, source, article)


def test_another_reading_has_its_own_tests(owner: User) -> None:
    run, alike = store_run(owner), store_run(owner)
    Parse.objects.create(run=run, number=2, parser_version="later", dimensions={"test": ["fread"]})
    Result.objects.create(run=run, parse=2, ordinal=0, status="ok", **result([1.0] * 3, "fread"))

    adopt_parse(run.id, 2, 0)

    assert facets_of(run).tests == ["fread"]
    assert facets_of(alike).tests == ["rewrite", "seq_stat", "write"]


def test_they_go_with_the_environment_that_no_run_uses_any_more(owner: User) -> None:
    run, last = store_run(owner), store_run(owner)

    delete_run(run)
    assert Facets.objects.count() == 1
    delete_run(last)
    assert Facets.objects.count() == 0


@pytest.mark.parametrize(
    ("runs", "said"), [(0, "0"), (9412, "9\u202f412"), (10_000, "10\u202f000"), (10_001, "10\u202f000+")]
)
def test_counts_are_exact_to_ten_thousand(runs: int, said: str) -> None:
    assert say_count(runs) == said
