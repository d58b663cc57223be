from pathlib import Path

import numpy as np
import pytest

from benchdb.stats import (
    CacheReason,
    ClockVerdict,
    NoVerdict,
    StatisticsWarning,
    WarningCode,
    cache_sentence,
    clock_sentence,
    sentences,
    summarise,
    warning_sentence,
)
from benchdb.stats.comparing.best_cells import NoBest
from benchdb.stats.trust.cache import CacheJudgement, CacheVerdict

DOCUMENT = Path(__file__).parents[2] / "docs" / "statistics.md"

TABLES = [
    (WarningCode, sentences.WARNINGS),
    (NoVerdict, sentences.NO_VERDICTS),
    (CacheReason, sentences.CACHE),
    (ClockVerdict, sentences.CLOCK),
]


@pytest.mark.parametrize(("codes", "table"), TABLES)
def test_every_code_has_a_sentence(codes, table):
    assert set(table) == set(codes)


@pytest.mark.parametrize("codes", [NoBest, *(codes for codes, _ in TABLES)])
def test_every_code_is_explained_in_the_documentation(codes):
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [code.value for code in codes if f"`{code.value}`" not in text] == []


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ([3.0], "There is only one value, so its spread is unknown. Measure more rounds."),
        ([1.0, 2.0, np.nan], "1 of 3 rounds gave no value. See the rounds for what went wrong."),
        (
            [10.0, 10.1, 9.9, 10.2, 9.8, 50.0],
            "Outlier: round 6. Included in all figures; compare the median.",
        ),
    ],
)
def test_a_warning_of_a_summary_in_words(row, sentence):
    (summary,) = summarise([row]).rows()
    assert [warning_sentence(warning) for warning in summary.warnings] == [sentence]


def test_every_warning_a_summary_can_give_fits_its_sentence():
    rows = [
        np.linspace(100, 120, 12),
        [5.0, *[10.0, 10.1, 9.9, 10.2] * 2, 50.0, np.inf, np.nan],
        [7.0] * 12,
        [np.nan] * 12,
    ]
    issued = [warning for warnings in summarise(rows).warnings for warning in warnings]
    assert len({warning.code for warning in issued}) >= 8
    for warning in issued:
        assert "{" not in warning_sentence(warning)


def test_disagreeing_tests_are_both_named():
    warning = StatisticsWarning(WarningCode.RANKS_DISAGREE, {"p": 0.0312, "p_ranks": 0.087})
    assert warning_sentence(warning).startswith("Welch's test (p = 0.031) and Mann–Whitney's (p = 0.087) disagree.")


@pytest.mark.parametrize(("side", "words"), [(0, "Rests on round 7: without it"), (1, "round 7 of the baseline:")])
def test_a_verdict_that_rests_on_one_round_names_it(side, words):
    warning = StatisticsWarning(WarningCode.RESTS_ON_ONE_ROUND, {"rounds": (6,), "side": side, "p": 0.08})
    assert words in warning_sentence(warning)


def test_a_mean_that_rests_on_one_test_names_it():
    warning = StatisticsWarning(WarningCode.RESTS_ON_ONE_TEST, {"test": "random read"})
    assert warning_sentence(warning).startswith("Rests on random read: without it")


def test_drift_says_how_far():
    warning = StatisticsWarning(WarningCode.DRIFT, {"tau": -0.9, "p": 0.0012, "change": -0.123})
    assert "−12.3 %" in warning_sentence(warning)


@pytest.mark.parametrize(
    ("verdict", "ticks", "sentence"),
    [
        (ClockVerdict.UNUSABLE, 1.0, "1.0 clock ticks, so ± 100 %, too coarse"),
        (ClockVerdict.COARSE, 52.88, "53 clock ticks, so ± 1.9 %."),
        (ClockVerdict.FINE, 16000.2, "16000 clock ticks."),
        (ClockVerdict.FINE, 29_014_964.0, "29 million clock ticks."),
        (ClockVerdict.UNUSABLE, 0.0, "0.0 clock ticks, so ± 100 %"),
        (ClockVerdict.UNKNOWN, None, "is unknown"),
    ],
)
def test_the_clock_in_words(verdict, ticks, sentence):
    assert sentence in clock_sentence(verdict, ticks)


@pytest.mark.parametrize(
    ("reason", "numbers", "sentence"),
    [
        (CacheReason.DEVICE_BYTES, {"share": 0.973}, "The device moved 97 % of the bytes that the test requested."),
        (CacheReason.FITS_IN_MEMORY, {"times": 0.0625}, "The file is 0.062 times the memory, so it fits there."),
        (
            CacheReason.FITS_IN_MEMORY,
            {"times": 7.6e-06},
            "The file is less than 0.01 times the memory, so it fits there.",
        ),
        (CacheReason.LARGER_THAN_MEMORY, {"times": 128.0, "share": 0.01}, "The file is 128 times the memory."),
        (
            CacheReason.PARTLY_IN_MEMORY,
            {"times": 2.0, "share": 0.5},
            "The file is 2 times the memory, so up to 50 % of it was in memory.",
        ),
        (
            CacheReason.PARTS_OF_PAGES,
            {"share": 1.0, "requests": 0.25},
            "Records are smaller than a page of memory. The device moved 100 % of the bytes, in whole pages, so 25 % "
            "of the requests reached it and the others found their page in memory.",
        ),
    ],
)
def test_the_cache_in_words(reason, numbers, sentence):
    assert cache_sentence(CacheJudgement(CacheVerdict.MIXED, reason, numbers)) == sentence


def test_a_contradiction_names_the_other_test():
    judgement = CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.FASTER_THAN, {"ratio": 1.1087})
    assert "1.11 times as fast as read in the same run" in cache_sentence(judgement, slower="read")
