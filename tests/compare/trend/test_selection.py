"""The selection of a trend is the query string: reading and writing it are inverse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.trend.selection import AXES, FIXED, MOST_SERIES, TrendSelection, canonical
from benchdb.wording.units import possible

RUN = "01a1face-1892-7000-8000-00003ded1f24"
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
some_text = text.filter(bool)
sizes = st.none() | st.integers(0, 2**50)
params = st.dictionaries(text, st.none() | st.booleans() | st.integers(-9, 9) | text, max_size=3)


@st.composite
def selections(draw: st.DrawFn) -> TrendSelection:
    metric = draw(st.sampled_from(["", *METRICS]))
    origin = draw(
        st.uuids().map(lambda run: {"run": run}) | st.builds(dict, machine=st.integers(0, 999_999_999), tool=text)
    )
    return TrendSelection(
        **origin,
        file_systems=tuple(draw(st.lists(some_text, max_size=MOST_SERIES, unique=True))),
        test=draw(text),
        metric=metric,
        file_size=draw(sizes),
        record_size=draw(sizes),
        threads=draw(st.none() | st.integers(0, 999_999_999)),
        params=draw(st.just("") | params.map(canonical)),
        by=draw(st.sampled_from([*AXES])),
        vary=tuple(draw(st.lists(st.sampled_from([*FIXED]), unique=True))),
        unit=draw(st.sampled_from(["", *possible(METRICS[metric].unit)])) if metric else "",
        before=draw(st.none() | st.uuids()),
    )


@given(selections())
def test_printing_and_parsing_are_inverse(selection: TrendSelection) -> None:
    assert TrendSelection.parse(selection.query()) == selection


@given(st.text(max_size=200))
def test_any_query_string_is_read_or_refused(query: str) -> None:
    try:
        selection = TrendSelection.parse(query)
    except ImpossibleSelection:
        return
    assert TrendSelection.parse(selection.query()) == selection


def test_defaults_are_left_out() -> None:
    assert TrendSelection.parse(f"run={RUN}&by=time&unit=").query() == f"run={RUN}"


def test_equal_params_have_one_address() -> None:
    one, other = (TrendSelection.parse(f"run={RUN}&params={text}") for text in ('{"a": 1, "b":2}', '{"b":2,"a":1}'))
    assert one.query() == other.query()


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("", "Name a run (run=ID, as in the addresses of runs) or a machine (machine=NUMBER)."),
        ("run=1", "run cannot be '1'"),
        (f"run={RUN}&run={RUN[:-1]}5", "run is given 2 times"),
        (f"run={RUN}&machine=7", "give run, or machine and tool"),
        (f"run={RUN}&tool=iozone", "give run, or machine and tool"),
        (f"run={RUN}&by=phase", "by cannot be 'phase'; possible are time, kernel"),
        (f"run={RUN}&vary=kernel", "vary cannot be 'kernel'; possible are block_size, mkfs_options"),
        (f"run={RUN}&metric=speed", "metric cannot be 'speed'; possible are"),
        (f"run={RUN}&metric=elapsed&unit=MiB/s", "unit cannot be 'MiB/s'; possible are s, "),
        (f"run={RUN}&unit=furlong", "unit cannot be 'furlong'"),
        (f"run={RUN}&file_size=large", "is not a size"),
        (f"run={RUN}&threads=many", "it is a whole number"),
        (f"run={RUN}&params=view", "params cannot be 'view'; it is a JSON object"),
        (f"run={RUN}&params=[1]", "params cannot be '[1]'"),
        (f"run={RUN}&params={'[' * 3000}", "params cannot be '[[["),
        (f"run={RUN}&before=now", "before cannot be 'now'"),
        (f"run={RUN}&colour=red", "There is no parameter colour; possible are before, by, file_size, file_system"),
        (f"run={RUN}" + "".join(f"&file_system=fs{i}" for i in range(8)), "8 file systems are more than 7 lines"),
    ],
)
def test_what_cannot_be_is_said_with_what_can(query: str, fault: str) -> None:
    with pytest.raises(ImpossibleSelection) as caught:
        TrendSelection.parse(query)
    assert fault in str(caught.value)


def test_all_faults_are_said_at_once() -> None:
    with pytest.raises(ImpossibleSelection) as caught:
        TrendSelection.parse("run=1&by=phase&threads=many&colour=red")
    assert len(caught.value.faults) == 4
