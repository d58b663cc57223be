"""The answers for two campaigns of one plan: right in both directions, and no more wrong ones than 5 %."""

import numpy as np
import pytest
from scipy import stats as reference

from benchdb.stats import CacheVerdict, Cells, Correction, compare
from benchdb.stats.arrays import FloatArray
from benchdb.stats.comparing.ratio import Ratio
from benchdb.stats.comparing.reproduction import (
    Reproduced,
    ReproductionAnswer,
    conclusions_again,
    overall,
    p_outside,
    p_within,
    values_again,
)

ROUNDS, NOISE = 8, 0.02
Generator = np.random.Generator


def measured(rng: Generator, ratios: FloatArray, level: float) -> tuple[Cells, Cells]:
    """Cells at these ratios to their baselines, and the baselines, with noise of 2 %."""
    noise = rng.normal(0, NOISE, (2, len(ratios), ROUNDS))
    return (
        Cells.of_values(level * ratios[:, np.newaxis] * np.exp(noise[0])),
        Cells.of_values(level * np.exp(noise[1])),
    )


def again(rng: Generator, first: FloatArray, second: FloatArray) -> Reproduced:
    """The answers for campaigns with these true ratios; the second machine is three times as fast."""
    one, two = (
        compare(*measured(rng, ratios, level), correction=Correction.HOLM)
        for ratios, level in ((first, 100.0), (second, 300.0))
    )
    return conclusions_again(one, two, np.ones(len(first), dtype=bool))


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        (1.3, 1.3, ReproductionAnswer.REPRODUCED),
        (1.3, 2.6, ReproductionAnswer.REPRODUCED),  # the same direction, however large
        (0.7, 0.7, ReproductionAnswer.REPRODUCED),
        (1.0, 1.0, ReproductionAnswer.REPRODUCED),  # no difference above the margin, twice
        (1.3, 0.8, ReproductionAnswer.NOT_REPRODUCED),
        (1.3, 1.0, ReproductionAnswer.NOT_REPRODUCED),
        (1.0, 1.3, ReproductionAnswer.NOT_REPRODUCED),
        (1.3, 1.03, ReproductionAnswer.NOT_REPRODUCED),  # less than the margin, and not as large
        (1.0, 1.05, ReproductionAnswer.UNDECIDED),
    ],
)
def test_answers_follow_direction_and_margin(first: float, second: float, answer: ReproductionAnswer) -> None:
    assert again(np.random.default_rng(7), np.array([first]), np.array([second])).answer == (answer,)


def test_what_the_original_did_not_conclude_has_no_answer() -> None:
    noisy = compare(Cells.of_values([[90.0, 110.0, 100.0]]), Cells.of_values([[100.0, 120.0, 85.0]]))
    clear = compare(*measured(np.random.default_rng(7), np.array([1.3]), 100), correction=Correction.HOLM)
    assert conclusions_again(noisy, clear, np.array([True])).answer == (None,)


def test_at_most_5_percent_of_equal_campaigns_are_called_not_reproduced() -> None:
    rng = np.random.default_rng(11)
    ratios = np.array([1.0, 1.06, 1.1, 1.5, 0.9, 0.95] * 4)
    answers = [again(rng, ratios, ratios).answer for _ in range(300)]
    assert sum(overall(each) is ReproductionAnswer.NOT_REPRODUCED for each in answers) / len(answers) <= 0.05
    clear = [each[3] for each in answers]
    assert clear.count(ReproductionAnswer.REPRODUCED) / len(clear) >= 0.99


def test_at_most_5_percent_of_wrong_conclusions_are_called_reproduced() -> None:
    rng = np.random.default_rng(13)
    first, second = np.array([1.1] * 12 + [1.0] * 12), np.array([1.0] * 12 + [1.05] * 12)
    answers = [again(rng, first, second).answer for _ in range(300)]
    assert sum(ReproductionAnswer.REPRODUCED in each for each in answers) / len(answers) <= 0.05


def test_memory_and_device_are_not_compared() -> None:
    rng = np.random.default_rng(7)
    compared = compare(*measured(rng, np.array([1.3, 1.3]), 100), correction=Correction.HOLM)
    assert conclusions_again(compared, compared, np.array([True, False])).answer == (
        ReproductionAnswer.REPRODUCED,
        ReproductionAnswer.UNDECIDED,
    )


@pytest.mark.parametrize(
    ("ratio", "answer"),
    [
        (1.01, ReproductionAnswer.REPRODUCED),
        (1.2, ReproductionAnswer.NOT_REPRODUCED),
        (1.05, ReproductionAnswer.UNDECIDED),
    ],
)
def test_figures_are_reproduced_within_the_margin(ratio: float, answer: ReproductionAnswer) -> None:
    cells, baseline = measured(np.random.default_rng(3), np.array([ratio]), 100)
    compared = compare(cells, baseline, correction=Correction.HOLM)
    assert values_again(compared, np.array([True])).answer == (answer,)


def test_a_side_that_cannot_be_tested_is_undecided() -> None:
    cells = Cells.of_values([[100.0, np.nan]], cache=[CacheVerdict.DEVICE])
    compared = compare(cells, Cells.of_values([[100.0, 101.0]]), correction=Correction.HOLM)
    assert values_again(compared, np.array([True])).answer == (ReproductionAnswer.UNDECIDED,)


def test_p_within_and_outside_the_margin_agree_with_scipy() -> None:
    ratio = Ratio(np.array([0.02, -0.2]), np.array([0.02, 0.05]), np.array([9.3, 4.0]))
    margin = np.log(1.05)
    t = reference.t(ratio.degrees)
    within = np.maximum(t.sf((ratio.log + margin) / ratio.error), t.cdf((ratio.log - margin) / ratio.error))
    size = np.abs(ratio.log)
    outside = t.sf((size - margin) / ratio.error) + t.sf((size + margin) / ratio.error)
    np.testing.assert_allclose(p_within(ratio, float(margin)), within, rtol=1e-9)
    np.testing.assert_allclose(p_outside(ratio, float(margin)), np.minimum(outside, 1), rtol=1e-9)


@pytest.mark.parametrize(
    ("answers", "answer"),
    [
        ([], ReproductionAnswer.UNDECIDED),
        ([None, ReproductionAnswer.REPRODUCED], ReproductionAnswer.REPRODUCED),
        ([ReproductionAnswer.REPRODUCED, ReproductionAnswer.UNDECIDED], ReproductionAnswer.UNDECIDED),
        (
            [ReproductionAnswer.REPRODUCED, ReproductionAnswer.UNDECIDED, ReproductionAnswer.NOT_REPRODUCED],
            ReproductionAnswer.NOT_REPRODUCED,
        ),
    ],
)
def test_one_answer_for_a_campaign(answers: list[ReproductionAnswer | None], answer: ReproductionAnswer) -> None:
    assert overall(answers) is answer
