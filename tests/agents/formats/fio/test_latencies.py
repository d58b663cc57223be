"""Histograms of json+ and fio's logs over time: compared with each other in a real run, and small ones by hand."""

from __future__ import annotations

import json
import re
import subprocess
from math import ceil
from pathlib import Path

import pytest

from benchagent import formats
from benchagent.formats.fio.details import JobDetails, details
from benchagent.formats.fio.histogram import MOST_BUCKETS, LatencyBins, bucket_of_index, bucket_of_value, histogram
from benchagent.formats.fio.logs import histogram_samples, log_name, samples
from benchagent.formats.model import FormatError
from tests.stats.distributions.hdr import counts_of

JOBS = """[global]
size=1m
write_bw_log=log
write_iops_log=log
write_lat_log=log
write_hist_log=log
log_avg_msec=50
log_hist_msec=50
log_hist_coarseness=1
[a]
rw=randrw
time_based
runtime=300ms
ioengine=libaio
iodepth=4
fdatasync=8
lat_percentiles=1
slat_percentiles=1
[b]
stonewall
rw=write
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run, with its logs and its output."""
    folder = tmp_path_factory.mktemp("fio")
    (folder / "jobs").write_text(JOBS)
    done = subprocess.run(
        ["fio", "--output-format=json+", "jobs"], cwd=folder, capture_output=True, text=True, check=True
    )
    (folder / "out.json").write_text(done.stdout)
    return folder


def jobs_of(run: Path) -> dict[str, JobDetails]:
    return {job.name: job for job in details((run / "out.json").read_text())}


@pytest.mark.needs("fio", package="fio")
def test_histograms_have_every_operation(run: Path) -> None:
    printed = {job["jobname"]: job for job in json.loads((run / "out.json").read_text())["jobs"]}
    jobs = jobs_of(run)
    assert (jobs["a"].group, jobs["b"].group) == (0, 1)
    assert jobs["a"].options["iodepth"] == "4"
    assert jobs["a"].options["size"] == jobs["b"].options["size"] == "1m"
    found = {(each.test, each.kind): each.histogram for each in jobs["a"].histograms}
    assert set(found) >= {(test, kind) for test in ("random_read", "random_write") for kind in ("submission", "total")}
    for test, direction in (("random_read", "read"), ("random_write", "write")):
        assert found[test, "completion"].total == printed["a"][direction]["clat_ns"]["N"] > 0
        low, high = found[test, "completion"].lows[0], found[test, "completion"].highs[-1]
        assert low <= printed["a"][direction]["clat_ns"]["min"] < printed["a"][direction]["clat_ns"]["max"] < high
    assert found["sync", "total"].total == printed["a"]["sync"]["lat_ns"]["N"] > 0


@pytest.mark.needs("fio", package="fio")
def test_a_histogram_names_the_mean_of_its_result(run: Path) -> None:
    parsed = formats.parse((run / "out.json").read_text())
    means = {
        (each.test, each.params["latency"], line)
        for each in parsed.results
        if each.metric == "latency_mean" and "view" not in each.params
        for line in each.lines
    }
    for job in jobs_of(run).values():
        for each in job.histograms:
            assert (each.test, each.kind, each.mean_line) in means


@pytest.mark.needs("fio", package="fio")
def test_results_have_the_histograms_of_their_means(run: Path) -> None:
    """The second reader takes fio's own percentiles and numbers of operations from the JSON."""
    text = (run / "out.json").read_text()
    results = {
        (each.test, each.params["latency"], each.params.get("job")): each
        for each in formats.parse(text).results
        if each.metric == "latency_mean" and "view" not in each.params
    }
    seen = 0
    for job in json.loads(text)["jobs"]:
        for test, direction in (("random_read", "read"), ("random_write", "write")):
            latencies, result = job[direction]["clat_ns"], results.get((test, "completion", job["jobname"]))
            if not latencies["N"] or result is None:
                continue
            [packed] = result.histograms
            counts = counts_of(packed or "")
            in_order = [value for value in sorted(counts) for _ in range(counts[value])]
            seen += len(in_order)
            assert len(in_order) == latencies["N"]
            for share, printed in latencies["percentile"].items():
                rank = max(ceil(float(share) / 100 * len(in_order)), 1)
                assert in_order[rank - 1] == pytest.approx(printed, rel=1 / 64, abs=1)
    assert seen > 0


def test_numbers_beyond_those_of_documents_make_no_distribution() -> None:
    assert histogram("us", [((3, 4), 2), ((10**15, 10**15 + 1), 1)]).packed() is None
    assert histogram("ns", [((3, 4), 2**54)]).packed() is None
    assert histogram("ns", []).packed() is None
    assert counts_of(histogram("us", [((3, 4), 2)]).packed() or "") == {3500 + 1: 2}


@pytest.mark.needs("fio", package="fio")
def test_logs_are_of_the_same_operations_as_the_histograms(run: Path) -> None:
    whole = {(each.test, each.kind): each.histogram for each in jobs_of(run)["a"].histograms}
    logs = {each.direction: each for each in histogram_samples((run / "log_clat_hist.1.log").read_text(), "3.33")}
    assert set(logs) == {"read", "write"}
    for direction, log in logs.items():
        of_run = whole[f"random_{direction}", "completion"]
        counted = sum(each.total for each in log.histograms)
        assert 0 < counted <= of_run.total, "fio leaves out the last interval"
        finer = dict(zip(of_run.lows, of_run.counts))
        for each in log.histograms:
            for low, high, count in zip(each.lows, each.highs, each.counts):
                assert count <= sum(number for edge, number in finer.items() if low <= edge < high)
        assert list(log.times) == sorted(log.times)


@pytest.mark.needs("fio", package="fio")
def test_samples_are_in_base_units(run: Path) -> None:
    parsed = formats.parse((run / "out.json").read_text())
    for word, metric, test in (("bw", "throughput", "random_read"), ("iops", "rate", "random_read")):
        [of_reads] = [
            s for s in samples((run / f"log_{word}.1.log").read_text(), word, "3.33") if s.direction == "read"
        ]
        [whole] = [
            r.values[0] for r in parsed.results if (r.test, r.metric) == (test, metric) and "view" not in r.params
        ]
        assert whole
        assert of_reads.metric == metric
        assert whole / 4 < sum(of_reads.values) / len(of_reads.values) < whole * 4, "not 1024 times as much"
    [latencies] = [s for s in samples((run / "log_clat.1.log").read_text(), "clat", "3.33") if s.direction == "read"]
    assert (latencies.unit, latencies.kind) == ("s", "completion")
    assert all(0 < value < 10 for value in latencies.values)


def test_buckets_are_those_of_fio() -> None:
    edges = [bucket_of_index(index) for index in range(MOST_BUCKETS // 2)]
    assert all(high == low for (_, high), (low, _) in zip(edges, edges[1:]))
    assert all(bucket_of_value((low + high) // 2) == bucket_of_value(low) == (low, high) for low, high in edges)
    assert all(high - low <= max(1, low / 64) for low, high in edges)


def test_equal_buckets_are_added_and_empty_ones_left_out() -> None:
    counted = [((128, 130), 2), ((5, 6), 0), ((0, 1), 1), ((128, 130), 3)]
    assert histogram("ns", counted) == LatencyBins("ns", (0, 128), (1, 130), (1, 5))


def test_bins_of_2_x_are_indexes_of_microseconds() -> None:
    bins = {"FIO_IO_U_PLAT_BITS": 6, "FIO_IO_U_PLAT_VAL": 64, "FIO_IO_U_PLAT_NR": 1216, "3": 2, "128": 1, "x": 9}
    read = {"io_bytes": 4, "bw": 1, "iops": 1.0, "runtime": 4, "clat": {"mean": 3.0, "max": 130, "bins": bins}}
    text = json.dumps(
        {"fio version": "fio-2.15", "jobs": [{"jobname": "a", "job options": {"rw": "read"}, "read": read}]}
    )
    [job] = details(text)
    assert [each.histogram for each in job.histograms] == [LatencyBins("us", (3, 128), (4, 130), (2, 1))]


def test_a_report_for_people_has_no_details() -> None:
    assert details("a: (groupid=0, jobs=1): err= 0: pid=1\n") == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("log_bw.1.log", ("log", "bw", 1)),
        ("dir/my_lat_clat_hist.12.log", ("my_lat", "clat_hist", 12)),
        ("_iops.log", ("", "iops", None)),
        ("log_bw.1.log.fz", None),
        ("bw.log", None),
    ],
)
def test_names_say_what_a_log_is(name: str, parts: tuple[str, str, int | None] | None) -> None:
    found = log_name(name)
    assert (found and (found.prefix, found.word, found.process)) == parts


def test_older_latencies_are_microseconds() -> None:
    [old] = samples("5, 1500, 1, 4096\n", "lat", "2.21")
    [new] = samples("5, 1500, 1, 4096, 0x0\n\n", "lat", "3.41-dirty")
    assert (old.values, new.values) == ((0.0015,), (1.5e-6,))
    assert (old.direction, old.times, old.record_sizes) == ("write", (5,), (4096,))


@pytest.mark.parametrize(
    ("text", "word", "version", "fault"),
    [
        ("1, 2, 0, 4096\n1, 2\n", "bw", "3.33", "line 2, .*no line of a log"),
        ("1, 2, 9, 4096\n", "bw", "3.33", "9 is no direction"),
        ("<script>", "bw", "3.33", "no line of a log"),
        ("1, 99999999999999999999, 0, 4096\n", "bw", "3.33", "no line of a log"),
        ("1, 2, 0, 4096\n", "lat", "unknown", "no version of fio"),
    ],
)
def test_other_texts_are_refused_with_their_line(text: str, word: str, version: str, fault: str) -> None:
    with pytest.raises(FormatError, match=fault):
        samples(text, word, version)


def test_columns_of_another_number_are_refused() -> None:
    with pytest.raises(FormatError, match=re.escape("5 columns of counts; 1856 or a part of them were expected")):
        histogram_samples("1, 0, 4096, 1, 2, 3, 4, 5\n", "3.33")
