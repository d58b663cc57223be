"""A selection is the query string: reading and writing it are inverse."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.dimensions import DIMENSIONS, KEYED, dimension
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import CORRECTIONS, MOST_RUNS, NO_SPLIT, STATISTICS, Selection
from benchdb.wording.sizes import print_size
from benchdb.wording.units import UNITS

RUN = "01a1face-1892-7000-8000-00003ded1f24"
text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
keyed = st.builds(lambda kind, key: f"{kind}:{key}", st.sampled_from([*KEYED]), text)
names = st.lists(st.sampled_from([*DIMENSIONS]) | keyed, unique=True, min_size=2, max_size=8)
shares = st.floats(0, 1, exclude_min=True)


def values(name: str) -> st.SearchStrategy[str]:
    """Values of a dimension in their only spelling."""
    of = dimension(name)
    if name == "metric":
        return st.sampled_from([*METRICS])
    if of.kind == "size":
        return st.just(of.word) | st.integers(0, 2**50).map(print_size)
    if of.kind == "ratio":
        return st.integers(-45, 45).map(of.parameter)
    if of.kind == "number":
        return st.just(of.word) | st.integers(0, 999_999_999).map(str)
    return text


@st.composite
def selections(draw: st.DrawFn) -> Selection:
    chosen = draw(names)
    cuts = sorted(draw(st.lists(st.integers(1, len(chosen) - 1), min_size=1, max_size=2, unique=True)))
    parts = [chosen[: cuts[0]], chosen[cuts[0] : cuts[-1]] or chosen[cuts[0] :], chosen[cuts[-1] :]][: len(cuts) + 1]
    rows, columns, *split = (tuple(part[:3]) for part in parts)
    comparable = [name for name in (*rows, *columns) if name != "metric"]
    filtered = draw(st.lists(st.sampled_from([*DIMENSIONS]) | keyed, unique=True, max_size=4))
    units = {UNITS[name].base: name for name in draw(st.lists(st.sampled_from([*UNITS]), max_size=3))}
    return Selection(
        runs=tuple(draw(st.lists(st.uuids(), max_size=5, unique=True))),
        campaigns=tuple(draw(st.lists(st.uuids(), max_size=2, unique=True))),
        rows=rows,
        columns=columns,
        split=draw(st.sampled_from([(), (NO_SPLIT,), *split])),
        factor=tuple(draw(st.lists(st.sampled_from(comparable), unique=True, max_size=3))) if comparable else (),
        baseline=draw(st.just("") | text),
        units=tuple(units.values()),
        statistic=draw(st.sampled_from(STATISTICS)),
        margin=draw(shares),
        correction=draw(st.sampled_from(CORRECTIONS)),
        filters={
            name: tuple(draw(st.lists(values(name), min_size=1, max_size=3, unique=True)))
            for name in filtered
            if name not in ("run", "campaign")
        },
    )


@given(selections())
def test_printing_and_parsing_are_inverse(selection: Selection) -> None:
    assert Selection.parse(selection.query()) == selection


parameters = st.sampled_from(["record_size", "threads", "fill", "metric", "rows", "unit", "margin", "split", "factor"])


@given(st.text(max_size=200) | st.builds(lambda name, value: f"{name}={value}", parameters, text))
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
    ("query", "same"),
    [
        ("rows=file_system,mount_options", "rows=file_system&rows=mount_options"),
        ("unit=KB/s", "unit=KiB/s"),
        ("record_size=1024K&record_size=1M", "record_size=1M"),
        ("margin=3%", "margin=0.03"),
        ("threads=04", "threads=4"),
        ("tool=&test=&split=&unit=&metric=", ""),
    ],
)
def test_other_spellings_mean_the_same(query: str, same: str) -> None:
    assert Selection.parse(query) == Selection.parse(same)


def test_values_keep_the_order_in_which_they_were_asked_for() -> None:
    assert Selection.parse("test=read&test=write").filter("test") == ("read", "write")


@pytest.mark.parametrize(
    ("query", "factor"),
    [
        ("rows=file_system", ("file_system",)),
        ("rows=threads,metric&columns=file_system", ("threads",)),
        ("rows=metric&columns=file_system,mount_options", ("file_system", "mount_options")),
        ("rows=metric&columns=test&factor=test", ("test",)),
        ("rows=threads,metric&columns=file_system&factor=file_system", ("file_system",)),
    ],
)
def test_the_factor_is_the_rows_but_never_the_metric(query: str, factor: tuple[str, ...]) -> None:
    assert Selection.parse(query).factor_names == factor


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("run=1", "run cannot be '1'"),
        ("campaign=x", "campaign cannot be 'x'"),
        ("rows=colour", "rows cannot be 'colour'; possible are test"),
        ("rows=label:", "rows cannot be 'label:'; possible are"),
        ("rows=kernel,memory,disk,machine,cpu,os,tool,cache,fill", "rows has 9 dimensions; it can have 8 at most"),
        ("rows=test", "must be three different dimensions"),
        ("rows=kernel,kernel", "kernel is given twice"),
        ("rows=file_system&split=file_system", "must be three different dimensions"),
        (
            "rows=file_system&factor=kernel",
            "factor cannot be kernel; with these rows and columns possible are file_system, test",
        ),
        ("columns=metric&factor=metric", "factor cannot be metric"),
        ("metric=speed", "metric cannot be 'speed'; possible are throughput"),
        ("unit=furlongs", "unit cannot be 'furlongs'; possible are KiB/s"),
        ("unit=MiB/s&unit=KiB/s", "unit cannot be MiB/s and KiB/s"),
        ("statistic=mode", "statistic cannot be 'mode'; possible are mean"),
        ("correction=none", "correction cannot be 'none'; possible are benjamini_hochberg, holm"),
        ("margin=0", "it is a share such as 0.05 or 5%"),
        ("margin=nan", "it is a share such as 0.05 or 5%"),
        ("margin=101%", "it is a share such as 0.05 or 5%"),
        ("file_size=large", "is not a size"),
        ("threads=many", "neither a whole number nor"),
        ("threads=٣", "neither a whole number nor"),
        ("fs=ext4", "There is no parameter fs; possible are run, campaign, rows"),
        ("&".join(f"run={UUID(int=i)}" for i in range(MOST_RUNS + 1)), "more than a table can hold"),
    ],
)
def test_what_cannot_be_is_said_with_what_can(query: str, fault: str) -> None:
    with pytest.raises(ImpossibleSelection, match=fault):
        Selection.parse(query)


def test_all_faults_are_said_at_once() -> None:
    with pytest.raises(ImpossibleSelection) as caught:
        Selection.parse("rows=colour&metric=speed&threads=many&margin=2&fs=1")
    assert len(caught.value.faults) == 5
