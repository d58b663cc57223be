"""Where values stand is packed into few characters, and comes out as it went in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from benchdb.ingest.copy import stored_results
from benchdb.runs.models import Parse, Result
from benchdb.runs.queries import measured
from benchdb.runs.sources import Packer, Place, Places, unpack
from tests.support.store import store_run

places = st.builds(
    lambda artifact, line: {"artifact": artifact, "line": line}, st.sampled_from("abc"), st.integers(1, 3)
)


def place(artifact: str, line: int) -> Place:
    return {"artifact": artifact, "line": line}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ([place("a", 25)], "0:25"),
        ([place("a", 25), place("b", 25)], "0:25"),
        ([place("a", 25), None, place("b", 25)], "0:25"),
        ([place("a", 25), None, place("b", 26)], "0:25,,26"),
        ([None, None], "0:"),
        ([], None),
        (None, None),
    ],
)
def test_a_result_has_its_line_once_where_all_rounds_have_the_same(
    source: list[Place] | None, lines: str | None
) -> None:
    assert Packer().pack(None if source is None else Places.of(source)) == lines


def test_results_of_the_same_artifacts_share_their_names() -> None:
    packer = Packer()

    rows = [[place("a", 1), place("b", 1)], [place("a", 2), place("b", 2)], [place("c", 1)]]
    packed = [packer.pack(Places.of(source)) for source in rows]

    assert packed == ["0:1", "0:2", "1:1"]
    assert packer.sources == [["a", "b"], ["c"]]


@given(st.lists(st.lists(st.none() | places, min_size=1)))
def test_what_is_packed_comes_out_as_it_went_in(sources: list[list[Place]]) -> None:
    packer = Packer()

    packed = [packer.pack(Places.of(source)) for source in sources]

    assert [unpack(lines or "", packer.sources) for lines in packed] == sources


def test_rows_of_before_are_read_beside_new_ones(owner: User) -> None:
    old, new = (store_run(owner) for _ in range(2))
    places = [each.source for each in measured([new.pk])]
    assert places == [[place("iozone.txt", 2)] * 3, None, None]
    Parse.objects.filter(run=old).update(sources=None)
    for each, source in zip(Result.objects.filter(run=old).order_by("ordinal"), places, strict=True):
        Result.objects.filter(pk=each.pk).update(lines=None, source=source)

    assert [each.source for each in measured([old.pk, new.pk])] == places * 2
    assert [row["source"] for row in stored_results(old.pk, 1)] == [each and Places.of(each) for each in places]
