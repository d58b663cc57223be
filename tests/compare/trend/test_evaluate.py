"""The evaluation of a trend: its runs, its change points, and what changed there."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User

from benchdb.compare.content_json import to_json
from benchdb.compare.guard import changed, changes
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.trend.content import cells
from benchdb.compare.trend.evaluate import evaluate_trend
from benchdb.compare.trend.order import kernel_order
from benchdb.compare.trend.present import show_statements
from benchdb.compare.trend.selection import TrendSelection
from benchdb.runs.models import Run, RunState
from tests.support.comparing.comparisons import unknown_id, values
from tests.support.comparing.trends import NEW, OLD, on_kernel, run_of_day, upgraded
from tests.support.documents import GIB, KIB, MIB, STARTED, result, target
from tests.support.store import computed_before, make_user

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


def trend_of(run: Run, query: str = "", reader: Any = NOBODY) -> dict[str, Any]:
    """The evaluated trend of this run, as JSON."""
    return to_json(evaluate_trend(TrendSelection.parse(f"run={run.id}&{query}"), reader)[0])


def shown(content: dict[str, Any]) -> list[str]:
    return [run for series in content["series"] for run in series["runs"]]


def ids(runs: list[Run]) -> list[str]:
    return [str(run.id) for run in runs]


def test_a_change_point_says_what_changed_there(owner: User) -> None:
    runs = upgraded(owner)

    (series,) = trend_of(runs[3], "test=random_write")["series"]

    assert (series["runs"], [change["text"] for change in series["changes"]]) == (ids(runs), [f"kernel {OLD} → {NEW}"])
    (point,) = series["change_points"]
    assert (point["at"], point["kind"]) == (8, "worse")
    assert point["ratio"] == pytest.approx(0.88, rel=0.01)
    assert point["low"] < 0.88 < point["high"]
    assert point["text"].startswith("Throughput of random write: 12.0 % slower")
    assert point["text"].endswith(f" from 28 Nov 2026 on; changed there: kernel {OLD} → {NEW}.")
    assert [(part["first"], part["last"]) for part in series["segments"]] == [(0, 7), (8, 15)]
    assert (series["segments"][0]["text"], series["noise"]) == ("10.010", pytest.approx(0.01, abs=0.01))


def test_where_lower_is_better_a_fall_is_better(owner: User) -> None:
    def elapsed(seconds: float) -> list[dict[str, Any]]:
        return [result(values(seconds), "mkfs", "elapsed", "s")]

    runs = [run_of_day(owner, day, 1, results=elapsed(9 if day < 6 else 3)) for day in range(12)]

    content = trend_of(runs[0])

    assert (content["metric"], content["unit"], content["higher_is_better"]) == ("elapsed", "s", False)
    (point,) = content["series"][0]["change_points"]
    assert (point["at"], point["kind"], point["change"]) == (6, "better", "3.00× shorter")
    assert "; no recorded change there." in point["text"]


def test_what_changed_a_run_or_two_away_is_named_with_its_distance(owner: User) -> None:
    runs = [run_of_day(owner, day, 1.0 * MIB, environment=on_kernel(OLD if day < 7 else NEW)) for day in range(6)]
    runs += [run_of_day(owner, day, 2.0 * MIB, environment=on_kernel(OLD if day < 7 else NEW)) for day in range(6, 12)]

    (point,) = trend_of(runs[0])["series"][0]["change_points"]

    assert point["at"] == 6
    assert point["text"].endswith(f"on; 1 run later kernel {OLD} → {NEW}.")


def test_the_order_of_kernels_is_that_of_their_versions(owner: User) -> None:
    days = ["6.1.0-31", "6.1.0-9", "6.1.0-31", "6.1.0-9"]
    runs = [run_of_day(owner, day, MIB, environment=on_kernel(kernel)) for day, kernel in enumerate(days)]

    content = trend_of(runs[0], "by=kernel")

    assert content["title"] == "Write over kernels on epyc-2"
    assert shown(content) == ids([runs[1], runs[3], runs[0], runs[2]])
    assert [change["at"] for change in content["series"][0]["changes"]] == [2]


def test_by_kernel_a_change_point_names_the_kernel(owner: User) -> None:
    (point,) = trend_of(upgraded(owner)[0], "by=kernel")["series"][0]["change_points"]
    assert f" from kernel {NEW} on; changed there: kernel {OLD} → {NEW}." in point["text"]


def test_only_the_same_workload_on_the_same_machine_is_in_it(owner: User) -> None:
    run = run_of_day(owner, 0, MIB)
    other_workload = {
        "tool": "iozone",
        "tool_version": "3.489",
        "command": ["iozone"],
        "parameters": {"file_size": 2 * GIB},
    }
    warm = {"cache": "warm", "warmup_discarded": 0, "order": "interleaved", "prepare": "mkfs"}
    run_of_day(owner, 1, MIB, machine={"name": "epyc-3", "machine_id": "5b" * 32})
    run_of_day(owner, 2, MIB, workload=other_workload)
    run_of_day(owner, 3, MIB, protocol=warm)
    run_of_day(owner, 4, MIB, target={**target(), "kind": "directory"})
    run_of_day(owner, 5, MIB, target={**target(), "read_ahead": 4 * MIB})
    run_of_day(owner, 6, MIB, file_system="xfs")
    run_of_day(make_user("eve"), 7, MIB)
    again = run_of_day(owner, 8, MIB)

    content = trend_of(run)

    assert shown(content) == ids([run, again])
    assert content["series"][0]["others"] == [{"names": ["read_ahead"], "label": "read-ahead", "runs": 1}]
    assert content["series"][0]["unsearched"] == (
        "Too few runs to look for change points: it takes 6 with a figure that can be used."
    )


def test_settings_that_may_vary_are_told_as_changes(owner: User) -> None:
    one = run_of_day(owner, 0, MIB)
    two = run_of_day(owner, 1, MIB, target={**target(), "read_ahead": 4 * MIB})

    (series,) = trend_of(one, "vary=read_ahead")["series"]

    assert series["runs"] == ids([one, two])
    assert [change["text"] for change in series["changes"]] == ["read-ahead 2 MiB → 4 MiB"]
    assert series["others"] == []


def test_several_file_systems_are_several_series(owner: User) -> None:
    ext4 = upgraded(owner, 6, 6)
    xfs = upgraded(owner, 6, 6, step=1.3, file_system="xfs")

    content = trend_of(ext4[0], "file_system=xfs&file_system=ext4")

    assert [series["label"] for series in content["series"]] == ["xfs", "ext4"]
    assert [series["runs"] for series in content["series"]] == [ids(xfs), ids(ext4)]
    kinds = [[point["kind"] for point in series["change_points"]] for series in content["series"]]
    assert kinds == [["better"], ["worse"]]
    with pytest.raises(ImpossibleSelection, match="No run of this workload is on zfs; possible are ext4, xfs"):
        trend_of(ext4[0], "file_system=zfs")


def test_a_machine_and_a_tool_name_the_newest_run(owner: User) -> None:
    run_of_day(owner, 0, MIB)
    newest = run_of_day(owner, 1, MIB, file_system="xfs")

    content = to_json(evaluate_trend(TrendSelection.parse(f"machine={newest.machine_id}&tool=iozone"), NOBODY)[0])

    assert shown(content) == ids([newest])
    assert TrendSelection.parse(content["query"]).run == newest.id
    for query in (
        "machine=99999",
        f"machine={newest.machine_id}&tool=fio",
        f"machine={newest.machine_id}&tool=%00",
        f"run={unknown_id()}",
    ):
        with pytest.raises(NothingThere):
            evaluate_trend(TrendSelection.parse(query), NOBODY)


def test_the_address_of_a_trend_evaluates_to_the_same(owner: User) -> None:
    content = trend_of(upgraded(owner, 3, 3)[0], "test=random_write&by=kernel&unit=KiB/s")
    assert to_json(evaluate_trend(TrendSelection.parse(content["query"]), NOBODY)[0]) == content


def test_results_of_one_place_are_parted_by_their_params(owner: User) -> None:
    def results() -> list[dict[str, Any]]:
        means = {"min": 1.0 * MIB, "max": 2.0 * MIB}
        return [result(values(mean), params={"view": view}) for view, mean in means.items()]

    runs = [run_of_day(owner, day, 1, results=results()) for day in range(3)]

    first, second = trend_of(runs[0]), trend_of(runs[0], 'params={"view":"max"}')

    assert [cell["mean"] for cell in first["series"][0]["cells"]] == [pytest.approx(MIB)] * 3
    assert [cell["mean"] for cell in second["series"][0]["cells"]] == [pytest.approx(2 * MIB)] * 3
    assert TrendSelection.parse(first["query"]).params == '{"view":"min"}'
    with pytest.raises(ImpossibleSelection, match=r'possible are \{"view":"min"\}, \{"view":"max"\}'):
        trend_of(runs[0], "params={}")


def test_a_run_without_the_result_is_left_out_and_a_failed_one_stays(owner: User) -> None:
    runs = [run_of_day(owner, day, MIB) for day in range(3)]
    failed = [result([None] * 6, "write", file_size=32 * GIB, record_size=MIB, status="failed", error="I/O error")]
    runs.append(run_of_day(owner, 3, MIB, results=failed))
    run_of_day(owner, 4, MIB, results=[result(values(MIB), "read", file_size=32 * GIB, record_size=MIB)])

    content = trend_of(runs[0], "test=write")

    assert shown(content) == ids(runs)
    assert content["series"][0]["cells"][3]["status"] == "failed"
    assert content["notes"] == ["Left out: 1 run without this result."]


def test_runs_too_fast_for_the_clock_are_in_no_change_point(owner: User) -> None:
    fast = {"file_size": 64 * KIB, "record_size": 4 * KIB}  # takes 8 to 4 ticks of the clock
    levels = [64 * KIB / 8e-6] * 8 + [64 * KIB / 4e-6] * 8
    runs = [
        run_of_day(owner, day, MIB, results=[result(values(level), "write", **fast)])
        for day, level in enumerate(levels)
    ]

    (series,) = trend_of(runs[0], "test=write")["series"]

    assert {cell["clock"]["verdict"] for cell in series["cells"]} == {"unusable"}
    assert (series["change_points"], series["segments"]) == ([], [])
    assert "figure that can be used" in series["unsearched"]


def test_runs_under_former_statistics_are_shown_and_said(owner: User) -> None:
    run = run_of_day(owner, 0, MIB)
    computed_before([run])

    content = trend_of(run)

    assert content["series"][0]["cells"][0]["mean"] is not None
    note = "The statistics of 1 run are computed anew; till then the former ones stand."
    assert content["notes"] == [note]


def test_what_the_runs_do_not_have_is_refused_with_what_they_have(owner: User) -> None:
    run = run_of_day(owner, 0, MIB)
    for query, fault in {
        "test=mkfs": "No result has test mkfs; possible are Write, Random write.",
        "file_size=1G": "No result has file size 1 GiB; possible are 32 GiB.",
        "metric=elapsed": "No result has metric elapsed; possible are throughput.",
        "unit=ms": "throughput cannot be shown in 'ms'",
        f"before={run.id}": "There are no runs before this one.",
    }.items():
        with pytest.raises(ImpossibleSelection) as caught:
            trend_of(run, query)
        assert fault in str(caught.value)


def test_more_values_than_a_request_may_read_are_refused(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [run_of_day(owner, day, MIB) for day in range(2)]
    monkeypatch.setattr("benchdb.compare.trend.evaluate.MOST_VALUES", 11)

    with pytest.raises(ImpossibleSelection, match="This trend would read 12 values of 2 results, 11 values at most"):
        trend_of(runs[0])


def test_a_private_run_is_in_nobody_elses_trend(owner: User) -> None:
    public = run_of_day(owner, 0, MIB)
    private = run_of_day(owner, 1, MIB, visibility="private")
    unlisted = run_of_day(owner, 2, MIB, visibility="unlisted")
    withdrawn = run_of_day(owner, 3, MIB)
    RunState.objects.filter(run=withdrawn).update(withdrawn_at=STARTED + timedelta(days=9))

    assert shown(trend_of(public)) == ids([public])
    assert shown(trend_of(public, reader=owner)) == ids([public, private, unlisted])
    assert shown(trend_of(unlisted)) == ids([public, unlisted])  # a reader with its address may see it
    with pytest.raises(NothingThere):
        trend_of(private)


def test_older_runs_are_another_page(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchdb.compare.trend.runs.MOST_RUNS", 3)
    runs = [run_of_day(owner, day, MIB) for day in range(5)]

    newest = trend_of(runs[4])
    older = trend_of(runs[4], f"before={newest['older']}")

    assert (shown(newest), newest["older"]) == (ids(runs[2:]), str(runs[2].id))
    assert (shown(older), older["older"]) == (ids(runs[:2]), None)
    assert shown(trend_of(runs[0])) == ids([runs[0], *runs[2:]])  # the first is the run in the address


@pytest.mark.parametrize("days", [2, 12])
def test_as_many_queries_for_many_runs_as_for_few(owner: User, days: int, django_assert_num_queries: Any) -> None:
    runs = upgraded(owner, days, days)
    with django_assert_num_queries(7):
        trend_of(runs[0])


def test_cells_have_their_place_and_measure(owner: User) -> None:
    runs = upgraded(owner, 1, 1)
    content, _ = evaluate_trend(TrendSelection.parse(f"run={runs[0].id}&unit=KiB/s"), NOBODY)

    placed = list(cells(content))

    assert [cell.key for cell in placed] == ["0-0-0", "0-1-0"]
    assert (placed[0].split, placed[0].row, placed[0].column) == ("ext4", STARTED.isoformat(), "Write")
    assert (placed[0].measure.shown.name, placed[0].cell.mean) == ("KiB/s", pytest.approx(100 * MIB))


def test_where_a_series_changes_is_where_two_runs_in_it_differ(owner: User) -> None:
    runs = [
        run_of_day(
            owner,
            day,
            MIB,
            environment=on_kernel(f"6.{day // 3}.0"),
            target={**target("xfs" if day == 7 else "ext4"), "read_ahead": (1 + day // 4) * MIB},
            state_before={"fill": 0.02 * day} if day != 5 else {},
        )
        for day in range(9)
    ]
    everywhere = [at for at in range(1, 9) if changes(runs[at - 1], runs[at])]
    assert changed(runs, ()) == everywhere
    assert changed(runs, {"fill"}) == [3, 4, 6, 7, 8]
    assert changed(runs[:3], ()) == changed(runs[:1], ()) == changed([], ()) == []


def test_the_runs_of_a_day_count_once(owner: User) -> None:
    def run_at(day: int, hour: int) -> Run:
        started = STARTED + timedelta(days=day, hours=hour)
        times = {"started_at": started.isoformat(), "finished_at": (started + timedelta(minutes=9)).isoformat()}
        return run_of_day(owner, day, (90 if day < 6 else 50) * MIB, **times)

    runs = [run_at(day, hour) for day in range(12) for hour in (0, 1)]
    content, _ = evaluate_trend(TrendSelection.parse(f"run={runs[0].id}"), NOBODY)

    (series,) = content.series
    assert ([point.at for point in series.change_points], series.days) == ([12], 12)
    assert "Runs of one day count once, because they share its conditions: 12 days." in show_statements(content)


def test_runs_of_two_days_are_too_few_days(owner: User) -> None:
    runs = [run_of_day(owner, number // 6, (90 if number < 6 else 50) * MIB) for number in range(12)]
    (series,) = trend_of(runs[0])["series"]
    assert series["change_points"] == []
    assert series["unsearched"].startswith("Too few days")


def test_if_all_runs_are_of_one_day_each_counts_and_the_time_is_said(owner: User) -> None:
    def run_at(minute: int, level: float) -> Run:
        started = STARTED + timedelta(minutes=minute)
        times = {"started_at": started.isoformat(), "finished_at": (started + timedelta(seconds=9)).isoformat()}
        return run_of_day(owner, minute, level * MIB, **times)

    runs = [run_at(minute, 90 if minute < 8 else 50) for minute in range(16)]
    content, _ = evaluate_trend(TrendSelection.parse(f"run={runs[0].id}"), NOBODY)
    (series,) = content.series
    (point,) = series.change_points
    assert (point.at, point.certain, series.days) == (8, True, 1)
    assert f" from {STARTED + timedelta(minutes=8):%-d %b %Y, %H:%M} UTC on; " in point.text
    assert "All runs are of one day, so each of them counts; other days may differ." in show_statements(content)


def test_a_drift_is_no_step_of_one_day(owner: User) -> None:
    runs = [run_of_day(owner, day, MIB * (100 - day)) for day in range(16)]
    (series,) = trend_of(runs[0])["series"]
    (point,) = series["change_points"]
    assert (point["drift"], point["kind"], len(series["segments"])) == ([0, 15], "inconclusive", 2)
    assert point["text"].startswith("Throughput of write drifts: 15 % slower (95 % interval ")
    assert " over 15 days, from 20 Nov 2026 to 5 Dec 2026." in point["text"]


def test_a_small_step_of_few_days_is_not_certain(owner: User) -> None:
    (series,) = trend_of(upgraded(owner, 8, 3, step=0.97)[0])["series"]
    (point,) = series["change_points"]
    assert (point["certain"], point["kind"]) == (False, "inconclusive")
    assert point["text"].endswith(" Not certain yet: a history that is looked at after each run shows such a change by"
                                  " chance. Wait for more days.")  # fmt: skip


RELEASES = [
    None,
    "2.6.11",
    "2.6.9-custom",
    "5.10.0-9-amd64",
    "5.10.0-28-amd64",
    "6.1.0-9-amd64",
    "6.1.0-31-amd64",
    "6.12.0-rc1",
    "6.12.0-rc10",
    "6.12.0",
    "6.12.0+deb13-amd64",
    "6.12.1",
]


def test_numbers_count_as_numbers_and_candidates_come_before_releases() -> None:
    shuffled = random.Random(1).sample(RELEASES, len(RELEASES))
    expected = [None, "2.6.9-custom", "2.6.11", *RELEASES[3:]]
    assert sorted(shuffled, key=kernel_order) == expected
