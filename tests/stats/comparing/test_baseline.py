import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from benchdb.stats import CacheVerdict, Cells, Correction, Method, NoVerdict, Verdict, WarningCode, compare
from tests.stats.strategies import anything, measurements

BASE = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2]
BY = {
    "the same": [100.1, 100.9, 99.1, 100.4, 99.6, 100.0],
    "a tenth more": [value * 1.1 for value in BASE],
    "a tenth less": [value * 0.9 for value in BASE],
    "wildly different": [60.0, 160.0, 95.0, 140.0, 80.0, 110.0],
}


def against_base(row, **options):
    return next(compare(Cells.of_values([row]), Cells.of_values([BASE]), **options).rows())


def codes(row):
    return {warning.code for warning in row.warnings}


@pytest.mark.parametrize(
    ("which", "verdict"),
    [
        ("the same", Verdict.EQUIVALENT),
        ("a tenth more", Verdict.BETTER),
        ("a tenth less", Verdict.WORSE),
        ("wildly different", Verdict.INCONCLUSIVE),
    ],
)
def test_verdicts(which, verdict):
    row = against_base(BY[which])
    assert (row.verdict, row.reason) == (verdict, None)


def test_of_times_the_shorter_is_better_and_its_ratio_is_below_one():
    row = against_base(BY["a tenth less"], higher_is_better=False)
    assert row.verdict is Verdict.BETTER
    assert row.ratio == pytest.approx(0.9)
    assert row.low < row.ratio < row.high < 1
    assert against_base(BY["a tenth less"]) == row._replace(verdict=Verdict.WORSE)


def test_each_metric_of_a_table_has_its_own_direction():
    cells = Cells.of_values([BY["a tenth less"]] * 2)
    assert compare(cells, Cells.of_values([BASE] * 2), higher_is_better=[True, False]).verdict == (
        Verdict.WORSE,
        Verdict.BETTER,
    )


def test_equivalent_comes_before_better():
    clear = [value * 1.01 for value in [100.0, 100.1, 99.9, 100.05]]
    base = Cells.of_values([[100.0, 100.1, 99.9, 100.05]])
    within, outside = (next(compare(Cells.of_values([clear]), base, margin=m).rows()) for m in (0.05, 0.005))
    assert within.p_adjusted < 0.05
    assert within.verdict is Verdict.EQUIVALENT
    assert outside.verdict is Verdict.BETTER


def test_p_is_welchs_on_logarithms_and_ranks_are_the_check():
    row = against_base(BY["wildly different"])
    reference = stats.ttest_ind(np.log(BY["wildly different"]), np.log(BASE), equal_var=False)
    assert row.method is Method.WELCH_ON_LOGARITHMS
    assert row.p == pytest.approx(reference.pvalue, rel=1e-9)
    assert row.p_ranks == pytest.approx(stats.mannwhitneyu(BY["wildly different"], BASE).pvalue, rel=1e-9)


def test_verdicts_are_what_scipys_tests_say():
    """Compare with Benjamini and Hochberg's correction of Welch tests, after two one-sided tests at 5 % each."""
    rng = np.random.default_rng(26)
    cells, base = rng.lognormal(rng.normal(0, 0.04, (300, 1)), 0.03, (300, 8)), rng.lognormal(0, 0.03, (300, 8))
    first, second, margin = np.log(cells), np.log(base), np.log(1.05)
    p = stats.false_discovery_control(stats.ttest_ind(first, second, axis=1, equal_var=False).pvalue)
    upper = stats.ttest_ind(first, second + margin, axis=1, equal_var=False, alternative="less").pvalue
    lower = stats.ttest_ind(first, second - margin, axis=1, equal_var=False, alternative="greater").pvalue
    equivalent = np.maximum(upper, lower) <= 0.05
    faster = stats.gmean(cells, axis=1) > stats.gmean(base, axis=1)
    verdicts = compare(Cells.of_values(cells), Cells.of_values(base)).verdict
    for verdict, where in {
        Verdict.EQUIVALENT: equivalent,
        Verdict.BETTER: ~equivalent & (p < 0.05) & faster,
        Verdict.WORSE: ~equivalent & (p < 0.05) & ~faster,
        Verdict.INCONCLUSIVE: ~equivalent & (p >= 0.05),
    }.items():
        assert where.any()
        np.testing.assert_array_equal([verdict_ is verdict for verdict_ in verdicts], where)


def test_both_intervals_and_the_ratio_agree_with_scipy():
    both = compare(Cells.of_values([BY["wildly different"]]), Cells.of_values([BASE]))
    reference = stats.ttest_ind(np.log(BY["wildly different"]), np.log(BASE), equal_var=False)
    np.testing.assert_allclose(both.ratio, stats.gmean(BY["wildly different"]) / stats.gmean(BASE), rtol=1e-9)
    for interval, confidence in ((both.interval, 0.95), (both.equivalence_interval, 0.9)):
        expected = np.exp(reference.confidence_interval(confidence))
        np.testing.assert_allclose(np.ravel(interval), expected, rtol=1e-9)


def test_the_ratio_of_means_is_that_of_numpys_means():
    row = against_base(BY["wildly different"])
    assert row.ratio_of_means == pytest.approx(np.mean(BY["wildly different"]) / np.mean(BASE), rel=1e-9)
    assert row.ratio_of_means > row.ratio


def test_without_values_on_one_side_moments_decide():
    published = Cells.of_moments([6], [np.mean(BASE)], [np.std(BASE, ddof=1)])
    (row,) = compare(Cells.of_values([BY["a tenth more"]]), published).rows()
    sides = [(np.log(np.mean(side)), stats.variation(side, ddof=1), 6) for side in (BY["a tenth more"], BASE)]
    reference = stats.ttest_ind_from_stats(*sides[0], *sides[1], equal_var=False)  # the delta method
    assert row.ratio == row.ratio_of_means == pytest.approx(1.1)
    assert row.method is Method.WELCH_ON_MOMENTS
    assert (row.p, row.p_ranks) == (pytest.approx(reference.pvalue, rel=1e-9), None)
    assert WarningCode.MOMENTS_ONLY in codes(row)


def test_a_value_of_zero_leaves_the_logarithms_out():
    row = against_base([0.0, 101.0, 99.0, 100.0, 98.0, 100.0])
    assert row.method is Method.WELCH_ON_MOMENTS
    assert WarningCode.NOT_ALL_POSITIVE in codes(row)
    assert WarningCode.MOMENTS_ONLY not in codes(row)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([np.nan] * 6, NoVerdict.NOT_MEASURED),
        ([100.0, *[np.nan] * 5], NoVerdict.TOO_FEW_VALUES),
        ([0.0] * 6, NoVerdict.NOT_POSITIVE),
    ],
)
def test_no_verdict_has_its_reason_whichever_side_it_is_on(row, reason):
    there = Cells.of_values([row])
    for pair in ((there, Cells.of_values([BASE])), (Cells.of_values([BASE]), there)):
        (entry,) = compare(*pair).rows()
        assert (entry.verdict, entry.reason, entry.method) == (Verdict.NONE, reason, Method.NONE)
        assert entry.p is entry.p_adjusted is entry.p_ranks is entry.rounds_for_precision is None
        assert entry.warnings == ()


def test_the_caller_bars_failed_and_clock_limited_cells():
    cells = Cells.of_values([BY["a tenth more"]] * 2, barred=[NoVerdict.CLOCK, None])
    base = Cells.of_values([BASE] * 2, barred=[NoVerdict.FAILED, NoVerdict.CLOCK])
    found = compare(cells, base)
    assert (found.reason, set(found.verdict)) == ((NoVerdict.FAILED, NoVerdict.CLOCK), {Verdict.NONE})


def test_two_constant_sides_have_nothing_to_test_against():
    assert compare(Cells.of_values([[5.0] * 4]), Cells.of_values([[6.0] * 4])).reason == (NoVerdict.NO_VARIATION,)


def test_barred_cells_do_not_count_in_the_correction():
    rows = [BY["wildly different"], BY["a tenth more"]]
    alone = compare(Cells.of_values(rows), Cells.of_values([BASE] * 2))
    barred = [None, None, *[NoVerdict.CLOCK] * 50]
    among = compare(Cells.of_values(rows + [BASE] * 50, barred=barred), Cells.of_values([BASE] * 52))
    np.testing.assert_array_equal(alone.p_adjusted, among.p_adjusted[:2])


def test_the_correction_is_over_the_table():
    rng = np.random.default_rng(12)
    cells, base = Cells.of_values(rng.normal(103, 3, (20, 6))), Cells.of_values(rng.normal(100, 3, (20, 6)))
    comparison = compare(cells, base)
    np.testing.assert_allclose(comparison.p_adjusted, stats.false_discovery_control(comparison.p_of_claims), rtol=1e-12)
    holm = compare(cells, base, correction=Correction.HOLM)
    assert holm.p_adjusted.min() == pytest.approx(comparison.p_of_claims.min() * 20)


def test_disagreeing_ranks_are_a_warning_with_both_p():
    # Fourteen of sixteen values are larger, two much smaller: ranks show a difference, means do not.
    values = [*np.linspace(110, 112, 14), 20.0, 21.0]
    row = next(compare(Cells.of_values([values]), Cells.of_values([np.linspace(99, 101, 16)])).rows())
    (warning,) = (warning for warning in row.warnings if warning.code is WarningCode.RANKS_DISAGREE)
    assert warning.numbers == {"p": row.p, "p_ranks": row.p_ranks}
    assert row.p_ranks < 0.05 < row.p


def test_three_rounds_a_side_are_too_few_for_the_ranks_to_disagree():
    (row,) = compare(Cells.of_values([[110.0, 111, 112]]), Cells.of_values([[100.0, 101, 102]])).rows()
    assert row.p < 0.05 < row.p_ranks
    assert WarningCode.RANKS_DISAGREE not in codes(row)


def test_a_difference_is_never_called_if_its_interval_contains_one():
    """With arithmetic means this very skewed cell was "+77.6 % (−3.8 to +228), better"."""
    rng = np.random.default_rng(33)
    base = rng.lognormal(0, 0.05, (500, 10))
    skewed = rng.lognormal(0.4, 0.3, (500, 10)) * np.where(rng.random((500, 10)) < 0.1, 20, 1)
    found = compare(Cells.of_values(skewed), Cells.of_values(base), correction=Correction.UNCORRECTED)
    called = np.isin(found.verdict, (Verdict.BETTER, Verdict.WORSE))
    assert 50 < called.sum() < 500
    assert ((found.interval.low > 1) | (found.interval.high < 1))[called].all()


DEVICE, CACHED, MIXED, UNKNOWN = CacheVerdict.DEVICE, CacheVerdict.CACHED, CacheVerdict.MIXED, CacheVerdict.UNKNOWN


@pytest.mark.parametrize(
    ("sides", "comparable"),
    [
        ((DEVICE, CACHED), False),
        ((CACHED, DEVICE), False),
        *(((one, one), True) for one in CacheVerdict),
        *(((one, other), True) for one in (DEVICE, CACHED) for other in (MIXED, UNKNOWN)),
    ],
)
def test_memory_is_not_compared_with_the_device(sides, comparable):
    cells, base = (
        Cells.of_values([values], cache=[cache])
        for values, cache in zip((BY["a tenth more"], BASE), sides, strict=True)
    )
    (row,) = compare(cells, base).rows()
    assert row.verdict is (Verdict.BETTER if comparable else Verdict.NONE)
    assert row.reason is (None if comparable else NoVerdict.CACHE)
    assert (row.ratio is None) == (row.low is None) == (row.ratio_of_means is None) == (not comparable)
    assert compare(cells, base).valid.tolist() == [comparable]


def test_a_pair_that_cannot_be_compared_says_so_before_it_asks_for_more_rounds():
    one_value, device = Cells.of_values([[3.0, np.nan]], cache=[CACHED]), Cells.of_values([BASE[:2]], cache=[DEVICE])
    assert compare(one_value, device).reason == (NoVerdict.CACHE,)
    failed = Cells.of_values([[3.0, np.nan]], cache=[CACHED], barred=[NoVerdict.FAILED])
    assert compare(failed, device).reason == (NoVerdict.FAILED,)


def test_a_comparison_knows_whether_it_stays_within_one_run():
    values = [BY["a tenth more"]] * 3
    found = compare(Cells.of_values(values, runs=[1, 3, 3]), Cells.of_values([BASE] * 3, runs=[3, 1, 2])).rows()
    assert [WarningCode.WITHIN_ONE_RUN in codes(row) for row in found] == [True, True, False]


def test_a_table_without_cells():
    empty = Cells.of_values(np.zeros((0, 0)))
    assert list(compare(empty, empty).rows()) == []


@pytest.mark.parametrize("options", [{"margin": 0}, {"level": 0}, {"level": 1}, {"margin": float("nan")}])
def test_impossible_options_are_refused(options):
    with pytest.raises(ValueError, match="must be above 0"):
        against_base(BASE, **options)


def test_sides_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="1 cells cannot be compared with 2"):
        compare(Cells.of_values([BASE]), Cells.of_values([BASE, BASE]))


TABLES = st.tuples(st.integers(1, 6), st.integers(1, 8), st.integers(1, 8)).flatmap(
    lambda shape: st.tuples(anything(st.just(shape[:2])), anything(st.just((shape[0], shape[2]))))
)


@given(TABLES)
def test_any_floats_give_rows_that_json_can_hold(sides):
    for row in compare(*map(Cells.of_values, sides)).rows():
        json.dumps({**row._asdict(), "warnings": [warning.as_dict() for warning in row.warnings]}, allow_nan=False)
        assert (row.verdict is Verdict.NONE) == (row.reason is not None) == (row.p is None)
        assert row.rounds_for_precision is None or row.verdict is Verdict.INCONCLUSIVE


PAIRS = st.tuples(st.integers(1, 6), st.integers(2, 8)).flatmap(
    lambda shape: st.tuples(measurements(st.just(shape)), measurements(st.just(shape)))
)
MIRROR = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}


@given(PAIRS)
def test_sides_exchanged_better_becomes_worse(sides):
    cells, base = map(Cells.of_values, sides)
    forward, backward = compare(cells, base), compare(base, cells)
    assert tuple(MIRROR.get(verdict, verdict) for verdict in forward.verdict) == backward.verdict
    np.testing.assert_allclose(forward.ratio * backward.ratio, 1, rtol=1e-9)


@given(PAIRS, st.integers(-20, 20))
def test_the_unit_does_not_matter(sides, exponent):
    plain = compare(*map(Cells.of_values, sides))
    scaled = compare(*(Cells.of_values(side * 2.0**exponent) for side in sides))
    np.testing.assert_allclose(plain.ratio, scaled.ratio, rtol=1e-12)
    np.testing.assert_allclose(plain.p, scaled.p, rtol=1e-6, atol=1e-12)


@given(hnp.arrays(np.float64, (4, 5), elements=st.floats(1, 1e9)), st.randoms(use_true_random=False))
def test_the_order_of_rounds_does_not_matter(values, random):
    order = list(range(5))
    random.shuffle(order)
    base = Cells.of_values(values[::-1])
    plain, shuffled = compare(Cells.of_values(values), base), compare(Cells.of_values(values[:, order]), base)
    np.testing.assert_allclose(plain.p, shuffled.p, rtol=1e-6, atol=1e-12)


def test_equal_systems_are_rarely_told_apart_and_a_tenth_nearly_always():
    rng = np.random.default_rng(13)
    tables = [(rng.normal(100, 3, (156, 10)), rng.normal(100, 3, (156, 10))) for _ in range(100)]
    false = sum(bool({Verdict.BETTER, Verdict.WORSE} & set(compare(*map(Cells.of_values, t)).verdict)) for t in tables)
    assert false <= 10
    faster = compare(Cells.of_values(rng.normal(110, 3.3, (1000, 10))), Cells.of_values(rng.normal(100, 3, (1000, 10))))
    assert faster.verdict.count(Verdict.BETTER) >= 950
