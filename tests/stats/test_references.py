"""Every figure of this package has a test against a reference; this test fails for figures without one."""

import inspect
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

from benchdb import stats
from benchdb.stats.questions.best_configurations import BestConfigurations
from benchdb.stats.questions.designed import DesignedEffects
from benchdb.stats.questions.variance import ExplainedVariance

TESTS = Path(__file__).parent

# Functions and their results; each field of a result is a figure.
GIVES = {
    "summarise": stats.SummaryRow,
    "summarise_moments": stats.SummaryRow,
    "compare": stats.ComparisonRow,
    "several_runs": stats.SeveralRuns,
    "geometric_mean": stats.GeometricMeans,
    "judge_means": stats.MeanVerdicts,
    "random_effects": stats.RandomEffects,
    "best_sets": stats.BestSet,
    "clock_verdicts": stats.ClockJudgement,
    "faster_reads": stats.FasterReads,
}
# Results of packages that `benchdb.stats` does not import.
FURTHER = (BestConfigurations, DesignedEffects, ExplainedVariance)
# Rules, words and plain data, without figures to compare with those of other programs.
NO_STATISTICS = {
    *(
        "access_of",
        "cache_verdict",
        "compresses",
        "direct_access",
        "cache_sentence",
        "clock_sentence",
        "warning_sentence",
    ),
    *("digits", "to_places", "matrix", "optional", "too_few_sentence"),
}
NO_FIGURES = {"SummaryRow.warnings", "ComparisonRow.method", "ComparisonRow.reason", "ComparisonRow.warnings"}
NO_FIGURES |= {"ComparisonRow.look", "BestSet.left_out", "BestSet.reason", "ClockJudgement.verdict"}
NO_FIGURES |= {
    f"ExplainedVariance.{name}"
    for name in ("groups", "levels", "follows_from", "runs", "blocks", "machines", "few_machines")
}
NO_FIGURES |= {"DesignedEffects.terms", "DesignedEffects.runs", "BestConfigurations.reference"}
NO_FIGURES |= {f"BestConfigurations.{name}" for name in ("shared", "machines", "runs", "standing", "similar")}

# Tests call SciPy and NumPy. Figures of statsmodels 0.15.0, pymannkendall 1.4.3, R, NIST and printed tables are
# recorded with the call that produced them.
REFERENCES = {
    "SummaryRow.n": "moments.agreement_with_numpy_row_by_row",
    "SummaryRow.mean": "moments.agreement_with_numpy_row_by_row",
    "SummaryRow.sd": "moments.agreement_with_numpy_row_by_row",
    "SummaryRow.cv": "moments.agreement_with_numpy_row_by_row",
    "SummaryRow.median": "ordering.quantiles_agree_with_numpy",
    "SummaryRow.minimum": "ordering.quantiles_agree_with_numpy",
    "SummaryRow.maximum": "ordering.quantiles_agree_with_numpy",
    "SummaryRow.mean_low": "intervals.mean_interval_agrees_with_scipy",
    "SummaryRow.mean_high": "intervals.mean_interval_agrees_with_scipy",
    "SummaryRow.median_low": "intervals.median_interval_agrees_with_scipys_quantile_test",
    "SummaryRow.median_high": "intervals.median_interval_agrees_with_scipys_quantile_test",
    "SummaryRow.drift_tau": "drift.tau_and_exact_p_agree_with_scipy",
    "SummaryRow.drift_p": "drift.tau_and_exact_p_agree_with_scipy",
    "SummaryRow.drift_change": "drift.change_agrees_with_linregress_over_the_measured_rounds",
    "SummaryRow.autocorrelation": "autocorrelation.coefficient_agrees_with_statsmodels",
    "SummaryRow.autocorrelation_p": "autocorrelation.p_stands_on_the_mean_and_variance_over_all_orders",
    "SummaryRow.modes_p": "modes.the_dip_is_what_its_definition_says",
    "SummaryRow.outliers": "outliers.fences_agree_with_numpys_quartiles",
    "ComparisonRow.verdict": "baseline.verdicts_are_what_scipys_tests_say",
    "ComparisonRow.ratio": "baseline.both_intervals_and_the_ratio_agree_with_scipy",
    "ComparisonRow.low": "baseline.both_intervals_and_the_ratio_agree_with_scipy",
    "ComparisonRow.high": "baseline.both_intervals_and_the_ratio_agree_with_scipy",
    "ComparisonRow.ratio_of_means": "baseline.the_ratio_of_means_is_that_of_numpys_means",
    "ComparisonRow.p": "baseline.p_is_welchs_on_logarithms_and_ranks_are_the_check",
    "ComparisonRow.p_of_claims": "few_rounds.p_agrees_with_its_definition",
    "ComparisonRow.p_adjusted": "multiple_testing.agreement_with_statsmodels",
    "ComparisonRow.p_ranks": "mann_whitney.every_cell_is_tested_as_scipy_tests_it_alone",
    "ComparisonRow.rounds_for_precision": "rounds_needed.no_fewer_rounds_do_by_scipys_quantiles",
    "ComparisonRow.rounds_to_decide": "rounds_needed.no_fewer_rounds_decide_by_scipys_quantiles",
    "SeveralRuns.runs": "several_runs.the_runs_means_are_the_sample_however_many_rounds_each_has",
    "SeveralRuns.mean": "several_runs.the_runs_means_are_the_sample_however_many_rounds_each_has",
    "SeveralRuns.sd": "several_runs.the_runs_means_are_the_sample_however_many_rounds_each_has",
    "SeveralRuns.within_sd": "several_runs.variances_of_unequal_n_are_those_whose_quadratic_forms_expect_them",
    "SeveralRuns.between_sd": "several_runs.variances_of_unequal_n_are_those_whose_quadratic_forms_expect_them",
    "SeveralRuns.p": "several_runs.p_agrees_with_scipys_analysis_of_variance",
    "MeanVerdicts.interval": "geometric_means.intervals_of_several_means_hold_together",
    "MeanVerdicts.level": "geometric_means.intervals_of_several_means_hold_together",
    "MeanVerdicts.verdict": "geometric_means.verdicts_on_means_are_what_their_intervals_say",
    "GeometricMeans.sample": "geometric_means.rounds_of_a_mean_are_those_of_a_cell_with_its_rounds",
    "GeometricMeans.ratios": "geometric_means.agreement_with_scipys_geometric_mean",
    "GeometricMeans.pairs": "geometric_means.rounds_of_both_sides_give_scipys_paired_interval",
    "rounds_for_means": "geometric_means.rounds_of_a_mean_are_those_of_a_cell_with_its_rounds",
    "part_it_rests_on": "geometric_means.a_mean_rests_on_the_part_without_which_its_interval_contains_one",
    "RandomEffects.effects": "random_effects.missing_effects_and_those_without_error_do_not_count",
    "RandomEffects.mean": "random_effects.agreement_with_statsmodels",
    "RandomEffects.interval": "random_effects.agreement_with_statsmodels",
    "RandomEffects.between_sd": "random_effects.agreement_with_statsmodels",
    "RandomEffects.prediction": (
        "random_effects.the_prediction_interval_adds_the_variances_of_effects_of_the_mean_and_of_a_measurement"
    ),
    "GeometricMeans.cells": "geometric_means.agreement_with_scipys_geometric_mean",
    "BestSet.members": "best_cells.the_best_set_is_what_scipys_tests_of_all_pairs_say",
    "ClockJudgement.ticks": "clock.borders_hold_for_times_recovered_from_throughput",
    "FasterReads.ratio": "consistency.the_articles_reads",
    "FasterReads.contradicts": "consistency.the_border_is_where_scipy_puts_it",
    **dict.fromkeys(
        [f"ExplainedVariance.{name}" for name in ("alone", "beyond", "total")],
        "variance.shares_and_intervals_agree_with_least_squares",
    ),
    **dict.fromkeys(
        [f"DesignedEffects.{name}" for name in ("log", "low", "high", "p", "degrees", "sd")],
        "designed.effects_agree_with_numpys_least_squares_and_scipys_t",
    ),
    "DesignedEffects.p_adjusted": "designed.p_is_corrected_by_holm_and_called_intervals_exclude_one",
    "DesignedEffects.called": "designed.p_is_corrected_by_holm_and_called_intervals_exclude_one",
    **dict.fromkeys(
        [f"BestConfigurations.{name}" for name in ("log", "low", "high", "p_best")],
        "best_configurations.several_machines_agree_with_scipys_paired_t_test",
    ),
    "elapsed_from_throughput": "clock.borders_hold_for_times_recovered_from_throughput",
}


def figures():
    """Every field of the functions' results, and every other function, by name."""
    names_of_figures = set()
    for name in stats.__all__:
        if not inspect.isfunction(getattr(stats, name)) or name in NO_STATISTICS:
            continue
        given = GIVES.get(name)
        if given is None:
            names_of_figures.add(name)
        else:
            names = [field.name for field in fields(given)] if is_dataclass(given) else given._fields
            names_of_figures |= {f"{given.__name__}.{field}" for field in names}
    names_of_figures |= {f"{given.__name__}.{field.name}" for given in FURTHER for field in fields(given)}
    return names_of_figures - NO_FIGURES


def test_every_figure_has_a_reference():
    assert figures() == set(REFERENCES)


@pytest.mark.parametrize("reference", sorted(set(REFERENCES.values())))
def test_the_reference_is_tested(reference):
    module, name = reference.split(".")
    (path,) = TESTS.rglob(f"test_{module}.py")
    dotted = ".".join(["tests.stats", *path.relative_to(TESTS).with_suffix("").parts])
    assert inspect.isfunction(getattr(import_module(dotted), f"test_{name}"))
