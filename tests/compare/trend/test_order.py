"""Kernels in the order of their versions."""

from __future__ import annotations

import random

from benchdb.compare.trend.order import kernel_order

RELEASES = [
    None,
    "2.6.11",
    "2.6.9-custom",
    "5.10.0-9-amd64",
    "5.10.0-28-amd64",
    "6.1.0-9-amd64",
    "6.1.0-31-amd64",
    "6.12.0-rc1",
    "6.12.0-rc10",
    "6.12.0",
    "6.12.0+deb13-amd64",
    "6.12.1",
]


def test_numbers_count_as_numbers_and_candidates_come_before_releases() -> None:
    shuffled = random.Random(1).sample(RELEASES, len(RELEASES))
    expected = [None, "2.6.9-custom", "2.6.11", *RELEASES[3:]]
    assert sorted(shuffled, key=kernel_order) == expected
