import json

import numpy as np
import pytest

from benchdb.stats import StatisticsWarning, WarningCode, matrix, summarise, summarise_moments, too_few_sentence
from benchdb.stats.summary.diagnosis import SMALLEST_DETECTING, undetectable

CALM = [10.0, 10.3, 9.8, 10.1, 9.9, 10.2, 9.7, 10.1, 9.9, 10.0]


def warnings_of(row, rounds=None):
    (summary,) = summarise([row], rounds).rows()
    return {warning.code: dict(warning.numbers) for warning in summary.warnings}


def test_calm_values_give_no_warning():
    assert warnings_of(CALM) == {}


@pytest.mark.parametrize(
    ("row", "code", "numbers"),
    [
        ([np.nan, np.nan], WarningCode.NO_VALUES, {}),
        ([3.0], WarningCode.ONE_VALUE, {}),
        ([3.0, np.nan, 4.0], WarningCode.MISSING_ROUNDS, {"missing": 1, "rounds": 3}),
        ([*CALM, np.inf, -1e200], WarningCode.OUT_OF_RANGE, {"count": 2}),
        ([7.0] * 4, WarningCode.ZERO_VARIANCE, {"n": 4}),
        ([*CALM[:3], 99.0, *CALM[3:], np.nan], WarningCode.OUTLIERS, {"rounds": (3,), "n": 11}),
        ([np.nan, 5.0, *CALM], WarningCode.WARM_UP, {"value": 5.0, "median": 10.0}),
    ],
)
def test_each_warning_carries_its_numbers(row, code, numbers):
    assert warnings_of(row)[code] == numbers


def test_drift_and_autocorrelation_carry_p_and_size():
    found = warnings_of(np.linspace(100, 120, 12))
    assert found[WarningCode.DRIFT]["change"] == pytest.approx(20 / 110)
    assert found[WarningCode.DRIFT]["tau"] == pytest.approx(1)
    assert found[WarningCode.AUTOCORRELATED]["coefficient"] > 0.7
    assert found[WarningCode.AUTOCORRELATED]["p"] < 0.01


def test_an_outlier_in_a_later_round_is_no_warm_up():
    assert WarningCode.WARM_UP not in warnings_of([*CALM, 5.0])


def test_padding_is_no_missing_round():
    first, second = summarise(matrix([[1.0, 2.0, 3.0], [1.0, 2.0]]), [3, 2]).rows()
    assert first.warnings == second.warnings == ()


def test_infinite_values_are_not_also_missing_rounds():
    assert WarningCode.MISSING_ROUNDS not in warnings_of([*CALM, np.inf])


def test_drift_of_values_around_zero_has_no_relative_size_and_no_warning():
    assert WarningCode.DRIFT not in warnings_of(np.arange(-5.0, 6.0))


def test_published_figures_are_warned_of_too():
    summaries = summarise_moments([0, 1, 10, 0], [5.0, 5.0, 5.0, np.nan], [1.0, np.nan, 1.0, np.nan])
    codes = [[warning.code for warning in warnings] for warnings in summaries.warnings]
    assert codes == [[WarningCode.N_UNKNOWN], [WarningCode.ONE_VALUE], [], [WarningCode.NO_VALUES]]


def test_a_warning_as_data_is_plain():
    (summary,) = summarise([[*CALM, 99.0]]).rows()
    assert summary.warnings[0].as_dict() == {"code": "outliers", "numbers": {"rounds": [10], "n": 11}}


def test_a_stored_warning_comes_back_as_it_was():
    summaries = list(summarise([[*CALM, 99.0], [7.0] * 11, np.linspace(1, 2, 11)]).rows())
    assert any(summary.warnings for summary in summaries)
    for summary in summaries:
        stored = json.loads(json.dumps([warning.as_dict() for warning in summary.warnings]))
        assert tuple(map(StatisticsWarning.from_dict, stored)) == summary.warnings


def test_a_stored_warning_of_an_unknown_code_is_refused():
    with pytest.raises(ValueError, match="haunted"):
        StatisticsWarning.from_dict({"code": "haunted", "numbers": {}})


EXTREMES = {  # values for which a warning is as likely as it can be
    WarningCode.OUTLIERS: lambda n: [*range(1, n), 1e9],
    WarningCode.DRIFT: lambda n: [*range(100, 100 + n)],
    # Found by search over random walks: one slow wave.
    WarningCode.AUTOCORRELATED: lambda n: [2.38, 3.4, 2.54, 1.69, 0.63, -0.25, -0.45, 0.49, 2.0][:n],
    WarningCode.MULTIMODAL: lambda n: [i % 2 * 100 + i / 10 for i in range(n)],
}


@pytest.mark.parametrize("code", SMALLEST_DETECTING)
def test_the_smallest_n_is_the_first_that_detects(code):
    smallest = SMALLEST_DETECTING[code]
    assert code in warnings_of(EXTREMES[code](smallest))
    assert code not in undetectable(smallest)
    assert code in undetectable(smallest - 1)


@pytest.mark.parametrize("n", range(2, 8))
def test_no_values_of_too_few_rounds_have_the_warning(n):
    """Random orders, walks and levels, and every extreme above."""
    rng = np.random.default_rng(n)
    noise = rng.standard_normal((20_000, n))
    rows = [noise, noise.cumsum(axis=1), noise + 50 * (rng.random((20_000, n)) < 0.5), noise**9]
    rows.append(np.array([EXTREMES[code](n)[:n] for code in EXTREMES], dtype=float))
    found = {warning.code for warnings in summarise(1000 + np.concatenate(rows)).warnings for warning in warnings}
    assert not found & set(undetectable(n))


@pytest.mark.parametrize(
    ("n", "sentence"),
    [
        (1, None),
        (3, "3 rounds are too few to detect outliers, drift, dependence on the previous value or several levels."),
        (6, "6 rounds are too few to detect dependence on the previous value or several levels."),
        (8, None),
    ],
)
def test_the_page_says_what_so_few_rounds_cannot_show(n, sentence):
    assert too_few_sentence(n) == sentence
