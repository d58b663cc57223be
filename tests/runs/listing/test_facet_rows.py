"""Rows of `Facets` in the memory of a web process."""

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdb.runs.listing import facet_rows
from benchdb.runs.listing.facet_rows import OF_ROW, KeptFacets
from benchdb.runs.models import Facets
from tests.runs.listing.facet_rows import new_facets

KERNEL = [facet.name for facet in OF_ROW].index("kernel")


def kernels_of(kept: KeptFacets, *rows: Facets) -> list[str | None]:
    """The kernel of each of these rows."""
    found, places = kept.rows(np.array([row.pk for row in rows], np.int64))
    assert (np.diff(found.ids) > 0).all()
    return [found.values[KERNEL][found.codes[KERNEL, place]][0] if place >= 0 else "deleted" for place in places]


def row(owner: User, release: str | None) -> Facets:
    return new_facets(owner, environment={"kernel_release": release})


def test_rows_are_read_once_in_any_order_of_their_ids(owner: User) -> None:
    """The transaction with the lower id may be committed later."""
    first, second, third = row(owner, "6.1"), row(owner, None), row(owner, "6.1")
    kept = KeptFacets()

    assert (kernels_of(kept, second), kernels_of(kept, third, first)) == ([None], ["6.1", "6.1"])
    with CaptureQueriesContext(connection) as captured:
        assert kernels_of(kept, first, second, third, first) == ["6.1", None, "6.1", "6.1"]
    assert not captured.captured_queries


def test_a_reading_that_is_ended_goes_on_at_the_next_request(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = row(owner, "6.1"), row(owner, "6.2")
    kept, whole = KeptFacets(), facet_rows._read
    monkeypatch.setattr(facet_rows, "READ_AT_ONCE", 1)
    monkeypatch.setattr(facet_rows, "_read", lambda ids: whole(ids[ids == first.pk]) or exit())
    with pytest.raises(SystemExit):
        kernels_of(kept, first, second)
    with CaptureQueriesContext(connection) as captured:
        assert kernels_of(kept, first) == ["6.1"]
    assert not captured.captured_queries


def test_a_row_that_was_deleted_before_it_was_read_has_no_place(owner: User) -> None:
    first, second = row(owner, "6.1"), row(owner, "6.2")
    Facets.objects.filter(pk=first.pk).delete()

    assert kernels_of(KeptFacets(), first, second) == ["deleted", "6.2"]
    assert (kernels_of(KeptFacets(), first), kernels_of(KeptFacets())) == (["deleted"], [])


def test_rows_beyond_the_most_are_read_each_time(owner: User) -> None:
    rows = [row(owner, f"6.{i}") for i in range(4)]
    kept = KeptFacets(most=2)

    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            assert kernels_of(kept, *rows) == ["6.0", "6.1", "6.2", "6.3"]
        assert len(captured) == 1
    with CaptureQueriesContext(connection) as captured:
        assert kernels_of(kept, *rows[:2]) == ["6.0", "6.1"]
    assert not captured.captured_queries


def test_two_processes_keep_rows_by_themselves(owner: User) -> None:
    first, second = KeptFacets(), KeptFacets()
    older = row(owner, "6.1")
    assert kernels_of(first, older) == kernels_of(second, older) == ["6.1"]

    newer = row(owner, "6.2")
    assert kernels_of(second, newer, older) == ["6.2", "6.1"]
    assert kernels_of(first, newer, older) == ["6.2", "6.1"]
