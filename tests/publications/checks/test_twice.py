"""The same quantity stated twice, and in two units."""

from __future__ import annotations

import pytest

from .articles import against, outcomes


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("28 MB", "8 MB", ("stated twice", False)),
        ("8 MB", "8 MB", ("stated twice", True)),
        ("1 KB", "1,024 B", ("unit arithmetic", True)),
        ("1 KB", "1,025 B", ("unit arithmetic", False)),
        ("> 64 GB", "<= 64 GB", ("stated twice", False)),
        (">= 64 GB", "<= 64 GB", ("stated twice", True)),
    ],
)
def test_two_statements(one: str, other: str, expected: tuple[str, bool]) -> None:
    assert outcomes(f"file | size | {one}", f"file | size | {other}") == [expected]


def test_other_quantities_and_other_objects_are_not_compared() -> None:
    assert outcomes("a | size | 1 B", "a | space | 2 B", "b | size | 3 B") == [("space", True)]


def test_repeated_statements_are_compared_once() -> None:
    assert len(against("a | size | 1 B", "a | size | 2 B", "a | size | 2 B")) == 1


def test_how_far_two_values_are_apart_in_the_closest_reading() -> None:
    (found,) = against("a | rate | 100 MiB/s", "a | size | 1 GB", "a | time | 5.00 s")
    # 1 GB is 1000³ or 1024³ bytes, and 524 MB are nearer to the first.
    assert found.text == "size of a: 1 GB against 100 MiB/s × 5.00 s = 524.3 MB (+91 % in the closest reading)."
