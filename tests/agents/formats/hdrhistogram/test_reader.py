"""HdrHistogram's logs, written by its own library, with every precision; damaged, without a unit, with tags."""

from __future__ import annotations

import io
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

import pytest
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogWriter
from hypothesis import given, settings
from hypothesis import strategies as st

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.hdrhistogram.reader import decoded_histogram
from benchagent.formats.model import FinalError
from tests.stats.distributions.hdr import counts_of

HOUR = 3_600_000_000_000
COUNTS = st.dictionaries(st.integers(1, HOUR), st.integers(1, 10**6), min_size=1, max_size=40)


def recorded(counts: Mapping[int, int], digits: int = 3, lowest: int = 1) -> HdrHistogram:
    histogram = HdrHistogram(lowest, HOUR, digits)
    for latency, count in counts.items():
        histogram.record_value(latency, count)
    return histogram


def log_of(*intervals: tuple[str, Mapping[int, int]], unit: str = "#[Unit: us]\n", digits: int = 3) -> str:
    """A log of these tags and distributions."""
    text = io.StringIO()
    writer = HistogramLogWriter(text)
    writer.output_log_format_version()
    text.write(unit)
    writer.output_legend()
    for start, (tag, counts) in enumerate(intervals):
        text.write(f"Tag={tag}," if tag else "")
        writer.output_interval_histogram(recorded(counts, digits), start, start + 1)
    return text.getvalue()


def values(parsed: Parsed) -> dict[tuple[str, str], tuple[float | None, ...]]:
    return {(each.test, each.metric): each.values for each in parsed.results}


@settings(max_examples=25, deadline=None)
@given(COUNTS, st.integers(1, 5), st.sampled_from([1, 100, 1000]))
def test_the_library_s_histograms_are_decoded(counts: dict[int, int], digits: int, lowest: int) -> None:
    found = decoded_histogram(recorded(counts, digits, lowest).encode().decode())
    assert found.operations == sum(counts.values())
    for latency in counts:
        assert min(abs(latency - other) for other in found.counts) <= max(latency / 10**digits, lowest)


def test_intervals_are_parts_of_one_repetition() -> None:
    parsed = parse(log_of(("", {1_000: 98, 3_000: 1}), ("", {7_000: 1})))
    assert (parsed.tool, parsed.unread, parsed.warnings) == ("hdrhistogram", (), ())
    found = values(parsed)
    assert found["operations", "latency_mean"] == (pytest.approx((98 * 1e-3 + 3e-3 + 7e-3) / 100, rel=1e-3),)
    assert found["operations", "latency_max"] == (pytest.approx(7e-3, rel=1e-3),)
    assert found["operations", "latency_p50"] == (pytest.approx(1e-3, rel=1e-3),)
    assert ("operations", "latency_p99") not in found  # one operation is slower
    (packed,) = next(each.histograms for each in parsed.results if each.metric == "latency_mean")
    assert sorted(counts_of(packed).values()) == [1, 1, 98]


def test_tags_are_tests_unless_they_number_repetitions() -> None:
    read, update = {1_000: 1}, {2_000: 1}
    of_tests = values(parse(log_of(("READ", read), ("UPDATE-FAILED", update), ("READ", read))))
    assert ({test for test, _ in of_tests}, len(of_tests["read", "latency_mean"])) == ({"read", "update_failed"}, 1)

    of_rounds = log_of(("round-1", read), ("round-2", update), unit="#[Unit: ns]\n#[Test: random_read]\n")
    assert [1e9 * value for value in values(parse(of_rounds))["random_read", "latency_mean"]] == [
        pytest.approx(1_000, rel=1e-3),
        pytest.approx(2_000, rel=1e-3),
    ]

    alike = parse(log_of(("Read", read), ("READ", update)))
    assert {each.params["tag"] for each in alike.results} == {"Read", "READ"}


def test_a_unit_is_not_guessed() -> None:
    with pytest.raises(FormatError, match=r"line 3.*add a line #\[Unit: ns\]"):
        parse(log_of(("", {1_000: 1}), unit=""))
    of_jhiccup = log_of(("", {1_000: 1}), unit="#[Logged with jHiccup version 2.0.10]\n")
    assert values(parse(of_jhiccup))["operations", "latency_max"] == (pytest.approx(1e-6, rel=1e-3),)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: text.replace("HISTF", "HISTE"), "not in the compressed encoding"),
        (lambda text: text[:-9] + "AAAAAAAA\n", "cannot be decoded"),
        (lambda text: text[:-40] + "\n", "not read"),
        (lambda text: text.rpartition("\n0.")[0], "no interval"),
    ],
)
def test_damage_is_named(damage: Callable[[str], str], words: str) -> None:
    text = log_of(("", {1_000 + 17 * i: i + 1 for i in range(60)}))
    with pytest.raises(FormatError, match=words):
        parse(damage(text))


def test_a_log_may_inflate_as_far_as_measurements_do() -> None:
    measured = Counter(int(Random(seed).lognormvariate(11, 1)) for seed in range(20_000))
    assert parse(log_of(*[("", measured)] * 3, digits=5)).results

    equal = log_of(("", dict.fromkeys(range(1, 5_000), 1)), digits=5)
    line = equal.splitlines(keepends=True)[-1]
    assert len(zlib.decompress(b64decode(line.rpartition(",")[2])[8:])) > 10 * len(line)
    assert parse(equal).results
    with pytest.raises(
        FinalError, match=r"line 5.*more than [0-9,]+ bytes when inflated; a log may have 4 a character"
    ):
        parse(equal + line)


def test_one_line_cannot_hold_a_worker() -> None:
    counts = b"\x02" * 800_000
    header = bytes.fromhex("1c849313") + len(counts).to_bytes(4, "big") + bytes.fromhex("0000000000000005")
    plain = header + (1).to_bytes(8, "big") + HOUR.to_bytes(8, "big") + bytes.fromhex("3ff0000000000000") + counts
    packed = zlib.compress(plain, 9)
    text = b64encode(bytes.fromhex("1c849314") + len(packed).to_bytes(4, "big") + packed).decode()
    with pytest.raises(FinalError, match="bytes when inflated"):
        parse(f"{log_of()}1.0,1.0,1.0,{text}\n")
