"""Response curves from results: the levels, the series, the points, and the knees."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.response.chart import response_chart
from benchdb.compare.response.content import ResponseContent
from benchdb.compare.response.evaluate import evaluate_response
from benchdb.compare.response.kind import without_runs
from benchdb.compare.response.labels import OFFSETS, Wanted, placed
from benchdb.compare.response.selection import ResponseSelection
from benchdb.runs.models import Run
from tests.runs.distributions.sent import latencies
from tests.support.comparing.comparisons import campaign, compared_runs, ids
from tests.support.comparing.responses import LEVELS, response_runs, results_at
from tests.support.documents import GIB, KIB, MIB
from tests.support.store import store_run

pytestmark = pytest.mark.django_db


def curves_of(owner: User, query: str) -> ResponseContent:
    return evaluate_response(ResponseSelection.parse(query), owner)[0]


def test_a_curve_for_each_file_system_with_its_knee(owner: User) -> None:
    runs = response_runs(owner)
    content = curves_of(owner, ids(runs[::-1]))  # in any order

    assert (content.over, content.series, content.test) == ("threads", ["file_system"], "random_read")
    assert [curve.label for curve in content.curves] == ["xfs", "ext4"]
    assert [[point.level for point in curve.points] for curve in content.curves] == [[*LEVELS]] * 2
    assert [curve.knee.text for curve in content.curves] == [
        "knee at 4 threads (95 % interval: 2 to 8 threads).",
        "knee at 8 threads (95 % interval: 4 to 16 threads).",
    ]
    point = content.curves[0].points[0]
    assert point.label == "1 thread"
    assert point.throughput is not None
    assert point.throughput.mean == pytest.approx(4096 / 1e-3)
    assert point.latency is not None
    assert point.latency.mean == pytest.approx(1e-3)
    assert not any(each.severe for each in content.differences)


def test_the_address_of_a_content_gives_the_same_content(owner: User) -> None:
    content = curves_of(owner, f"{ids(response_runs(owner))}&latency=latency_p99&unit=MB/s")
    assert (content.latency.metric, content.throughput.unit) == ("latency_p99", "MB/s")
    assert curves_of(owner, content.query) == content
    selection = ResponseSelection.parse(content.query)
    assert ResponseSelection.parse(selection.query()) == selection


def test_levels_inside_one_run_are_a_curve(owner: User) -> None:
    results = [each for level in LEVELS for each in results_at(level, 8)]
    (curve,) = curves_of(owner, f"run={store_run(owner, rounds=6, results=results).id}").curves
    assert ([point.label for point in curve.points][-2:], curve.knee.at) == (["16 threads", "32 threads"], 3)


@pytest.mark.parametrize(
    ("parameter", "labels"),
    [
        ("depth", ["depth 1", "depth 2", "depth 4", "depth 8"]),
        ("rate", ["rate 1/s", "rate 2/s", "rate 4/s", "rate 8/s"]),
    ],
)
def test_parameters_that_are_numbers_are_levels_too(owner: User, parameter: str, labels: list[str]) -> None:
    def workload(level: int) -> dict[str, object]:
        return {"tool": "fio", "tool_version": "3.33", "command": ["fio"], "parameters": {parameter: level}}

    runs = [
        store_run(
            owner,
            rounds=6,
            results=[{**each, "threads": 1, "params": {parameter: level}} for each in results_at(level, 4)],
            workload=workload(level),
        )
        for level in (8, 1, 2, 4)
    ]
    content = curves_of(owner, ids(runs))
    assert (content.over, content.title) == (f"parameter:{parameter}", f"Random read over {parameter} on epyc-2")
    (curve,) = content.curves
    assert [point.label for point in curve.points] == labels
    highest = labels[3].removeprefix(f"{parameter} ")
    assert curve.knee.text == f"knee at {labels[2]} (95 % interval: {labels[1]} to {highest})."


def test_a_campaign_of_several_lists_has_a_curve_over_each(owner: User) -> None:
    shared = {"campaign": campaign(), "rounds": 6}
    for depth in (1, 2, 4, 8):
        store_run(owner, results=results_at(1, 4), workload=_fio(depth=depth, threads=1), **shared)
    for threads in (2, 4, 8):
        store_run(owner, results=results_at(threads, 4), workload=_fio(depth=1, threads=threads), **shared)
    query = f"campaign={shared['campaign']['id']}"

    of_threads = curves_of(owner, f"{query}&over=threads")
    assert [[point.level for point in curve.points] for curve in of_threads.curves] == [[1, 2, 4, 8]]
    assert of_threads.notes == ["Not drawn: 3 single levels of other settings."]
    assert of_threads.subtitle.endswith("depth 1")
    rates = [store_run(owner, results=results_at(1, 4), workload=_fio(rate=rate), **shared) for rate in (100, 200, 400)]
    of_rates = curves_of(owner, f"{query}&over=parameter:rate")
    assert (of_rates.runs, [curve.label for curve in of_rates.curves]) == ([str(run.id) for run in rates], [""])


def test_imported_results_have_their_levels_in_their_params(owner: User) -> None:
    """Runs that no plan describes, at one rate each; and a single run whose jobs had several rates."""
    rates, more = (4000, 1000, 2000, 8000), {"arrivals": "poisson"}

    def at(rate: int) -> list[dict[str, Any]]:
        return [{**each, "threads": 1, "params": {"rate": rate, **more}} for each in results_at(rate // 1000, 4)]

    def stored(results: list[dict[str, Any]], **parameters: int) -> Run:
        return store_run(owner, rounds=6, results=results, workload=_fio(**parameters))

    single = [stored([each for rate in rates for each in at(rate)])]
    for runs in ([stored(at(rate)) for rate in rates], single):
        content = curves_of(owner, ids(runs))
        assert (content.over, content.over_label) == ("param:rate", "rate")
        (curve,) = content.curves
        assert [(point.label, point.level) for point in curve.points] == [
            (f"rate {rate}/s", float(rate)) for rate in sorted(rates)
        ]
        assert all(point.complete for point in curve.points)
        assert curves_of(owner, content.query) == content

    planned = stored([{**each, "threads": 1, "params": more} for each in results_at(16, 4)], rate=16000)
    both = curves_of(owner, f"{ids([*single, planned])}&over=param:rate&series=none")
    assert [point.level for point in both.curves[0].points] == [1000, 2000, 4000, 8000, 16000]


def test_percentiles_are_those_of_all_rounds_together(owner: User) -> None:
    """One round of six is slow: the mean of the rounds' percentiles is no percentile of their operations."""
    slow, calm = {1_000_000: 900, 30_000_000: 100}, {1_000_000: 999, 2_000_000: 1}
    runs = []
    for threads in (1, 2, 4):
        place = {"file_size": GIB, "record_size": 4 * KIB, "threads": threads}
        metrics = [each for each in results_at(threads, 2) if each["metric"] != "latency_mean"]
        runs.append(
            store_run(owner, rounds=6, results=[*metrics, latencies(slow, *[calm] * 5, test="random_read", **place)])
        )
    content = curves_of(owner, f"{ids(runs)}&latency=latency_p99")
    (curve,) = content.curves
    together = [point.together for point in curve.points]
    assert [(each.value, each.operations) for each in together if each] == [(pytest.approx(0.03, rel=0.01), 6000)] * 3
    assert together[0] is not None
    assert together[0].low == pytest.approx(1e-3, rel=0.01)  # without the slow round
    assert together[0].high == pytest.approx(0.03, rel=0.01)
    assert content.notes[-1].startswith("Percentiles are those of all rounds together")
    chart = response_chart(content)
    assert chart is not None
    drawn = [point.latency.value * content.latency.per for point in chart.curves[0].points]
    assert drawn == [pytest.approx(0.03, rel=0.01)] * 3
    assert curves_of(owner, f"{ids(runs)}&latency=latency_mean").curves[0].points[0].together is None
    older = to_json(content)
    for point in older["curves"][0]["points"]:
        del point["together"]
    assert isinstance(from_json(older), ResponseContent)


def _fio(**parameters: int) -> dict[str, object]:
    return {"tool": "fio", "tool_version": "3.33", "command": ["fio"], "parameters": parameters}


def test_levels_without_both_figures_are_not_joined(owner: User) -> None:
    runs = response_runs(owner, {"ext4": 8})
    failed = [
        {**each, "values": [None] * 6, "status": "failed", "error": "No space left on device"}
        for each in results_at(64, 8)
    ]
    runs.append(store_run(owner, rounds=6, results=failed, workload=_workload_of(runs[-1], 64)))
    (curve,) = curves_of(owner, ids(runs)).curves
    assert ([point.complete for point in curve.points], curve.knee.at) == ([True] * 6 + [False], 3)


def test_a_metric_that_is_filtered_away_is_an_axis_without_points(owner: User) -> None:
    def results(level: int) -> list[dict[str, Any]]:
        return [{**each, "record_size": size} for size in (KIB, MIB) for each in results_at(level, 8)[: size // KIB]]

    runs = [store_run(owner, rounds=6, results=results(level)) for level in (1, 2, 4)]
    content = curves_of(owner, f"{ids(runs)}&record_size={KIB}")
    assert (content.latency.unit, [point.latency for point in content.curves[0].points]) == ("µs", [None] * 3)


def _workload_of(run: Run, threads: int) -> dict[str, object]:
    parameters = {**run.parameters, "threads": threads}
    return {"tool": run.tool, "tool_version": run.tool_version, "command": ["fsload"], "parameters": parameters}


def test_a_deleted_run_takes_its_point_and_the_knee_of_its_curve(owner: User) -> None:
    runs = response_runs(owner)
    content = curves_of(owner, ids(runs))
    left = without_runs(content, [str(runs[2].id)])
    assert left is not None
    assert [len(curve.points) for curve in left.curves] == [5, 6]
    assert [curve.knee.reason for curve in left.curves] == ["deleted", None]
    assert without_runs(content, [str(run.id) for run in runs]) is None


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("over=file_system", "over cannot be file_system: it needs two levels that are numbers; possible are threads."),
        ("latency=latency_p50", "No test of these runs has throughput and latency_p50"),
        ("metric=elapsed", "metric cannot be 'elapsed'; possible are throughput, rate."),
        ("over=threads&series=threads", "threads cannot be over or series as well."),
        ("statistic=sd", "There is no parameter statistic"),
    ],
)
def test_impossible_selections_name_what_is_possible(owner: User, query: str, fault: str) -> None:
    runs = ids(response_runs(owner, {"ext4": 8}, (1, 2)))
    with pytest.raises(ImpossibleSelection) as caught:
        curves_of(owner, f"{runs}&{query}")
    assert caught.value.faults[0].startswith(fault)


def test_runs_without_latencies_or_levels_have_no_curve(owner: User) -> None:
    with pytest.raises(ImpossibleSelection, match="a response curve needs both"):
        curves_of(owner, ids(compared_runs(owner)))
    with pytest.raises(ImpossibleSelection, match="one level of load"):
        curves_of(owner, ids(response_runs(owner, levels=(4,))))


SIZE = (300.0, 200.0)


def test_a_label_alone_is_below_on_the_right() -> None:
    assert placed([Wanted(100, 100, "8")], [(100, 100)], *SIZE) == [OFFSETS[0]]


def test_at_the_edge_it_is_inside() -> None:
    (offset,) = placed([Wanted(298, 198, "knee 16")], [(298, 198)], *SIZE)
    assert offset is not None
    assert (offset.anchor, offset.dy < 0) == ("end", True)


def test_labels_of_one_place_are_around_it_until_no_room_is_left() -> None:
    found = placed([Wanted(150, 100, "32")] * 9, [(150, 100)], *SIZE)
    free = [offset for offset in found if offset is not None]
    assert len(free) == len(set(free)) >= 4
    assert found[-1] is None
