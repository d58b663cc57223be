"""Changes of metrics in words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.vocabulary import METRICS
from benchdb.wording.changes import change_in_words, effect_in_words, largest_difference, metric_noun
from benchdb.wording.numbers import say_change


@pytest.mark.parametrize(
    ("metric", "ratio", "text"),
    [
        ("elapsed", 0.753, "24.7 % less time"),
        ("throughput", 1.082, "8.2 % more throughput"),
        ("latency_p99", 2.0, "p99 latency × 2"),
        ("latency_p99", 0.88, "12.0 % lower p99 latency"),
        ("cpu_of_one_core", 1.2, "20.0 % more CPU"),
        ("throughput", 434.1, "throughput × 434"),
        ("elapsed", 0.1, "time ÷ 10"),
        ("extents_per_file", 0.9, "10.0 % fewer extents per file"),
        ("rate", 0.9999, "0.01 % lower rate"),
    ],
)
def test_a_change_says_which_way_the_figure_itself_went(metric: str, ratio: float, text: str) -> None:
    assert change_in_words(metric, say_change(ratio)) == text


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
    ],
)
def test_an_effect_has_one_notation_and_words_for_its_direction(
    metric: str, ratio: float, interval: tuple[float, float] | None, change: str, ends: str
) -> None:
    words = effect_in_words(metric, ratio, *(interval or (None, None)))

    assert (f"{words.change} {words.noun}".strip().replace("\u202f", " "), words.interval) == (change, ends)


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
    [(0.86, 1.441, "45 %"), (0.98, 1.0212, "2.2 %"), (0.4, 2.01, "2.5×"), (0.6, 1.2, "1.7×"), (0.999, 1.0004, "0.1 %")],
)
def test_the_largest_difference_in_an_interval_is_rounded_up(low: float, high: float, text: str) -> None:
    assert largest_difference(low, high) == text


def test_a_change_may_have_more_digits() -> None:
    assert change_in_words("elapsed", "−24.71 %") == "24.71 % less time"


def test_every_metric_has_a_noun() -> None:
    nouns = [metric_noun(metric) for metric in METRICS]
    assert all(nouns)
    assert not any(mark in noun for noun in nouns for mark in ",_")
