import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats.comparing.multiple_testing import Correction, adjust, benjamini_hochberg, hochberg, holm

# The fifteen p-values of Benjamini and Hochberg (1995), §3.3.
P = np.array([0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528])
P = np.append(P, [0.7590, 1.000])

# Recorded: statsmodels 0.15.0, multipletests(P, method="holm") and (P, method="fdr_bh").
HOLM = [0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, 1, 1, 1, 1, 1, 1]
BENJAMINI_HOCHBERG = [
    *(0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.06385714285714286, 0.06385714285714286, 0.0645, 0.0765),
    *(0.486, 0.5811818181818182, 0.714875, 0.7532307692307693, 0.8132142857142857, 1),
]


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        (Correction.HOLM, HOLM),
        (Correction.BENJAMINI_HOCHBERG, BENJAMINI_HOCHBERG),
        (Correction.UNCORRECTED, P),
    ],
)
def test_agreement_with_statsmodels(correction, expected):
    shuffled = np.random.default_rng(11).permutation(len(P))
    np.testing.assert_allclose(adjust(P[shuffled], correction), np.array(expected)[shuffled], rtol=1e-9)


PROBABILITIES = st.lists(st.one_of(st.floats(0, 1), st.just(np.nan)), max_size=30).map(
    lambda p: np.array(p, dtype=float)
)


@given(PROBABILITIES, st.sampled_from(Correction))
def test_adjusted_p_are_ordered_as_p_and_never_smaller(p, correction):
    adjusted = adjust(p, correction)
    tested = ~np.isnan(p)
    assert (np.isnan(adjusted) == ~tested).all()
    order = np.argsort(p[tested], kind="stable")
    assert (np.diff(adjusted[tested][order]) >= -1e-15).all()
    assert (adjusted[tested] >= p[tested] - 1e-15).all()
    assert (adjusted[tested] <= 1).all()


@given(PROBABILITIES)
def test_agreement_with_scipys_false_discovery_control(p):
    tested = p[~np.isnan(p)]
    expected = stats.false_discovery_control(tested) if len(tested) else tested
    np.testing.assert_array_equal(adjust(p)[~np.isnan(p)], expected)


@given(PROBABILITIES)
def test_holm_is_at_least_as_strict(p):
    tested = ~np.isnan(p)
    looser = adjust(p, Correction.BENJAMINI_HOCHBERG)[tested]
    assert (adjust(p, Correction.HOLM)[tested] >= looser - 1e-15).all()


@pytest.mark.parametrize("corrected", [holm, hochberg, benjamini_hochberg])
def test_a_family_a_row_is_corrected_as_each_alone(corrected):
    families = np.random.default_rng(5).uniform(0, 0.1, (40, 6))
    families[::3, 2] = np.nan
    families[5] = np.nan
    np.testing.assert_array_equal(corrected(families), [corrected(row) for row in families])
    kept = [row[~np.isnan(row)] for row in families]
    np.testing.assert_array_equal(
        [x for row in corrected(families) for x in row[~np.isnan(row)]],
        np.concatenate([corrected(row) for row in kept]),
    )


@given(PROBABILITIES)
def test_hochberg_is_what_its_author_writes(p):
    """Hochberg (1988): reject the k smallest if p of the k-th is at most level / (m − k + 1), for any k."""
    tested = np.sort(p[~np.isnan(p)])
    m = len(tested)
    expected = [min([1.0, *((m - j) * tested[j] for j in range(k, m))]) for k in range(m)]
    np.testing.assert_allclose(np.sort(hochberg(p)[~np.isnan(p)]), expected, rtol=1e-9)


@given(PROBABILITIES)
def test_hochberg_is_between_holm_and_benjamini_and_hochberg(p):
    tested = p[~np.isnan(p)]
    assert (holm(tested) >= hochberg(tested) - 1e-15).all()
    assert (hochberg(tested) >= benjamini_hochberg(tested) - 1e-15).all()


def test_cells_that_were_not_tested_do_not_count():
    with_gaps = adjust(np.array([0.01, np.nan, 0.04, np.nan]))
    np.testing.assert_allclose(with_gaps[[0, 2]], stats.false_discovery_control([0.01, 0.04]))


def test_a_table_without_tests():
    assert adjust(np.array([])).shape == (0,)
    assert np.isnan(adjust(np.array([np.nan]))).all()
