import numpy as np
import pytest
from hypothesis import given
from scipy import optimize, stats

from benchdb.stats import random_effects
from tests.stats.strategies import anything

EFFECTS, ERRORS = np.array([0.12, 0.05, 0.31, -0.02, 0.18]), np.array([0.03, 0.05, 0.04, 0.02, 0.06])
ALIKE, ERRORS_OF_ALIKE = np.array([0.10, 0.11, 0.12, 0.09]), np.array([0.05, 0.04, 0.06, 0.05])


def effects_of(effects, errors):
    return random_effects([effects], [errors])


def squares(between, effects, errors):
    """The generalised Q of Paule and Mandel at this variance between the effects."""
    weights = 1 / (errors**2 + between)
    return (weights * (effects - np.average(effects, weights=weights)) ** 2).sum()


def test_agreement_with_statsmodels():
    # Recorded: statsmodels 0.15.0, combine_effects(EFFECTS, ERRORS**2, method_re="iterated", use_t=True, atol=1e-10,
    # maxiter=500): tau2, mean_effect_re, sd_eff_w_re_hksj.
    found = effects_of(EFFECTS, ERRORS)
    assert found.between_sd[0] ** 2 == pytest.approx(0.01464401139935516, rel=1e-9)
    assert found.mean[0] == pytest.approx(0.125225005123498, rel=1e-9)
    expected = stats.t.interval(0.95, 4, 0.125225005123498, 0.057212193463395275)
    np.testing.assert_allclose([each[0] for each in found.interval], expected, rtol=1e-9)


def test_the_variance_between_effects_is_the_root_of_paule_and_mandels_equation():
    found = effects_of(EFFECTS, ERRORS)
    root = optimize.brentq(lambda between: squares(between, EFFECTS, ERRORS) - 4, 0, 1, xtol=1e-15, rtol=1e-14)
    assert found.between_sd[0] ** 2 == pytest.approx(root, rel=1e-9)


def test_the_prediction_interval_adds_the_variances_of_effects_of_the_mean_and_of_a_measurement():
    found = effects_of(EFFECTS, ERRORS)
    weights = 1 / (ERRORS**2 + found.between_sd[0] ** 2)
    mean = np.average(EFFECTS, weights=weights)
    scale = np.sqrt(found.between_sd[0] ** 2 + 1 / weights.sum() + (ERRORS**2).mean())
    expected = stats.t.interval(0.95, 4, mean, scale)
    np.testing.assert_allclose([each[0] for each in found.prediction], expected, rtol=1e-9)


def test_of_equal_errors_the_prediction_is_students_for_one_more_observation():
    found = effects_of(EFFECTS, np.full(5, 0.01))
    scale = EFFECTS.std(ddof=1) * np.sqrt(1 + 1 / 5)
    expected = stats.t.interval(0.95, 4, EFFECTS.mean(), scale)
    np.testing.assert_allclose([each[0] for each in found.prediction], expected, rtol=1e-9)


def test_effects_that_agree_by_chance_do_not_narrow_the_interval():
    found = effects_of(ALIKE, ERRORS_OF_ALIKE)
    weights = 1 / ERRORS_OF_ALIKE**2
    expected = stats.t.interval(0.95, 3, np.average(ALIKE, weights=weights), weights.sum() ** -0.5)
    assert found.between_sd[0] == 0
    np.testing.assert_allclose([each[0] for each in found.interval], expected, rtol=1e-9)


def test_two_effects_have_an_interval_but_no_prediction_and_one_has_neither():
    found = random_effects([[0.1, 0.2], [0.1, np.nan]], [[0.05, 0.05], [0.05, 0.05]])
    assert found.effects.tolist() == [2, 1]
    assert np.isfinite(found.interval.low).tolist() == [True, False]
    assert np.isnan(found.prediction.low).all()


def test_missing_effects_and_those_without_error_do_not_count():
    gaps = [[*EFFECTS, np.nan, 0.4, 0.3]], [[*ERRORS, 0.1, 0.0, np.nan]]
    found, whole = random_effects(*gaps), effects_of(EFFECTS, ERRORS)
    assert found.effects[0] == 5
    np.testing.assert_allclose(np.ravel(found.prediction), np.ravel(whole.prediction), rtol=1e-12)


def test_rows_are_taken_each_for_itself():
    both = random_effects([[*ALIKE, np.nan], EFFECTS], [[*ERRORS_OF_ALIKE, np.nan], ERRORS])
    for row, alone in enumerate((effects_of(ALIKE, ERRORS_OF_ALIKE), effects_of(EFFECTS, ERRORS))):
        assert both.mean[row] == pytest.approx(alone.mean[0], rel=1e-12)
        assert both.between_sd[row] == pytest.approx(alone.between_sd[0], rel=1e-12)


def test_in_other_units_all_figures_are_in_other_units():
    small, large = effects_of(EFFECTS, ERRORS), effects_of(1e60 * EFFECTS, 1e60 * ERRORS)
    np.testing.assert_allclose(np.ravel(large.prediction), 1e60 * np.ravel(small.prediction), rtol=1e-12)


def test_very_precise_effects_are_as_good_as_a_sample():
    found = effects_of(EFFECTS, np.array([1e-9, 3e-9, 1e-10, 2e-9, 5e-9]))
    assert found.between_sd[0] == pytest.approx(EFFECTS.std(ddof=1), rel=1e-9)


def test_the_shapes_must_agree():
    with pytest.raises(ValueError, match="different shapes"):
        random_effects([[1.0, 2.0]], [[1.0]])


@given(anything())
def test_any_floats_give_intervals_around_their_mean(effects):
    found = random_effects(effects, np.abs(effects[::-1]))
    exists = ~np.isnan(found.interval.low)
    assert (found.effects >= 0).all()
    assert (found.between_sd[exists] >= 0).all()
    for low, high in (found.interval, found.prediction):
        known = ~np.isnan(low)
        assert (low[known] <= high[known]).all()
