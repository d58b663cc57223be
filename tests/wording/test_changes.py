"""Changes of metrics in words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.vocabulary import METRICS
from benchdb.wording.changes import (
    change_and_interval,
    effect_in_words,
    largest_difference,
    metric_noun,
    range_in_words,
)


@pytest.mark.parametrize(
    ("metric", "ratio", "interval", "change", "ends"),
    [
        ("throughput", 0.4, (0.28, 0.59), "2.5× slower", "1.7× to 3.6×"),
        ("throughput", 0.05, (0.0286, 0.0833), "20× slower", "12× to 35×"),
        ("throughput", 1.12, (1.08, 1.15), "12 % faster", "8 % to 15 %"),
        ("throughput", 1.11, (0.86, 1.44), "+11 %", "−14 % to +44 %"),
        ("throughput", 1.2, (0.5, 3.0), "1.2× faster", "2× slower to 3× faster"),
        ("throughput", 1.02, (0.5, 3.0), "1×", "2× slower to 3× faster"),
        ("throughput", 1.3, (1.04, 1.6), "1.3× faster", "1.04× to 1.6×"),
        ("throughput", 1.222, (1.002, 1.489), "22 % faster", "0.2 % to 49 %"),
        ("throughput", 0.999, (0.98, 1.02), "0 %", "−2 % to +2 %"),
        ("throughput", 2.51, (2.505, 2.515), "2.51× faster", "2.50× to 2.52×"),
        ("throughput", 2.2534, (2.2528, 2.2541), "2.25× faster", "2.25× to 2.25×"),
        ("throughput", 1.0, (1.0, 1.0), "0.0 %", "0.0 % to 0.0 %"),
        ("throughput", 1.0034, (0.9908, 1.0102), "+0.3 %", "−0.9 % to +1.0 %"),
        ("cpu_time", 0.993, (0.9896, 1.0009), "−0.7 % CPU time", "−1.0 % to +0.1 %"),
        ("rate", 1e-12, None, "1 000 000 000× slower", ""),
        ("elapsed", 0.76, (0.7, 0.8), "24 % less time", "20 % to 30 %"),
        ("elapsed", 2.5, (1.7, 3.6), "2.5× longer", "1.7× to 3.6×"),
        ("latency_p99", 2.0, None, "2× longer p99 latency", ""),
        ("cpu_of_one_core", 1.3, None, "30 % more CPU", ""),
        ("layout_score", 0.5, None, "2× lower layout score", ""),
        ("extents_per_file", 0.9, (0.8, 0.95), "10 % fewer extents per file", "5 % to 20 %"),
        ("", 4.1, (4.0, 4.2), "4.1× higher", "4× to 4.2×"),
        ("throughput", 1.0, None, "0.0 %", ""),
    ],
)
def test_an_effect_has_one_notation_and_words_for_its_direction(
    metric: str, ratio: float, interval: tuple[float, float] | None, change: str, ends: str
) -> None:
    words = effect_in_words(metric, ratio, *(interval or (None, None)))

    assert (f"{words.change} {words.noun}".strip().replace("\u202f", " "), words.interval) == (change, ends)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(0.28, 0.59, "1.7× to 3.6× slower"), (0.86, 1.44, "−14 % to +44 %"), (1.08, 1.15, "8 % to 15 % faster")],
)
def test_a_range_of_changes_names_each_direction_once(low: float, high: float, text: str) -> None:
    assert range_in_words("throughput", low, high) == text


def test_what_is_not_known_is_empty() -> None:
    assert change_and_interval("elapsed", None) == ("", "")
    assert change_and_interval("elapsed", 0.76, 0.7) == ("24 % less", "")


RATIOS = st.floats(1e-12, 1e12) | st.floats(0.5, 2.5) | st.floats(1 - 1e-6, 1 + 1e-6) | st.sampled_from([0.0, 1e308])


@given(RATIOS)
def test_a_change_can_be_read_as_its_ratio(ratio: float) -> None:
    words = effect_in_words("throughput", ratio)
    number = float(re.sub(r"[^0-9.]", "", words.size))
    if ratio == 1:
        assert (words.change, words.direction) == ("0.0 %", "")
    else:
        assert words.change == f"{words.size} {'faster' if ratio > 1 else 'slower'}"
        assert number > (0 if "%" in words.size else 1)
    if "%" in words.size:
        assert number / 100 == pytest.approx(abs(ratio - 1), rel=0.051, abs=0.00051)
    else:
        assert number == pytest.approx(min(max(ratio, 1 / max(ratio, 1e-9)), 1e9), rel=0.051)


@given(st.floats(0.001, 1000), st.floats(1.0001, 30), st.floats(1.0001, 30))
def test_an_estimate_and_both_ends_are_all_percentages_or_all_factors(ratio: float, down: float, up: float) -> None:
    words = effect_in_words("throughput", ratio, ratio / down, ratio * up)
    sizes = [words.change, *words.interval.split(" to ")]

    assert len(sizes) == 3
    assert len({"%" in size for size in sizes}) == 1
    if not ratio / down <= 1 <= ratio * up:  # a difference is never written as none
        assert all(float(re.sub(r"[^0-9.]", "", size)) != (0 if "%" in size else 1) for size in sizes)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.86, 1.441, "45 %"),
        (0.98, 1.0212, "2.2 %"),
        (0.4, 2.01, "2.5×"),
        (0.6, 1.2, "1.7×"),
        (0.999, 1.0004, "0.1 %"),
        (0.5, 1e300, "1000000000×"),
    ],
)
def test_the_largest_difference_in_an_interval_is_rounded_up(low: float, high: float, text: str) -> None:
    assert largest_difference(low, high) == text


def test_every_metric_has_a_noun() -> None:
    nouns = [metric_noun(metric) for metric in METRICS]
    assert all(nouns)
    assert not any(mark in noun for noun in nouns for mark in ",_")
