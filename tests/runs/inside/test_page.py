"""The page inside a run: its charts have the figures of the stored series."""

import csv
import re
from itertools import accumulate
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchagent.formats.sampled import SAMPLED
from benchdb.runs.inside.chart import HEIGHT, MOST_TICKS, WIDTH
from benchdb.runs.inside.page import inside_page
from benchdb.runs.inside.panels import KINDS
from benchdb.runs.inside.settled import MOST_JUDGED
from benchdb.runs.models import RoundSeries, Run
from tests.runs.inside.samples import round_of_series, rounds_of_tests
from tests.support.documents import document, result, series
from tests.support.store import store_run


def stored(owner: User, *sent: dict[str, Any], elapsed: list[float] | None = None) -> Run:
    results = [result(elapsed or [1.0, 2.0, 3.0], "run", "elapsed", "s")]
    return store_run(owner, document(series=list(sent), results=results, visibility="public"))


def page_of(run: Run, chosen: int | None = None, *span: float | None) -> Any:
    page = inside_page(run, chosen, *span)
    assert page is not None
    return SimpleNamespace(**page)


def test_a_chart_has_the_rates_of_its_steps(owner: User) -> None:
    """0, 512, 1,024 and 0 bytes in four steps of half a second."""
    (chart,) = page_of(stored(owner, series([0, 1, 3, 3], name="device_write_bytes", scale=512, step=0.5))).charts
    (line,) = chart.lines
    assert (chart.heading, chart.top) == ("Throughput of the device", "2 KiB/s")
    assert (line.label, line.mean) == ("writes", "768 B/s")
    assert line.path == "M0 100L250 100L500 50L750 0L1000 100"


def test_every_quantity_is_on_one_panel() -> None:
    assert sorted([name for kind in KINDS for name in kind.labels]) == sorted(SAMPLED.keys() - {"cpu_idle"})


@pytest.mark.parametrize(
    ("seconds", "said"), [(4.93e-5, "49.3 µs"), (1.216e-3, "1.22 ms"), (0.9996, "1 s"), (2.5, "2.5 s"), (0, "0 s")]
)
def test_latencies_have_a_unit_of_their_size(seconds: float, said: str) -> None:
    assert {kind.say(seconds) for kind in KINDS if "latency" in "".join(kind.labels)} == {said}


def test_lines_stay_inside_the_plot_and_quiet_panels_are_named(owner: User) -> None:
    page = page_of(stored(owner, *round_of_series(0, points=600)))
    for chart in page.charts:
        for line in chart.lines:
            points = [tuple(map(int, each.split())) for each in re.split("[ML]", line.path)[1:]]
            assert len(points) <= 301
            assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points), chart
    assert page.quiet == ["Reclaim of memory", "Stalls for memory", "Waiting for memory"]
    assert (page.length, page.step) == ("1 m 00 s", "0.1 s")


def test_disks_are_lines_of_a_chart_and_many_are_their_mean_and_ends(owner: User) -> None:
    def lines(disks: int) -> list[tuple[str, str]]:
        of_disks = [
            series([n, 2 * n], name="disk_busy_time", device=f"sd{n}", scale=0.125, step=1) for n in range(disks)
        ]
        (chart,) = page_of(stored(owner, *of_disks)).charts
        assert chart.heading == "Disks below, busy"
        return [(line.label, line.mean) for line in chart.lines]

    assert lines(3) == [("sd0", "0 %"), ("sd1", "12.5 %"), ("sd2", "25 %")]
    assert lines(9) == [("mean of 9 disks", "50 %"), ("most, sd8", "100 %"), ("least, sd0", "0 %")]


def test_smart_is_shown_with_its_change_in_the_round(owner: User, client: Client) -> None:
    smart = [
        {
            "disk": "sda",
            "name": "temperature",
            "unit": "°C",
            "source": "temperature.current",
            "before": 34.0,
            "after": 33.0,
        },
        {
            "disk": "sda",
            "name": "media_errors",
            "unit": "count",
            "source": "attribute 187",
            "before": 0.0,
            "after": 0.0,
        },
        {
            "disk": "sda",
            "name": "host_write_bytes",
            "unit": "B",
            "source": "statistics",
            "before": 2.0**40,
            "after": 2.0**40 + 2**31,
        },
        {"disk": "sdb", "name": "percentage_used", "unit": "ratio", "source": "endurance_used", "before": 0.03},
    ]
    content = document(series=[series(round=number) for number in (0, 1)], visibility="public")
    content["rounds"][0]["evidence"] = {"smart": smart}
    run = store_run(owner, content)
    assert [(row["disk"], row["label"], row["before"], row["change"]) for row in page_of(run, 1).smart] == [
        ("sda", "temperature", "34 °C", "−1 °C"),
        ("sda", "media errors", "0", "none"),
        ("sda", "written by hosts", "1 TiB", "+2 GiB"),
        ("sdb", "endurance used", "3 %", "–"),
    ]
    assert page_of(run, 2).smart == []
    assert "SMART of the disks" in client.get(f"/runs/{run.pk}/inside/?round=1").content.decode()


def test_series_of_a_tool_keep_their_place_in_the_round(owner: User) -> None:
    own = {"name": "operations", "step": 1.0, "source": "fsload"}
    run = stored(owner, series([5, 10], test="write", **own), series([5, 15], test="read", start=2.0, **own))
    (chart,) = page_of(run).charts
    assert [(line.label, line.mean, line.path[:5]) for line in chart.lines] == [
        ("Write", "5/s", "M0 50"),
        ("Read", "7.50/s", "M500 "),
    ]


def test_a_tool_s_series_say_when_they_settled(owner: User) -> None:
    own = {"name": "bytes", "step": 1.0, "source": "fsload"}
    rates = {"write": [1000 + i % 3 for i in range(40)] + [380 + i % 3 for i in range(40)], "read": [50, 150] * 20}
    sent = [series([*accumulate(steps)], test=test, **own) for test, steps in rates.items()]
    assert page_of(stored(owner, *sent)).settled == [
        "Write: fell by 62 % at 40 s, settled after 40 s.",
        "Read: never settled.",
    ]


def test_the_tests_with_the_most_operations_are_judged(owner: User) -> None:
    """Thousands of tests in a run of 3 kB took minutes of a request."""
    own = {"name": "operations", "step": 1.0, "source": "fsload"}
    sent = [series([*accumulate([n] * 20)], test=f"w{n}", **own) for n in range(1, MOST_JUDGED + 3)]
    settled = page_of(stored(owner, *sent)).settled
    assert [each.partition(":")[0] for each in settled] == [f"W{n}" for n in range(3, MOST_JUDGED + 3)] + ["Not judged"]
    assert settled[-1] == "Not judged: 2 tests with fewer operations."


def test_a_late_series_has_few_ticks(owner: User) -> None:
    """One tick for each four hours took any memory, for 3 kB."""
    run = stored(owner, series())
    RoundSeries.objects.filter(run=run).update(starts=[1e18])
    axis = page_of(run).axis
    assert axis is not None
    assert MOST_TICKS <= len(axis.ticks) <= MOST_TICKS + 1


def test_seconds_are_judged_and_named_by_the_time_of_the_round(owner: User) -> None:
    """Single operations make the rates of tenths of a second jump by half; those of seconds are steady."""
    tenths = [round(rate * jump) for rate in [100] * 20 + [50] * 20 for jump in (0.5, 1.5) * 5]
    sent = [series([*accumulate(tenths)], name="operations", test="read", start=30.0, source="fsload")]
    assert page_of(stored(owner, *sent)).settled == ["Read: fell by 50 % at 50 s, settled within 20 s of its start."]


def test_tests_are_on_the_time_axis_and_choose_their_span(owner: User) -> None:
    own = {"step": 0.5, "source": "fsload"}
    sent = [
        series([2, 4, 6, 8], name="operations", test="write", **own),
        series([1, 2, 3, 4], name="bytes", test="write", **own),
        series([9, 18, 27, 36], name="operations", test="read", start=2.0, **own),
        series([3, 6], name="operations", test="write", start=4.0, **own),
        series([0, 0, 0, 0, 5, 10, 15, 20, 20, 20], name="device_writes", step=0.5),
    ]
    run = stored(owner, *sent)
    page = page_of(run)
    assert [(each.phase.label, each.phase.series, each.phase.times, each.stripe) for each in page.phases] == [
        ("Write", 1, "0 to 2 s", "M0 100H400"),
        ("Read", 2, "2 to 4 s", "M400 100H800"),
        ("Write", 1, "4 to 5 s", "M800 100H1000"),
    ]
    assert [each.href.partition("?")[2] for each in page.phases][1] == "round=1&from=2&to=4"

    def means(start: float | None, end: float | None) -> dict[tuple[str, str], str]:
        charts = page_of(run, 1, start, end).charts
        return {(chart.heading, line.label): line.mean for chart in charts for line in chart.lines}

    operations, writes = "Operations", ("Requests to the device", "writes")
    assert means(None, None)[operations, "Write"] == "4.67/s"  # 14 in 3 s
    assert means(2, 4) == {
        (operations, "Write"): "–",
        (operations, "Read"): "18/s",
        ("Throughput of the tool", "Write"): "–",
        writes: "10/s",
    }
    assert means(4, 2)[writes] == means(2, 4)[writes]
    assert means(3.75, None)[writes] == "2/s"  # half a step of 5, in 1.25 s
    assert means(9, 12) == means(None, None)  # outside of the round
    chosen = page_of(run, 1, 2, 4)
    assert chosen.span is not None
    assert (chosen.span["words"], chosen.span["area"]) == ("2 s from 2 s", "M400 0H800V100H400Z")


@pytest.mark.parametrize("query", ["from=x", "to=-1", "from=1e3", "to=" + "9" * 10])
def test_a_span_that_is_no_time_is_not_found(owner: User, client: Client, query: str) -> None:
    run = stored(owner, series())
    assert client.get(f"/runs/{run.pk}/inside/?round=1&{query}").status_code == 404
    assert client.get(f"/runs/{run.pk}/inside/?round=1&from=&to=0.2#span").status_code == 200


@pytest.mark.parametrize(("elapsed", "median"), [([3.0, 1.0, 2.0], 3), ([3.0, 1.0, None], 1)])
def test_the_round_of_median_duration_is_shown_first(owner: User, elapsed: list[float], median: int) -> None:
    run = stored(owner, *(series(round=number) for number in range(3)), elapsed=elapsed)
    page = page_of(run)
    assert (page.number, [link["current"] for link in page.rounds].index(True) + 1) == (median, median)
    assert page_of(run, 2).number == 2


def test_the_page_takes_as_many_queries_for_many_rounds(owner: User, client: Client) -> None:
    counts = []
    for rounds in (1, 3):
        run = stored(owner, *(series(round=number) for number in range(rounds)))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(f"/runs/{run.pk}/inside/").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("query", ["round=9", "round=x", "round=-1", "round=99999999"])
def test_a_round_without_samples_is_not_found(owner: User, client: Client, query: str) -> None:
    run = stored(owner, series())
    assert client.get(f"/runs/{run.pk}/inside/?{query}").status_code == 404
    assert client.get(f"/runs/{run.pk}/inside.csv?{query}").status_code == 404


def test_the_picture_has_the_charts_of_the_page(owner: User, client: Client) -> None:
    run = stored(owner, *round_of_series(0), *rounds_of_tests(0))
    page = page_of(run, 1, 2, 4)
    answer = client.get(f"/runs/{run.pk}/inside.svg?round=1&from=2&to=4")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    root = ElementTree.fromstring(answer.content)
    drawn = {path.get("d") for path in root.iter("{http://www.w3.org/2000/svg}path")}
    assert {line.path for chart in page.charts for line in chart.lines} <= drawn
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [chart.heading for chart in page.charts] == [
        text for text in texts if text in {c.heading for c in page.charts}
    ]
    assert any(text.startswith("round 1") and text.endswith("means over 2 s from 2 s") for text in texts)
    assert client.get(f"/runs/{run.pk}/inside.svg?round=9").status_code == 404


def test_the_file_has_every_sample_in_base_units(owner: User, client: Client) -> None:
    run = stored(
        owner, series([1, 3], name="device_write_bytes", scale=512, step=0.5), series([-40], name="temperature_cpu")
    )
    answer = client.get(f"/runs/{run.pk}/inside.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(answer.content.decode().splitlines()))
    source = "/sys/dev/block/*/stat"
    assert rows[1:] == [
        ["0.5", "device_write_bytes", "", "B", "sum", "512.0", source, ""],
        ["1.0", "device_write_bytes", "", "B", "sum", "1536.0", source, ""],
        ["0.1", "temperature_cpu", "", "°C", "level", "-40.0", source, ""],
    ]


def test_the_page_of_a_run_leads_to_it(owner: User, client: Client) -> None:
    link = "Inside the rounds"
    assert link in client.get(f"/runs/{stored(owner, series()).pk}/").content.decode()
    assert link not in client.get(f"/runs/{stored(owner).pk}/").content.decode()
