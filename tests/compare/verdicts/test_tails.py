"""Tails in tables: verdicts from distributions beside throughput and latency, their words, and where there are none."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.query.selection import Selection
from benchdb.compare.redaction import redacted
from benchdb.compare.table import evaluate as evaluation
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.verdicts import tails as tails_module
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import tags
from benchdb.runs.cells.panel import cell_facts
from benchdb.runs.models import Run
from benchdb.stats import Cells
from benchdb.wording.units import UNITS
from tests.runs.distributions.sent import latencies
from tests.support.comparing.comparisons import SPREAD, values
from tests.support.documents import GIB, MIB, result
from tests.support.store import store_run

SIZES = {"file_size": 32 * GIB, "record_size": MIB, "threads": 2}
CALM = 1_000_000  # ns


def rounds(slow: int, operations: int = 20_000) -> list[Mapping[int, int]]:
    """A distribution for each round: forty operations of 20,000 take about `slow` ns."""
    few = operations // 500
    return [{CALM: operations - few, int(slow * (0.9 + 0.02 * i)): few} for i in range(len(SPREAD))]


def measured(slow: int, test: str = "write", mean: float = 1e8, **changes: Any) -> list[dict[str, Any]]:
    sizes = {**SIZES, **changes}
    return [result(values(mean), test, **sizes), latencies(*rounds(slow), test=test, **sizes)]


def compared(owner: User, *results: Sequence[dict[str, Any]], **sections: Any) -> list[Run]:
    names = ("ext4", "xfs", "btrfs")
    return [
        store_run(owner, file_system=name, rounds=len(SPREAD), results=list(of_run), **sections)
        for name, of_run in zip(names, results, strict=False)
    ]


def table(owner: User, runs: Sequence[Run], **changes: Any) -> TableContent:
    content, _ = evaluate(Selection(runs=tuple(run.id for run in runs)).replace(**changes), owner)
    assert isinstance(content, TableContent)
    return content


def tailed(content: TableContent) -> list[Cell]:
    return [placed.cell for placed in cells(content) if placed.cell.tail is not None]


@pytest.mark.django_db
def test_equal_means_with_another_tail(owner: User) -> None:
    runs = compared(owner, measured(5_000_000), measured(16_000_000), measured(5_100_000))

    worse, equal = tailed(table(owner, runs))

    assert worse.verdict is not None
    assert worse.tail is not None
    assert (worse.verdict.kind, worse.tail.kind, worse.tail.share) == ("equivalent", "worse", 99.9)
    assert worse.tail.low > 2.5
    assert worse.tail.why.startswith("p99.9 latency: 3.2× longer (95 % interval 3")
    assert worse.tail.why.endswith("corrected p < 0.0001; the mean throughput is equal.")
    assert ("tail", worse.tail.why) in cell_facts(worse, UNITS["MiB/s"])
    assert next((tag.text, tag.why) for tag in tags(worse)) == ("p99.9 ▼", worse.tail.why)
    assert equal.tail is not None
    assert equal.tail.kind == "equivalent"
    assert all("p99" not in tag.text for tag in tags(equal))


@pytest.mark.django_db
@pytest.mark.parametrize("metric", ["throughput", "latency_mean"])
def test_latencies_have_the_tail_of_the_same_operations(owner: User, metric: str) -> None:
    first, second = measured(5_000_000), measured(16_000_000)
    other = latencies(*rounds(90_000_000), test="write", **{**SIZES, "threads": 8})
    runs = compared(owner, [*first, other], [*second, other])

    (cell,) = tailed(table(owner, runs, filters={"metric": (metric,), "threads": ("2",)}))

    assert cell.metric == metric
    assert cell.tail is not None
    assert cell.tail.ratio == pytest.approx(3.2, rel=0.02)


@pytest.mark.django_db
def test_several_runs_are_the_sample(owner: User) -> None:
    days = (1.0, 1.02, 0.99)
    runs = [compared(owner, measured(int(5e6 * day)), measured(int(16e6 / day))) for day in days]
    (cell,) = tailed(table(owner, [run for pair in runs for run in pair], rows=("file_system",)))
    assert cell.n == 3
    assert cell.tail is not None
    assert cell.tail.kind == "worse"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "second",
    [
        [result(values(1e8), "write", **SIZES)],
        [result(values(1e8), "write", **SIZES), latencies(*rounds(5_000_000, 900), test="write", **SIZES)],
        [result(values(1e8), "write", **SIZES), latencies(*rounds(5_000_000), test="write", **{**SIZES, "threads": 4})],
    ],
    ids=["no distribution", "too few operations", "other threads"],
)
def test_there_is_no_tail_without_distributions_of_both_sides(owner: User, second: list[dict[str, Any]]) -> None:
    content = table(owner, compared(owner, measured(5_000_000), second), filters={"metric": ("throughput",)})
    assert tailed(content) == []


@pytest.mark.django_db
def test_one_query_serves_any_number_of_cells(owner: User) -> None:
    def queries(*tests: str) -> int:
        results = [[each for test in tests for each in measured(slow, test)] for slow in (5_000_000, 16_000_000)]
        runs = compared(owner, *results)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert len(tailed(table(owner, runs))) == len(tests)
        return len(captured)

    assert queries("write") == queries("write", "read", "rewrite", "random_read")


@pytest.mark.django_db
def test_too_many_distributions_are_left_out_with_a_note(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = compared(owner, measured(5_000_000), measured(16_000_000))
    monkeypatch.setattr(evaluation, "MOST_DISTRIBUTIONS", 11)
    content = table(owner, runs)
    assert tailed(content) == []
    assert "Tails of latencies are not compared: 12 rounds, 11 at most." in content.notes


@pytest.mark.django_db
def test_contents_keep_their_tails_until_the_baseline_is_deleted(owner: User) -> None:
    runs = compared(owner, measured(5_000_000), measured(16_000_000))
    content = table(owner, runs)

    assert from_json(to_json(content)) == content
    left = redacted(content, [str(runs[0].id)])
    assert isinstance(left, TableContent)
    assert tailed(left) == []


@pytest.mark.django_db
def test_contents_without_the_key_still_load(owner: User) -> None:
    content = table(owner, compared(owner, [result(values(1e8), **SIZES)], [result(values(2e8), **SIZES)]))
    document: Any = to_json(content)
    for group in document["groups"]:
        for row in group["rows"]:
            for cell in row["cells"]:
                assert cell.pop("tail") is None
    assert from_json(document) == content


def test_a_baseline_with_several_rivals_counts_once_in_the_usual_spread(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    whole = tails_module.compare_tails

    def noted(first: Cells, second: Cells, **options: Any) -> Any:
        seen.extend({id(side.table): len(side.table) for side in (first, second)}.values())
        return whole(first, second, **options)

    monkeypatch.setattr(tails_module, "compare_tails", noted)
    table(owner, compared(owner, measured(20_000_000), measured(30_000_000), measured(40_000_000)))
    assert seen == [3]
