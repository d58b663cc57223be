"""Results are read with the sequential reads beside them, whichever way their ordinals are known."""

from uuid import UUID

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.runs.quantities.reading import quantities_of
from benchdb.runs.queries import Measured, measured
from tests.support.documents import GIB, KIB, MIB, document, result
from tests.support.store import store_run

TESTS, FILES, RECORDS = ("write", "read", "random_read", "strided_read"), (GIB, 2 * GIB), (4 * KIB, MIB)
PARAMS = ({}, {"view": "min"})
PLACES = [(t, f, r, p) for t in TESTS for f in FILES for r in RECORDS for p in PARAMS]
RUNS = st.lists(st.lists(st.sampled_from(PLACES), min_size=1, max_size=12), min_size=1, max_size=3)


def stored(owner: User, places: list[tuple[str, int, int, dict[str, str]]]) -> UUID:
    """A run with these results, each with other values."""
    distinct = [place for i, place in enumerate(places) if place not in places[:i]]
    results = [
        result([100.0 + i, 101.0 + 2 * i, 99.0], test, file_size=file, record_size=record, params=params)
        for i, (test, file, record, params) in enumerate(distinct)
    ]
    return store_run(owner, document(results=results)).pk


def chosen(runs: list[UUID], tests: list[str], files: list[int], records: list[int]) -> list[Measured]:
    """The results of these tests and sizes, with their ordinals from the quantities, as comparisons read them."""
    quantities = quantities_of(runs, 0)
    filters = {"test": tests, "file_size": files, "record_size": records}
    mask = quantities.everything()
    for name, values in filters.items():
        mask &= quantities.having(name, values)
    conditions = {"ordinal": quantities.ordinals(mask), **filters}
    return measured(runs, conditions, sequential=quantities.sequential(mask))


@pytest.mark.django_db
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RUNS, st.sets(st.sampled_from(TESTS), min_size=1), st.sets(st.sampled_from(FILES), min_size=1))
def test_known_ordinals_give_the_same_results_as_reading_everything(
    owner: User, of_runs: list[list[tuple[str, int, int, dict[str, str]]]], tests: set[str], files: set[int]
) -> None:
    runs = [stored(owner, places) for places in of_runs]

    found = chosen(runs, sorted(tests), sorted(files), [4 * KIB])

    everything = measured(runs)
    assert found == [
        one for one in everything if one.test in tests and one.file_size in files and one.record_size == 4 * KIB
    ]


def test_the_read_beside_a_result_is_counted_with_all_reads_of_its_run(owner: User) -> None:
    places = [("read", file, record, {}) for file in FILES for record in RECORDS]
    run = stored(owner, [*places, ("random_read", GIB, MIB, {})])

    (found,) = chosen([run], ["random_read"], [GIB], [MIB])

    assert found.sequential is not None
    assert found.sequential.mean == measured([run], {"ordinal": [1]})[0].mean
    assert found.sequential.tests == 3 * len(places)
