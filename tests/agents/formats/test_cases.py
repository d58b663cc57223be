"""Texts that were once read wrongly, in part, or not at all: what a careful reader finds in them.

Each stands for a kind of fault. The expected values were read by a person.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from benchagent.formats import FormatError, Result, parse
from benchagent.formats.model import Param
from benchagent.formats.printed_units import say, units

CASES = Path(__file__).parent / "cases"
KIB, MIB, GIB = 1024, 1024**2, 1024**3


def text(name: str) -> str:
    return (CASES / f"{name}.txt").read_text()


class Found(NamedTuple):
    """The plain values of a test, and what tells it from the other tests of its text."""

    test: str
    values: dict[str, float]
    apart: dict[str, Param]
    sizes: tuple[int | None, int | None, int | None] | None = None


MAIN = {"throughput", "rate", "elapsed"}
EXPECTED = {
    "dd-two-devices": [
        Found("raw_read", {"elapsed": 5.1, "throughput": 211e6}, {"place": "sda"}, (None, MIB, 1)),
        Found("raw_read", {"elapsed": 0.5, "throughput": 2.1e9}, {"place": "nvme0n1"}, (None, MIB, 1)),
    ],
    "dd-two-mount-points": [
        Found("create", {"elapsed": 0.420642, "throughput": 125e6}, {"place": "~"}, (50 * MIB, MIB, 1)),
        Found("create", {"elapsed": 32.0672, "throughput": 1.6e6}, {"place": "~/fusemnt"}, (50 * MIB, MIB, 1)),
    ],
    "dd-chinese-fullwidth": [
        Found("create", {"elapsed": 5.1, "throughput": 211e6}, {"fdatasync": True}, (GIB, MIB, 1)),
    ],
    "ioping-two-devices": [
        Found("random_read", {"rate": 100, "throughput": 401.1 * KIB}, {"place": "sda"}, (None, 4096, 1)),
        Found("random_read", {"rate": 10300, "throughput": 40.4 * MIB}, {"place": "nvme0n1"}, (None, 4096, 1)),
    ],
    "ioping-statistics-cut": [
        Found("random_read", {"rate": 233, "throughput": 233.1 * MIB}, {"place": "/"}, (None, MIB, 1)),
        Found("random_read", {"rate": 3200, "throughput": 3.1 * GIB}, {"place": "~/tmpfs"}, (None, MIB, 1)),
    ],
    "fsmark-two-directories": [
        Found("create", {"rate": 507.5}, {"place": "ext4"}, (4096, 16384, 1)),
        Found("create", {"rate": 807.5}, {"place": "xfs"}, (4096, 16384, 1)),
    ],
    "fio-json-two-filenames": [
        Found("random_read", {"throughput": 40000 * KIB, "rate": 10000, "elapsed": 10}, {"place": "ext4"}),
        Found("random_read", {"throughput": 80000 * KIB, "rate": 20000, "elapsed": 10}, {"place": "xfs"}),
    ],
    "elbencho-resfile-command-line": [
        Found("write", {"elapsed": 5.262, "rate": 49820, "throughput": 194 * MIB}, {"direct": True}, (GIB, 4096, 1)),
        Found("write", {"elapsed": 1.262, "rate": 811, "throughput": 811 * MIB}, {"direct": True}, (GIB, MIB, 8)),
    ],
    "fio-blank-before-comma": [
        Found(
            "random_read",
            {"throughput": 2273.7 * KIB, "rate": 746, "elapsed": 144.052},
            {"depth": 64},
            (None, 4096, 1),
        ),
    ],
    "fio-each-line-in-backticks": [
        Found(
            "write",
            {"throughput": 724055 * KIB, "rate": 707, "elapsed": 7.241},
            {"depth": 32, "engine": "libaio"},
            (5 * GIB, MIB, 1),
        ),
    ],
    "fio-two-hosts-without-banner": [
        Found(
            "read",
            {"throughput": 33.3 * MIB, "rate": 33, "elapsed": 122.858},
            {"section": "Host"},
            (None, None, 1),
        ),
        Found(
            "read",
            {"throughput": 13.3 * MIB, "rate": 13, "elapsed": 307.97},
            {"section": "Guest"},
            (None, None, 1),
        ),
    ],
    "fio-two-numjobs-below-headings": [
        Found("read", {"throughput": 4664 * MIB, "rate": 37300}, {}, (None, None, 4)),
        Found("read", {"throughput": 4087 * MIB, "rate": 32700}, {}, (None, None, 8)),
    ],
    "fio-two-starts-two-depths": [
        Found("random_read", {"throughput": 4000 * KIB, "rate": 1000}, {"depth": 1}, (None, 4096, 1)),
        Found("random_read", {"throughput": 82.4 * MIB, "rate": 21100}, {"depth": 32}, (None, 4096, 1)),
    ],
    "fio-without-and-with-patch": [
        Found(
            "write",
            {"throughput": 22.3 * MIB, "rate": 5709, "elapsed": 20.002},
            {"section": 'Without "fix_order()"'},
            (None, None, 1),
        ),
        Found(
            "write",
            {"throughput": 83.1 * MIB, "rate": 21300, "elapsed": 20.001},
            {"section": 'With "fix_order()"'},
            (None, None, 1),
        ),
    ],
    "fio-job-header-with-group-lines": [
        Found("read", {"throughput": 18.8 * GIB, "elapsed": 30.001}, {"section": "randread jobs=2"}, (None, None, 2)),
        Found("read", {"throughput": 101 * MIB, "elapsed": 30.146}, {"section": "randrw jobs=2"}, (None, None, 2)),
        Found("write", {"throughput": 102 * MIB, "elapsed": 30.146}, {"section": "randrw jobs=2"}, (None, None, 2)),
    ],
    "sysbench04-command-above-banner": [
        Found("write", {"throughput": 177.56 * MIB, "rate": 88.78}, {"files": 1}, (2 * GIB, 2 * MIB, 1)),
        Found("random_read", {"throughput": 114.91 * MIB, "rate": 7354.24}, {"files": 128}, (16 * MIB, 16384, 1)),
    ],
    "dbench-shown-in-mib": [Found("dbench", {"throughput": 825.4846e6}, {}, (None, None, 8))],
}
REFUSED = {"crystaldiskmark-text": "CrystalDiskMark", "yabs-fio-table": "yabs"}


def test_each_case_has_its_values() -> None:
    assert {path.stem for path in CASES.glob("*.txt")} == EXPECTED.keys() | REFUSED.keys()


def plain(result: Result) -> bool:
    return result.metric in MAIN and not result.params.keys() & {"view", "latency"}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_case_is_read_as_a_careful_reader_does(name: str) -> None:
    results = [result for result in parse(text(name)).results if plain(result)]
    for found in EXPECTED[name]:
        of_test = [
            result
            for result in results
            if result.test == found.test
            and found.apart.items() <= result.params.items()
            and found.sizes in (None, (result.file_size, result.record_size, result.threads))
        ]
        assert {result.metric: list(result.values) for result in of_test if result.metric in found.values} == {
            metric: [pytest.approx(value, rel=1e-12)] for metric, value in found.values.items()
        }
        assert not any("process" in result.params for result in of_test)
    assert len({(result.test, *sorted(result.params.items(), key=str)) for result in results}) <= len(EXPECTED[name])


@pytest.mark.parametrize("name", REFUSED)
def test_a_table_of_a_tool_that_we_do_not_read_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(FormatError, match=REFUSED[name]):
        parse(text(name))


def test_throughput_is_shown_in_the_unit_of_the_text() -> None:
    results = parse(text("dbench-shown-in-mib")).results
    [throughput] = [result for result in results if result.metric == "throughput"]
    unit = units(results)["throughput"]
    assert (say(throughput.values[0] or 0, unit), unit) == ("825.4846", "MB/s")


def test_latencies_with_a_blank_before_the_comma() -> None:
    figures = {
        (result.params["latency"], result.metric, result.params.get("view")): result.values[0]
        for result in parse(text("fio-blank-before-comma")).results
        if "latency" in result.params
    }
    assert (figures["submission", "latency_min", None], figures["submission", "latency_max", None]) == (None, 0.012114)
    assert figures["completion", "latency_max", None] == 2.1252
    assert figures["total", "latency_mean", "sd"] == pytest.approx(0.09427192)


def test_percentiles_between_backticks() -> None:
    results = parse(text("fio-each-line-in-backticks")).results
    figures = {result.metric: result.values[0] for result in results}
    assert (figures["latency_p50"], figures["latency_p99"]) == (0.046, 0.18)
    assert parse(text("fio-each-line-in-backticks")).tool_version == "2.2.10"
