"""Any axes of the same runs: each result is in at most one cell, the one its labels determine."""

from collections import Counter

from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.compare.query.dimensions import DIMENSIONS
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.evaluate import evaluate
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import values
from tests.support.documents import GIB, KIB, MIB, environment, result
from tests.support.store import store_run

METRICS = {"throughput": ("B/s", 1e8), "elapsed": ("s", 10.0)}
OF_CELLS = ("test", "metric", "file_size", "record_size", "threads")
EXAMPLES = 15
ROUNDS = 2


def stored(owner: User) -> list[Run]:
    """Two file systems on two kernels, one of them twice, with results in every dimension of results."""
    return [_run(owner, name, kernel) for name in ("ext4", "xfs") for kernel in ("6.1", "6.12", "6.12")]


def _run(owner: User, name: str, kernel: str) -> Run:
    known = environment()
    known["kernel"]["release"] = kernel
    results = [
        result(
            values(mean, ROUNDS), test, metric, unit, file_size=GIB, record_size=size, threads=threads, params=params
        )
        for test in ("write", "read")
        for metric, (unit, mean) in METRICS.items()
        for size in (64 * KIB, MIB)
        for threads in (None, 4)
        for params in ({}, {"view": "min"})
    ]
    return store_run(owner, file_system=name, rounds=ROUNDS, results=results, environment=known)


@st.composite
def pivots(draw: st.DrawFn) -> Selection:
    names = draw(st.lists(st.sampled_from([*DIMENSIONS]), min_size=2, max_size=7, unique=True))
    first = draw(st.integers(1, min(3, len(names) - 1)))
    second = draw(st.integers(first + 1, min(first + 3, len(names))))
    return Selection(
        rows=tuple(names[:first]),
        columns=tuple(names[first:second]),
        split=tuple(names[second : second + 3]),
        filters=draw(st.sampled_from([{}, {"test": ("read", "write")}, {"threads": ("4",)}, {"params": ("none",)}])),
    )


def test_every_result_is_in_one_place_that_says_what_it_is(owner: User) -> None:
    runs = stored(owner)

    @settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow], deadline=None)
    @given(pivots())
    def holds(selection: Selection) -> None:
        content, _ = evaluate(selection.replace(runs=tuple(run.id for run in runs)), owner)
        _check(content)
        again, _ = evaluate(Selection.parse(content.query), owner)
        assert again.groups == content.groups

    holds()


def _check(content: TableContent) -> None:
    placed = list(cells(content))
    assert placed
    met = Counter(pair for part in placed for pair in zip(part.cell.runs, part.cell.ordinals, strict=True))
    assert set(met.values()) == {1}
    for part in placed:
        split, row, column = (int(number) for number in part.key.split("-"))
        group = content.groups[split]
        parts = {**group.parts, **group.rows[row].parts, **content.heads[column].parts}
        for name in OF_CELLS:
            if name in parts:
                assert DIMENSIONS[name].print(getattr(part.cell, name)) == parts[name]
        several = len(part.cell.runs)
        assert part.cell.n == (several if several > 1 else ROUNDS)
