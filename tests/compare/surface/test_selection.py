"""The selection of a surface is the query string: reading and writing it are inverse."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.surface.selection import MOST_RUNS, STATISTICS, SurfaceSelection
from benchdb.wording.units import UNITS, possible

RUN = "01a1face-1892-7000-8000-00003ded1f24"


@st.composite
def selections(draw: st.DrawFn) -> SurfaceSelection:
    metric = draw(st.sampled_from(["", *METRICS]))
    units = possible(METRICS[metric].unit) if metric else [*UNITS]
    return SurfaceSelection(
        runs=tuple(draw(st.lists(st.uuids(), min_size=1, max_size=MOST_RUNS, unique=True))),
        test=draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=20)),
        metric=metric,
        unit=draw(st.sampled_from(["", *units])),
        statistic=draw(st.sampled_from([*STATISTICS])),
    )


@given(selections())
def test_printing_and_parsing_are_inverse(selection: SurfaceSelection) -> None:
    assert SurfaceSelection.parse(selection.query()) == selection


@given(st.text(max_size=200))
def test_any_query_string_is_read_or_refused(query: str) -> None:
    try:
        selection = SurfaceSelection.parse(query)
    except ImpossibleSelection:
        return
    assert SurfaceSelection.parse(selection.query()) == selection


def test_what_is_left_open_is_left_out() -> None:
    assert SurfaceSelection((UUID(RUN),)).query() == f"run={RUN}"


def test_a_run_named_twice_is_one() -> None:
    assert SurfaceSelection.parse(f"run={RUN}&run={RUN.upper()}").runs == (UUID(RUN),)


def test_the_order_of_two_runs_is_kept() -> None:
    other = UUID(int=1)
    assert SurfaceSelection.parse(f"run={RUN}&run={other}").runs == (UUID(RUN), other)
