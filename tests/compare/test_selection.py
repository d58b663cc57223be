"""A selection is the query string: reading and writing it are inverse."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.dimensions import DIMENSIONS
from benchdb.compare.selection import MOST_RUNS, NO_SPLIT, ImpossibleSelection, Selection
from benchdb.runs.units import UNITS

RUN = "01a1face-1892-7000-8000-00003ded1f24"
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
sizes = st.none() | st.integers(0, 2**50)


@st.composite
def selections(draw: st.DrawFn) -> Selection:
    rows, columns, split = draw(st.permutations([*DIMENSIONS]).map(lambda names: names[:3]))
    return Selection(
        runs=tuple(draw(st.lists(st.uuids(), max_size=5, unique=True))),
        campaign=draw(st.none() | st.uuids()),
        rows=rows,
        columns=columns,
        split=draw(st.sampled_from(["", NO_SPLIT, split])),
        metric=draw(st.sampled_from(["", *METRICS])),
        unit=draw(st.sampled_from(["", *UNITS])),
        baseline=draw(text),
        tool=draw(text),
        tests=tuple(draw(st.lists(text.filter(bool), max_size=3, unique=True))),
        file_size=draw(sizes),
        record_size=draw(sizes),
        threads=draw(st.none() | st.integers(0, 999_999_999)),
    )


@given(selections())
def test_printing_and_parsing_are_inverse(selection: Selection) -> None:
    assert Selection.parse(selection.query()) == selection


@given(st.text(max_size=200))
def test_any_query_string_is_read_or_refused(query: str) -> None:
    try:
        selection = Selection.parse(query)
    except ImpossibleSelection:
        return
    assert Selection.parse(selection.query()) == selection


def test_defaults_are_left_out() -> None:
    assert Selection(runs=(UUID(RUN),)).query() == f"run={RUN}"


def test_a_run_named_twice_is_one() -> None:
    assert Selection.parse(f"run={RUN}&run={RUN.upper()}").runs == (UUID(RUN),)


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("run=1", "run cannot be '1'"),
        ("campaign=x", "campaign cannot be 'x'"),
        ("rows=colour", "rows cannot be 'colour'; possible are test"),
        ("rows=test", "must be three different dimensions"),
        ("split=file_system", "must be three different dimensions"),
        ("metric=speed", "metric cannot be 'speed'"),
        ("unit=furlongs", "unit cannot be 'furlongs'"),
        ("file_size=large", "is not a size"),
        ("threads=many", "it is a whole number"),
        ("threads=٣", "it is a whole number"),
        ("fs=ext4", "There is no parameter fs"),
        ("&".join(f"run={UUID(int=i)}" for i in range(MOST_RUNS + 1)), "more than a table can hold"),
    ],
)
def test_what_cannot_be_is_said_with_what_can(query: str, fault: str) -> None:
    with pytest.raises(ImpossibleSelection, match=fault):
        Selection.parse(query)


def test_all_faults_are_said_at_once() -> None:
    with pytest.raises(ImpossibleSelection) as caught:
        Selection.parse("rows=colour&metric=speed&threads=many")
    assert len(caught.value.faults) == 3
