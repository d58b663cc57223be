"""Every article's data file loads completely, and its runs have reliable properties."""

import pytest

from benchagent.tools.fsload.options import METADATA_TESTS
from benchdb.ingest.reparse import reparse
from benchdb.publications.data_files import slugs
from benchdb.publications.models import Publication
from benchdb.runs.models import Run

pytestmark = pytest.mark.django_db


def test_the_articles_in_the_order_of_their_list() -> None:
    assert slugs() == ["iozone-2009", "raid-2009", "ffsb-2007", "comparison-2024", "t2-2008"]


@pytest.mark.parametrize(
    ("slug", "runs"),
    [("iozone-2009", 3), ("raid-2009", 28), ("ffsb-2007", 3), ("comparison-2024", 10), ("t2-2008", 0)],
)
def test_loads(loaded: dict[str, Publication], slug: str, runs: int) -> None:
    found = Run.objects.filter(runstate__labels__publication=slug)

    assert (found.count(), loaded[slug].runs.count()) == (runs, runs)
    assert not found.exclude(runstate__state="ready").exists()


def test_the_array_has_a_run_a_configuration_and_distribution_and_one_a_csv_line(
    loaded: dict[str, Publication],
) -> None:
    keys = list(loaded["raid-2009"].published_runs.values_list("key", flat=True))
    assert (len(keys), sum(key.startswith("csv-") for key in keys)) == (28, 7)
    inferred = Run.objects.filter(runstate__labels__os_inferred="yes")
    assert set(inferred.values_list("environment__os_name", flat=True)) == {"Scientific Linux 5", "Fedora 10"}


def test_a_csv_line_keeps_its_text_and_stays_as_it_was_read(loaded: dict[str, Publication]) -> None:
    run = loaded["raid-2009"].runs.get(published__key="csv-ext2")

    assert bytes(run.artifacts.get().content).decode().startswith("ext2----,8G:32k,46572,98,244750,21,")
    assert reparse(run.id).changed == 0
    assert run.results.filter(parse=run.runstate.current_parse).count() == 24


def test_an_article_without_figures_stores_what_was_tested(loaded: dict[str, Publication]) -> None:
    publication = loaded["t2-2008"]
    assert len(publication.operations) == 17
    assert publication.left_out[0][0] == "All figures"
    assert {name for name, _ in publication.operations} - set(METADATA_TESTS) == {"mkfs", "mount"}
