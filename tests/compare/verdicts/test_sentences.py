"""The sentences with the reasons of verdicts."""

from __future__ import annotations

import re

import numpy as np

from benchdb.compare.verdicts.sentences import why
from benchdb.stats import Cells, Verdict, compare


def sentence(first: list[float], second: list[float], noise: float) -> str:
    """The sentence about two sides of an inconclusive cell, in a table whose other cells have this noise."""
    others = 100 * np.exp(noise * np.random.default_rng(2).standard_normal((40, len(first))))
    compared = compare(Cells.of_values([first, *others[:20]]), Cells.of_values([second, *others[20:]]))
    row = next(compared.rows())
    assert row.verdict is Verdict.INCONCLUSIVE
    return why(row, "throughput", "round", 0.05)


def test_a_precise_difference_that_few_rounds_do_not_confirm_is_not_said_to_lie_near_the_margin() -> None:
    text = sentence([120.0, 120.1, 119.9], [100.0, 100.1, 99.9], noise=0.4)

    assert "+20.0 % (95 % interval +19." in text
    assert "Alone it would be a difference (p < 0.0001); beside the usual spread of its test p = 0.49" in text
    assert "About 8 more rounds on each side would decide it in four cases of five." in text
    assert "margin" not in text


def test_a_difference_that_only_the_correction_leaves_undecided_says_so_with_its_price() -> None:
    text = sentence([110.0, 101.0, 112.0, 107.0, 104.0, 109.0], [100.0, 103.0, 97.0, 101.0, 95.0, 104.0], noise=0.02)

    alone = r"Alone it would be a difference \(p = 0\.0\d+\); corrected for all comparisons of the table p = 0\.\d+"
    price = r"About \d+ more rounds on each side would decide it in four cases of five\."
    assert re.search(rf"{alone}, and a table with fewer may call it\. {price}", text)


def test_a_difference_that_its_own_noise_leaves_undecided_has_the_rounds_for_the_precision() -> None:
    text = sentence([110.0, 90.0, 112.0, 97.0], [100.0, 113.0, 97.0, 91.0], noise=0.02)

    assert re.search(r"Its noise decides\. About \d+ more rounds on each side would determine it within ± 5 %\.", text)


def test_a_precise_difference_near_the_margin_says_so() -> None:
    text = sentence([108.0, 100.5, 104.0, 106.0, 101.0], [100.0, 103.5, 99.0, 97.0, 101.5], noise=0.02)

    assert "It is known within ± 5 % already, and lies near the margin." in text
