"""The sentences with the reasons of verdicts."""

from __future__ import annotations

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
    assert "It may still be chance: corrected p = " in text
    assert "margin" not in text


def test_a_precise_difference_near_the_margin_says_so() -> None:
    text = sentence([108.0, 100.5, 104.0, 106.0, 101.0], [100.0, 103.5, 99.0, 97.0, 101.5], noise=0.02)

    assert "It is known within ± 5 % already, and lies near the margin." in text
