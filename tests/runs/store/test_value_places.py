"""Sources of values are packed into few characters, and unpacked without change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.runs.store.value_places import Packer, Places, ValuePlace, unpack

places = st.builds(
    lambda artifact, line: {"artifact": artifact, "line": line}, st.sampled_from("abc"), st.integers(1, 3)
)


def place(artifact: str, line: int) -> ValuePlace:
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
    source: list[ValuePlace] | None, lines: str | None
) -> None:
    assert Packer().pack(None if source is None else Places.of(source)) == lines


def test_results_of_the_same_artifacts_share_their_names() -> None:
    packer = Packer()

    rows = [[place("a", 1), place("b", 1)], [place("a", 2), place("b", 2)], [place("c", 1)]]
    packed = [packer.pack(Places.of(source)) for source in rows]

    assert packed == ["0:1", "0:2", "1:1"]
    assert packer.sources == [["a", "b"], ["c"]]


@given(st.lists(st.lists(st.none() | places, min_size=1)))
def test_what_is_packed_comes_out_as_it_went_in(sources: list[list[ValuePlace]]) -> None:
    packer = Packer()

    packed = [packer.pack(Places.of(source)) for source in sources]

    assert [unpack(lines or "", packer.sources) for lines in packed] == sources
