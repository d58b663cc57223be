"""Histograms of json+: those of a real run compared with fio's own percentiles, and small ones by hand."""

import json
from fractions import Fraction
from math import ceil

import pytest

from benchagent import formats
from benchagent.formats.fio.histogram import MOST_BUCKETS, bucket_of_index, bucket_of_value, histogram, packed
from tests.stats.distributions.hdr import counts_of

from .logged_run import LoggedRun


@pytest.mark.needs("fio", package="fio")
def test_results_have_the_histograms_of_their_means(logged: LoggedRun) -> None:
    """The second reader takes fio's own percentiles and numbers of operations from the JSON."""
    text = logged.output
    results = {
        (each.test, each.params["latency"], each.params.get("job")): each
        for each in formats.parse(text).results
        if each.metric == "latency_mean" and "view" not in each.params
    }
    seen = set()
    for job in json.loads(text)["jobs"]:
        for test, direction in (("random_read", "read"), ("random_write", "write"), ("sync", "sync")):
            for kind, key in (("completion", "clat_ns"), ("submission", "slat_ns"), ("total", "lat_ns")):
                latencies, result = job[direction].get(key, {}), results.get((test, kind, job["jobname"]))
                if not latencies.get("N") or result is None or not any(result.histograms):
                    continue
                [printed] = result.histograms
                counts = counts_of(printed or "")
                in_order = [value for value in sorted(counts) for _ in range(counts[value])]
                seen.add((test, kind))
                assert len(in_order) == latencies["N"]
                assert result.values[0] == pytest.approx(latencies["mean"] / 1e9)
                for share, printed in latencies.get("percentile", {}).items():
                    # fio computes with more digits than a float has: 99.95 % of 4000 is a little more than 3998.
                    rank = max(ceil(Fraction(float(share)) * len(in_order) / 100), 1)
                    assert in_order[rank - 1] == pytest.approx(printed, rel=1 / 64, abs=1)
    kinds = ("completion", "submission", "total")
    assert seen == {("sync", "total"), *((test, kind) for test in ("random_read", "random_write") for kind in kinds)}


def test_numbers_beyond_those_of_documents_make_no_distribution() -> None:
    assert packed(histogram("us", [((3, 4), 2), ((10**15, 10**15 + 1), 1)])) is None
    assert packed(histogram("ns", [((3, 4), 2**54)])) is None
    assert packed(histogram("ns", [])) is None
    assert counts_of(packed(histogram("us", [((3, 4), 2)])) or "") == {3500 + 1: 2}


def test_buckets_are_those_of_fio() -> None:
    edges = [bucket_of_index(index) for index in range(MOST_BUCKETS // 2)]
    assert all(high == low for (_, high), (low, _) in zip(edges, edges[1:]))
    assert all(bucket_of_value((low + high) // 2) == bucket_of_value(low) == (low, high) for low, high in edges)
    assert all(high - low <= max(1, low / 64) for low, high in edges)


def test_equal_buckets_are_added_and_empty_ones_left_out() -> None:
    counted = [((128, 130), 2), ((5, 6), 0), ((0, 1), 1), ((128, 130), 3)]
    assert histogram("ns", counted) == {0: 1, 129: 5}


def test_bins_of_2_x_are_indexes_of_microseconds() -> None:
    bins = {"FIO_IO_U_PLAT_BITS": 6, "FIO_IO_U_PLAT_VAL": 64, "FIO_IO_U_PLAT_NR": 1216, "3": 2, "128": 1}
    read = {"io_bytes": 4, "bw": 1, "iops": 1.0, "runtime": 4, "clat": {"mean": 3.0, "max": 130, "bins": bins}}
    text = json.dumps(
        {"fio version": "fio-2.15", "jobs": [{"jobname": "a", "job options": {"rw": "read"}, "read": read}]}
    )
    [mean] = [each for each in formats.parse(text).results if each.metric == "latency_mean"]
    assert mean.histograms == (packed(histogram("us", [((3, 4), 2), ((128, 130), 1)])),)


def with_bins(bins: str) -> formats.Parsed:
    """The reading of a job whose completion latencies have these bins."""
    latencies = f'{{"min": 100, "max": 9000, "mean": 1000.5, "stddev": 3.0, "bins": {bins}}}'
    read = f'{{"io_bytes": 4096, "bw_bytes": 4096, "iops": 1.0, "runtime": 1000, "clat_ns": {latencies}}}'
    job = f'{{"jobname": "a", "job options": {{"rw": "read"}}, "read": {read}}}'
    return formats.parse(f'{{"fio version": "fio-3.33", "jobs": [{job}]}}')


@pytest.mark.parametrize(
    ("key", "count"),
    [("500", "9" * 19), ("500", "-3"), ("500", "3.0"), ("500", "true"), ("500", "{}"), ("9" * 19, "3"), ("٥٠٠", "3")],
)
def test_a_histogram_with_an_unreadable_bin_is_not_stored_in_part(key: str, count: str) -> None:
    whole, faulty = with_bins('{"700": 4}'), with_bins(f'{{"{key}": {count}, "700": 4}}')
    assert [any(each.histograms) for each in whole.results].count(True) == 1
    assert not any(any(each.histograms) for each in faulty.results)
    assert [each.values for each in faulty.results] == [each.values for each in whole.results]
    assert [text for _, text in faulty.unread] == [f'"bins" of "clat_ns" of fio: "{key}" is no bucket with a count']


@pytest.mark.parametrize(
    ("bins", "reason"),
    [
        ("[500, 3]", "no object with buckets and counts"),
        ("[]", "no object with buckets and counts"),
        ("500", "no object with buckets and counts"),
        ("null", "no object with buckets and counts"),
        (f'{{"500": {2**53 - 1}, "700": 2}}', "operations or latencies beyond 2^53"),
        (f'{{"500": {2**53 - 1}, "700": 2, "FIO_IO_U_PLAT_NR": 1856}}', "operations or latencies beyond 2^53"),
        ('{"99999999999999999": 1}', "operations or latencies beyond 2^53"),
    ],
)
def test_a_histogram_that_is_left_out_is_listed(bins: str, reason: str) -> None:
    whole, faulty = with_bins('{"700": 4}'), with_bins(bins)
    assert not any(any(each.histograms) for each in faulty.results)
    assert [each.values for each in faulty.results] == [each.values for each in whole.results]
    assert faulty.unread == ((1, f'"bins" of "clat_ns" of fio: {reason}'),)


@pytest.mark.parametrize("bins", [f'{{"500": {2**53 - 2}, "700": 2}}', '{"700": 4, "800": 0}'])
def test_a_histogram_within_the_limits_is_read(bins: str) -> None:
    parsed = with_bins(bins)
    assert parsed.unread == ()
    assert [any(each.histograms) for each in parsed.results].count(True) == 1


@pytest.mark.parametrize("bins", ["{}", '{"700": 0}'])
def test_bins_without_an_operation_lack_nothing(bins: str) -> None:
    parsed = with_bins(bins)
    assert parsed.unread == ()
    assert not any(any(each.histograms) for each in parsed.results)


def test_a_histogram_without_a_mean_is_listed() -> None:
    assert with_bins('{"700": 4}, "mean": nan').unread == ((1, '"bins" of "clat_ns" of fio: no mean is beside it'),)


def test_percentiles_without_a_decimal_point_are_percentiles() -> None:
    parsed = with_bins('{"700": 1000}, "N": 1000, "percentile": {"50": 700, "99": 800}')
    found = {each.metric: each.values for each in parsed.results}
    assert (found["latency_p50"], found["latency_p99"]) == ((7e-7,), (8e-7,))
