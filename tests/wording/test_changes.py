"""Changes of metrics in words."""

import pytest

from benchagent.formats.vocabulary import METRICS
from benchdb.wording.changes import change_in_words, metric_noun, say_no_difference
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
    ("low", "high", "text"),
    [
        (0.825, 1.07, "no difference above 17.5 %"),
        (0.951, 1.4, "no difference above 40.0 %"),
        (0.825, 1.19, "no difference above 19.0 %"),
        (0.6, 1.2, "no difference above 66.7 %"),
        (0.66, 5.5, "no difference above × 5.5"),
        (0.1, 1.2, "no difference above × 10"),
        (1e-12, 1.2, "no difference above × 1 000 000 000"),
        (0.99999, 1.00001, "no difference above 0.001 %"),
    ],
)
def test_an_interval_excludes_greater_differences_in_both_directions(low: float, high: float, text: str) -> None:
    assert say_no_difference(low, high).replace("\u202f", " ") == text


def test_a_change_may_have_more_digits() -> None:
    assert change_in_words("elapsed", "−24.71 %") == "24.71 % less time"


def test_every_metric_has_a_noun() -> None:
    nouns = [metric_noun(metric) for metric in METRICS]
    assert all(nouns)
    assert not any(mark in noun for noun in nouns for mark in ",_")
