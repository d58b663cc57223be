"""LKP's statistics of a run and of several: which metrics are read, and that all others are listed."""

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.lkp.metrics import meaning
from tests.agents.formats.texts import golden


def test_the_numbers_of_a_matrix_are_the_values_of_one_result() -> None:
    parsed = parse(golden("lkp-fsmark_matrix.json"))
    [create] = [result for result in parsed.results if result.test == "create"]
    assert (create.metric, create.values, create.lines) == ("rate", (1197.4, 1808.3, 962.5), (3, 4, 5))
    assert create.params == {"program": "fsmark"}
    cpu = next(result for result in parsed.results if result.metric == "cpu_of_one_core")
    assert (cpu.test, cpu.values) == ("run", (0.27, 0.32, 0.19))
    assert parsed.complete


def test_other_metrics_are_unread_and_their_lines_are_one_block() -> None:
    parsed = parse(golden("lkp-fsmark_matrix.json"))
    assert (7, '"fsmark.app_overhead": [') in parsed.unread
    assert parsed.warnings[0] == 'lines 7 to 11 were not read: "fsmark.app_overhead": ['
    assert not any("stats_source" in text or "files_per_sec" in text for _, text in parsed.unread)


def test_fio_s_pattern_is_unknown_and_percentiles_have_their_metrics() -> None:
    parsed = parse(golden("lkp-fio_stats.json"))
    found = {result.metric: result for result in parsed.results if result.test == "write"}
    assert (found["throughput"].values, found["latency_p99"].values) == ((32.802734375 * 2**20,), (30336e-9,))
    assert found["latency_p99"].params == {"latency": "clat", "order": "unknown", "program": "fio"}
    assert (2 + 3, '"fio.write_clat_stddev": 52447.762284,') in parsed.unread


def test_dbench_s_clients_are_threads_of_its_own_metrics_only() -> None:
    parsed = parse(golden("lkp-dbench_matrix.json"))
    assert {(result.test, result.threads) for result in parsed.results} == {("dbench", 2), ("run", None)}


def test_sizes_of_iozone_are_in_the_name() -> None:
    parsed = parse(golden("lkp-iozone_matrix.json"))
    sizes = {(r.file_size, r.record_size) for r in parsed.results if r.test == "random_write"}
    assert (131072, 65536) in sizes
    assert not any(result.test == "write" and result.file_size is None for result in parsed.results)


@pytest.mark.parametrize(
    ("name", "test", "metric", "base"),
    [
        ("filebench.sum_bytes_mb/s", "flowops", "throughput", 2**20),
        ("aim7.jobs-per-min", "aim7", "rate", 1 / 60),
        ("aim9.creat-clo.ops_per_sec", "creat_clo", "rate", 1),
        ("fxmark.ssd_ext4_no_jnl_MWUL_18_bufferedio.works/sec", "mwul", "rate", 1),
        ("postmark.data_read", "read", "throughput", 1),
        ("iozone.64KB_4reclen.bkwd_read", "backward_read", "throughput", 1024),
        ("fio.read_iops.instance2", "read", "rate", 1),
    ],
)
def test_units(name: str, test: str, metric: str, base: float) -> None:
    known = meaning(name)
    assert known is not None
    assert (known.test, known.metric, known.times / known.over) == (test, metric, base)


@pytest.mark.parametrize(
    "name",
    [
        "fio.write_slat_mean_us",  # LKP prints fio's nanoseconds under this name
        "fio.write_clat_mean_us",  # as did its scripts before March 2024
        "fio.write_clat_stddev",
        "iozone.write_KBps",  # a sum over records divided by the number of all tests
        "iozone.average_KBps",
        "filebench.sum_time_ms/op",  # depends on the build
        "blogbench.write_score",
        "perf-stat.time",
        "fsmark.time.elapsed_time.max",
    ],
)
def test_metrics_without_a_defined_unit_or_meaning_are_not_read(name: str) -> None:
    assert meaning(name) is None


def test_a_missing_number_of_a_run_is_no_value() -> None:
    [result] = parse('{\n  "fsmark.files_per_sec": [\n    0,\n    5.5\n  ]\n}\n').results
    assert result.values == (None, 5.5)
    assert "writes for a number that is missing" in (result.error or "")


@pytest.mark.parametrize(("name", "words"), [("avg.json", "means"), ("a/b/stddev.json", "standard deviations")])
def test_files_of_no_run_are_refused_by_their_names(name: str, words: str) -> None:
    text = golden("lkp-fio_stats.json")
    with pytest.raises(FormatError, match=f"{words} of several runs; matrix.json has their values"):
        parse(text, name=name)
    assert parse(text, name="stats.json").results


def test_statistics_without_a_known_metric_are_refused() -> None:
    with pytest.raises(FormatError, match="no metric is one of a file system's benchmark"):
        parse('{"fio.workload": 5}', "lkp")


def test_cut_off_statistics_are_refused() -> None:
    text = golden("lkp-fsmark_matrix.json")
    with pytest.raises(FormatError, match="the JSON is cut off"):
        parse(text[: len(text) // 2])
