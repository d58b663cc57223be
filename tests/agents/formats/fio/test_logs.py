"""fio's logs over time as files of their own: compared with the JSON of the same run and with a second reader."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.companions import Companion, companion_named
from benchagent.formats.fio.histogram import bucket_of_value
from benchagent.formats.fio.logs import histogram_samples, log_name
from benchagent.formats.over_time import OverTime
from benchagent.formats.sampled import MOST_POINTS
from tests.agents.formats.crude import fio_log as crude
from tests.stats.distributions.hdr import counts_of

from .logged_run import LoggedRun

Value = tuple[str, str]


def values(parsed: Parsed, **params: object) -> dict[Value, float]:
    """The values by test and metric, of the results that have these params."""
    return {
        (each.test, each.metric): each.values[0] or 0
        for each in parsed.results
        if all(each.params.get(name) == value for name, value in params.items())
    }


def over_time(parsed: Parsed) -> dict[Value, OverTime]:
    return {(each.test, each.name): each for each in parsed.over_time}


@pytest.mark.needs("fio", package="fio")
def test_single_operations_are_those_of_the_json(logged: LoggedRun) -> None:
    of_job = json.loads(logged.output)["jobs"][1]["write"]
    for word, key, kind in (
        ("lat", "lat_ns", "total"),
        ("clat", "clat_ns", "completion"),
        ("slat", "slat_ns", "submission"),
    ):
        text = logged.log(f"single_{word}.2.log")
        parsed = parse(text, name=f"single_{word}.2.log")
        found = values(parsed, latency=kind, job="single", process=2, rw="unknown")
        count, _, mean, greatest = crude.single_operations(crude.rows(text)[1])
        assert found["write", "latency_mean"] == pytest.approx(mean / 1e9) == pytest.approx(of_job[key]["mean"] / 1e9)
        assert found["write", "latency_max"] == greatest / 1e9 == of_job[key]["max"] / 1e9
        [packed] = next(each.histograms for each in parsed.results if each.metric == "latency_mean")
        assert sum(counts_of(packed or "").values()) == count == of_job["total_ios"]
        assert {each.record_size for each in parsed.results} == {4096}
    seconds = of_job["runtime"] / 1000
    for word, name, size, metric in (("iops", "operations", 1, "rate"), ("bw", "bytes", 4096, "throughput")):
        parsed = parse(logged.log(f"single_{word}.2.log"), name=f"logs/single_{word}.2.log")
        steps = over_time(parsed)["write", name].points
        assert 0.75 * of_job["total_ios"] * size < sum(steps) <= of_job["total_ios"] * size, (
            "the last step may be left out"
        )
        assert all(step % size == 0 for step in steps)
        assert values(parsed)["write", metric] == pytest.approx(of_job["total_ios"] * size / seconds, rel=0.05)


@pytest.mark.needs("fio", package="fio")
def test_means_are_weighted_by_their_time(logged: LoggedRun) -> None:
    of_job = json.loads(logged.output)["jobs"][0]
    for word, metric, name, scale in (("bw", "throughput", "bytes", 1024), ("iops", "rate", "operations", 1)):
        text = logged.log(f"log_{word}.1.log")
        parsed = parse(text, name=f"log_{word}.1.log")
        for code, direction in enumerate(("read", "write")):
            lines = crude.rows(text)[code]
            found = values(parsed, job="log", process=1)[direction, metric]
            assert found == pytest.approx(crude.mean_of_steps(lines) * scale, rel=0.1), "but for gaps"
            assert found == pytest.approx(of_job[direction]["total_ios"] * (4096 if scale > 1 else 1) / 2.0, rel=0.25)
            series = over_time(parsed)[direction, name]
            assert sum(series.points) == pytest.approx(found * len(series.points) * series.step, rel=0.2)
            assert (series.start, series.step) == (0.0, 0.25), "fio has no shorter steps of rates"
    for word, key, kind in (("lat", "lat_ns", "total"), ("clat", "clat_ns", "completion")):
        parsed = parse(logged.log(f"log_{word}.1.log"), name=f"log_{word}.1.log")
        found_means = values(parsed, latency=kind, view="mean")
        for direction in ("read", "write"):
            mean = of_job[direction][key]["mean"] / 1e9
            assert mean / 4 < found_means[direction, "latency_mean"] < mean * 4, "not 1000 times as much"
            assert max(over_time(parsed)[direction, "latency_mean"].points) <= of_job[direction][key]["max"] / 1e9


@pytest.mark.needs("fio", package="fio")
def test_histograms_are_of_the_operations_in_the_json(logged: LoggedRun) -> None:
    """fio leaves out the last interval, and groups the buckets of json+ by two here."""
    text = logged.log("log_clat_hist.1.log")
    parsed = parse(text, name="log_clat_hist.1.log")
    of_job = json.loads(logged.output)["jobs"][0]
    for log in histogram_samples(text):
        bins = {int(middle): count for middle, count in of_job[log.direction]["clat_ns"]["bins"].items()}
        counted = sum(sum(each.values()) for each in log.histograms)
        assert 0 < counted <= of_job[log.direction]["clat_ns"]["N"]
        for each in log.histograms:
            for ns, count in each.items():
                low, high = bucket_of_value(ns)  # the second one of the two buckets begins in their middle
                assert low == ns
                assert count <= sum(number for middle, number in bins.items() if 2 * low - high <= middle < high)
        [packed] = [
            each.histograms[0] for each in parsed.results if (each.test, each.metric) == (log.direction, "latency_mean")
        ]
        assert sum(counts_of(packed or "").values()) == counted
        assert over_time(parsed)[log.direction, "latency_mean"].choice == 2


@pytest.mark.needs("fio", package="fio")
def test_the_output_names_its_logs(logged: LoggedRun) -> None:
    companions = parse(logged.output).companions
    random, sequential = {"read": "random_read", "write": "random_write", "sync": "sync"}, {"write": "write"}
    for name, tests in (
        ("log_bw.1.log", random),
        ("folder/log_slat.1.log", random),
        ("log_clat_hist.1.log", random),
        ("log_clat_hist.2.log", sequential),
        ("single_iops.2.log", sequential),
    ):
        found = companion_named(companions, name)
        assert found is not None
        assert (found.tests, found.start) == (tests, pytest.approx(2.0 if tests == sequential else 0, abs=0.1))
    assert companion_named(companions, "log_clat_hist.3.log") is None
    assert companion_named(companions, "other_bw.1.log") is None


def job(name: str, group: int, runtime: int, rw: str = "read", **options: str) -> dict[str, object]:
    read = {"io_bytes": 4096, "bw": 1, "iops": 1.0, "runtime": runtime}
    options = {"rw": rw, **options}
    return {"jobname": name, "groupid": group, "job_runtime": runtime, "job options": options, "read": read}


def test_jobs_of_one_log_are_told_apart_by_their_process() -> None:
    log = {"write_bw_log": "x/all"}
    jobs = [job("a", 0, 3000, **log), job("b", 0, 5000, "randread", **log), job("c", 1, 1000, "randread", **log)]
    companions = parse(json.dumps({"fio version": "fio-3.33", "jobs": jobs})).companions
    found = {name: each for name, each in companions.items() if name.startswith("all")}
    assert found == {
        "all_bw.1.log": Companion({"read": "read"}, 0.0, 6.0),
        "all_bw.2.log": Companion({"read": "random_read"}, 0.0, 6.0),
        "all_bw.3.log": Companion({"read": "random_read"}, 5.0, 1.0),
    }
    assert companions["b_iops.log"].tests == {"read": "random_read"}, "without a value, the job names its log"
    grouped = [job(name, 0, 1000, rw, group_reporting="", **log) for name, rw in (("a", "read"), ("b", "randread"))]
    hidden = parse(json.dumps({"fio version": "fio-3.33", "jobs": grouped})).companions
    assert not any(name.startswith("all") for name in hidden), "the processes of a group are not listed"


def test_jobs_start_when_the_output_says_so() -> None:
    jobs = [{**job(name, 0, 1000), "job_start": start} for name, start in (("a", 1795713943301), ("b", 1795713945801))]
    companions = parse(json.dumps({"fio version": "fio-3.36", "jobs": jobs})).companions
    assert companions["a_bw.log"] == Companion({"read": "read"}, 0.0, 3.5)
    assert companions["b_bw.log"] == Companion({"read": "read"}, 2.5, 1.0)


def test_a_report_for_people_names_logs_by_its_jobs() -> None:
    text = "a: (groupid=0, jobs=1): err= 0: pid=1\n  read: IOPS=1, BW=4096B/s (4096B/s)(4096B/1000msec)\n"
    assert parse(text).companions["a_bw.log"].tests == {"read": "read"}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("log_bw.1.log", ("log", "bw", 1)),
        ("my_lat_clat_hist.12.log", ("my_lat", "clat_hist", 12)),
        ("_iops.log", ("", "iops", None)),
        ("log_bw.1.log.fz", None),
        ("bw.log", None),
    ],
)
def test_names_say_what_a_log_is(name: str, parts: tuple[str, str, int | None] | None) -> None:
    found = log_name(name)
    assert (found and (found.prefix, found.word, found.process)) == parts


UNKNOWN = "the log does not say the unit of its latencies"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5, 1500, 1, 4096\n", UNKNOWN),
        ("5, 1500, 1, 4096, 8192\n", UNKNOWN),  # an offset, up to 3.17
        ("#[Unit: us]\n5, 1500, 1, 4096\n", 1.5e-3),
        ("#[Unit: µs]\n5, 1500, 1, 4096, 8192\n", 1.5e-3),
        ("#[Unit: ns]\n5, 1500, 1, 4096\n", 1.5e-6),
        ("5, 1500, 1, 4096, 0\n", 1.5e-6),  # 3.18
        ("5, 1500, 1, 4096, 0x6004\n\n", 1.5e-6),  # log_prio
        ("5, 1500, 1, 4096, 8192, 0\n", 1.5e-6),  # log_offset
        ("5, 1500, 1, 0, 8192, 0, 99\n", 1.5e-6),  # log_issue_time
        ("5, 1500, 1900, 1, 0, 0\n", 1.5e-6),  # log_window_value=both
        ("5, 1500, 1900, 0, 0, 8192, 0\n6, 1500, 1500, 1, 0, 0, 0\n", 1.5e-6),
    ],
)
def test_the_unit_of_latencies_is_never_guessed(text: str, seconds: float | str) -> None:
    if isinstance(seconds, str):
        with pytest.raises(FormatError, match=seconds):
            parse(text, name="a_lat.1.log")
        return
    found = values(parse(text, name="a_lat.1.log"))
    assert all(value == pytest.approx(seconds) for (_, metric), value in found.items() if metric == "latency_mean")
    assert [value for (_, metric), value in found.items() if metric == "latency_mean"]
    if "1900" in text:
        assert max(value for (_, metric), value in found.items() if metric == "latency_max") == pytest.approx(1.9e-6)


def test_older_throughputs_have_a_record_size_but_are_means() -> None:
    parsed = parse("".join(f"{time}, 2048, 0, 4096\n" for time in (500, 1001, 1502, 2003)), name="old_bw.log")
    assert values(parsed) == {("read", "throughput"): pytest.approx(2048 * 1024)}
    assert over_time(parsed)["read", "bytes"].points == pytest.approx((1048576,) * 4, rel=0.01)


def test_means_after_a_pause_are_of_one_step() -> None:
    text = "".join(f"{time}, 100, 1, 0, 0\n" for time in (1000, 2000, 3000, 8000, 9000))
    [series] = parse(text, name="a_iops.1.log").over_time
    assert series.points == (100, 100, 100, 0, 0, 0, 0, 100, 100)


def test_processes_that_share_a_log_are_added_up() -> None:
    of_one = "".join(f"{1795713943000 + 500 * step}, 100, 1, 0, 0\n" for step in range(1, 5))
    [series] = parse(of_one * 3, name="a_iops.log").over_time
    assert (series.start, series.step) == (1795713943.0, 0.5)
    assert series.points == pytest.approx((150,) * 4)


@pytest.mark.parametrize(
    ("text", "name", "fault"),
    [
        ("1, 2, 0, 4096\n1, 2\n", "a_bw.1.log", "line 2, .*no line of a log"),
        ("1, 2, 0, 4096\n2, 2, 0, 4096, 0\n", "a_bw.1.log", "line 2, .*5 columns; expected 4"),
        ("1, 2, 0, 4096\n" + "1, 2, 9, 0\n" * 30, "a_bw.1.log", "line 2, .*9 is no direction"),
        ("0, 2, 0, 0\n", "a_iops.1.log", "no operation"),
        ("1, 0, 4096, 1, 2, 3, 4, 5\n", "a_clat_hist.1.log", "5 columns of counts; expected 1856"),
        ("1, 2, 0, 4096\n", "results.txt", "only the name of its file says what its numbers are"),
        ("1, 2, 0, 4096\n", None, "such as NAME_bw.1.log"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(text: str, name: str | None, fault: str) -> None:
    with pytest.raises(FormatError, match=fault):
        parse(text, name=name)


def test_a_log_that_is_cut_off_is_read_as_far_as_it_is_whole() -> None:
    parsed = parse("1000, 100, 0, 0, 0\n2000, 100, 0, 0, 0\n3000, 1", name="a_iops.1.log")
    assert not parsed.complete
    assert parsed.unread == ((3, "3000, 1"),)
    assert values(parsed)["read", "rate"] == 100


WORDS = st.sampled_from(["bw", "iops", "lat", "clat", "slat"])
LINES = st.lists(
    st.tuples(st.integers(0, 10**7), st.integers(0, 10**9), st.integers(0, 2), st.sampled_from([0, 512, 4096])),
    min_size=1,
    max_size=60,
)


@settings(max_examples=150, deadline=None)
@given(LINES, WORDS, st.booleans())
def test_any_log_keeps_its_amounts(lines: list[tuple[int, int, int, int]], word: str, in_order: bool) -> None:
    """The points of a series are no more than the figure, not negative, and as many as a document takes."""
    lines = sorted(lines) if in_order else lines
    text = "".join(f"{', '.join(map(str, line))}, 0\n" for line in lines)
    if word in ("bw", "iops") and not any(time for time, *_ in lines):
        with pytest.raises(FormatError, match="no operation"):
            parse(text, name=f"a_{word}.1.log")
        return
    parsed = parse(text, name=f"a_{word}.1.log")
    found = values(parsed)
    for (test, name), series in over_time(parsed).items():
        assert 0 < len(series.points) <= MOST_POINTS
        assert all(point >= 0 for point in series.points)
        code = ("read", "write", "trim").index(test)
        if name in ("bytes", "operations"):
            seconds = max(line[0] for line in lines if line[2] == code) / 1000
            figure = found[test, "throughput" if name == "bytes" else "rate"]
            assert sum(series.points) <= figure * seconds * (1 + 1e-6), "the last step may be left out"
        elif name == "latency_max":
            assert max(series.points) <= found[test, "latency_max"] * (1 + 1e-6)


@settings(max_examples=100, deadline=None)
@given(st.integers(), WORDS)
def test_hostile_logs_are_only_refused(seed: int, word: str) -> None:
    chance = random.Random(seed)
    text = "".join(f"{i * 500}, {chance.randrange(1000)}, {chance.randrange(2)}, 0, 0\n" for i in range(8))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", ",", "0x", "9" * 30, "\n", "-", "٣", "1e9", text[:40]]) + text[at + 1 :]
    try:
        parsed = parse(text, name=f"a_{word}.1.log")
    except FormatError:
        return
    assert parsed.results
