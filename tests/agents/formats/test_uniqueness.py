"""Results with the same test, metric, sizes, threads and params are the same quantity."""

from __future__ import annotations

import pytest

from benchagent.formats.uniqueness import identity, repeated


def of_params(**params: object) -> object:
    return identity("mix", "rate", None, None, None, params)


def test_one_and_one_point_zero_are_the_same_param_and_true_is_another() -> None:
    assert of_params(files=1) == of_params(files=1.0)
    assert of_params(files=1) != of_params(files=True)
    assert of_params(files=0) != of_params(files=False)


def test_large_whole_numbers_are_compared_exactly() -> None:
    assert of_params(bytes=2**53) == of_params(bytes=float(2**53))
    assert of_params(bytes=2**53 + 1) != of_params(bytes=float(2**53))


def test_the_order_of_params_does_not_matter() -> None:
    assert of_params(a=1, b="x") == of_params(b="x", a=1)
    assert of_params(a=1) != of_params(b=1)


@pytest.mark.parametrize(
    ("identities", "expected"),
    [([], {}), ([("a",), ("b",)], {}), ([("a",), ("b",), ("a",), ("a",), ("b",)], {2: 0, 3: 0, 4: 1})],
)
def test_repeated_results_are_named_with_the_first(identities: list[tuple[str]], expected: dict[int, int]) -> None:
    assert repeated(identities) == expected
