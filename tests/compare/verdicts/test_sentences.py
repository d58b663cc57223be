"""The sentences with the reasons of verdicts."""

import re

import numpy as np

from benchdb.compare.verdicts.sentences import row_in_words, why
from benchdb.stats import Cells, Verdict, compare
from tests.texts import missing_in


def sentence(first: list[float], second: list[float], noise: float) -> str:
    """The sentence about two sides of an inconclusive cell, in a table whose other cells have this noise."""
    others = 100 * np.exp(noise * np.random.default_rng(2).standard_normal((40, len(first))))
    row = next(compare(Cells.of_values([first, *others[:20]]), Cells.of_values([second, *others[20:]])).rows())
    assert row.verdict is Verdict.INCONCLUSIVE
    return why(row, row_in_words(row, "throughput"), "round", 0.05)


def test_a_precise_difference_that_few_rounds_do_not_confirm_is_not_said_to_lie_near_the_margin() -> None:
    text = sentence([120.0, 120.1, 119.9], [100.0, 100.1, 99.9], noise=0.4)

    assert not missing_in(
        text,
        "20.0 % faster (95 % interval 19.",
        "Alone it would be a difference (p < 0.0001); beside the usual spread of its test p = 0.49",
        "About 8 more rounds on each side would decide it in four cases of five.",
    )
    assert "margin" not in text


def test_a_difference_that_only_the_correction_leaves_undecided_says_so_with_its_price() -> None:
    text = sentence([110.0, 101.0, 112.0, 107.0, 104.0, 109.0], [100.0, 103.0, 97.0, 101.0, 95.0, 104.0], noise=0.02)

    alone = r"Alone it would be a difference \(p = 0\.0\d+\); corrected for all comparisons of the table p = 0\.\d+"
    price = r"About \d+ more rounds on each side would decide it in four cases of five\."
    assert re.search(rf"{alone}, and a table with fewer may call it\. {price}", text)


def looked_at(first: list[list[float]], second: list[list[float]], looks: int, kinds: int) -> str:
    sides = [Cells.of_values(side, looks=looks, kinds=kinds) for side in (first, second)]
    row = next(compare(*sides).rows())
    assert row.verdict is Verdict.INCONCLUSIVE
    return why(row, row_in_words(row, "throughput"), "round", 0.05)


def test_a_look_that_leaves_a_difference_undecided_is_named() -> None:
    """At the first look p is divided by 0.98, at the second by 0.015; thirty rounds have no usual spread."""
    noise = np.random.default_rng(4).standard_normal(30)
    base = 100 * np.exp(0.2 * (noise - noise.mean()) / noise.std(ddof=1))
    shift = np.exp(2.0055 * 0.2 * np.sqrt(2 / 30))
    first = looked_at([(base * shift).tolist()], [base[::-1].tolist()], looks=1, kinds=0)
    second = looked_at([(base * shift**1.2).tolist()], [base[::-1].tolist()], looks=2, kinds=0)
    assert "at look 1 of a growing run p = 0.05" in first
    assert "at look 2 of a growing run p = " in second


def test_the_usual_spread_is_named_at_a_later_look_too() -> None:
    others = 100 * np.exp(0.5 * np.random.default_rng(5).standard_normal((2, 12, 5)))
    quiet = [[120.0, 120.1, 119.9, 120.0, 120.05]], [[100.0, 100.1, 99.9, 100.0, 100.05]]
    text = looked_at([*quiet[0], *others[0].tolist()], [*quiet[1], *others[1].tolist()], looks=2, kinds=0)
    assert "beside the usual spread of its test p = 1" in text


def test_a_difference_that_its_own_noise_leaves_undecided_has_the_rounds_for_the_precision() -> None:
    text = sentence([110.0, 90.0, 112.0, 97.0], [100.0, 113.0, 97.0, 91.0], noise=0.02)

    assert re.search(r"Its noise decides\. About \d+ more rounds on each side would determine it within ± 5 %\.", text)


def test_a_precise_difference_near_the_margin_says_so() -> None:
    text = sentence([108.0, 100.5, 104.0, 106.0, 101.0], [100.0, 103.5, 99.0, 97.0, 101.5], noise=0.02)

    assert "It is known within ± 5 % already, and lies near the margin." in text
