"""Every article's data file loads whole, and its runs are what a reader may rely on."""

from __future__ import annotations

import pytest

from benchdb.publications.models import Publication
from benchdb.publications.reading import read, slugs
from benchdb.publications.services import load
from benchdb.runs.models import Run

pytestmark = pytest.mark.django_db


def test_the_articles_in_the_order_of_their_list() -> None:
    assert slugs() == ["iozone-2009", "raid-2009", "ffsb-2007", "comparison-2024", "t2-2008"]


@pytest.mark.parametrize(("slug", "runs"), [("iozone-2009", 3), ("ffsb-2007", 3), ("comparison-2024", 10)])
def test_loads(slug: str, runs: int) -> None:
    loaded = load(read(slug))

    assert (loaded.new, loaded.publication.runs.count()) == (runs, runs)
    assert not Run.objects.exclude(runstate__labels__publication=slug).exists()
    assert not Run.objects.exclude(runstate__state="ready").exists()


def test_the_array_has_a_run_a_configuration_and_distribution_and_one_a_csv_line() -> None:
    loaded = load(read("raid-2009"))

    keys = list(loaded.publication.published_runs.values_list("key", flat=True))
    assert (len(keys), sum(key.startswith("csv-") for key in keys)) == (28, 7)
    inferred = Run.objects.filter(runstate__labels__os_inferred="yes")
    assert set(inferred.values_list("environment__os_name", flat=True)) == {"Scientific Linux 5", "Fedora 10"}


def test_an_article_without_figures_stores_what_was_tested_and_no_run() -> None:
    load(read("t2-2008"))

    publication = Publication.objects.get()
    assert not publication.runs.exists()
    assert len(publication.operations) == 17
    assert publication.left_out[0][0] == "All figures"
