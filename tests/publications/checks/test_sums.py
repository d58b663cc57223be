"""Parts and their whole."""

from __future__ import annotations

import pytest

from .articles import outcomes


@pytest.mark.parametrize(("whole", "agrees"), [("310 GB", True), ("480 GB", False)])
def test_a_sum(whole: str, agrees: bool) -> None:
    parts = [f"row {i} | size | {size} | part_of = 'data'" for i, size in enumerate(("10 GB", "100 GB", "200 GB"))]
    assert outcomes(*parts, f"data | size | {whole}") == [("sum", agrees)]


def test_parts_in_rounded_figures() -> None:
    parts = [
        "used | size | 5.1 TB | rounded = true, part_of = 'fs'",
        "free | size | 5.0 TB | rounded = true, part_of = 'fs'",
    ]
    assert outcomes(*parts, "fs | size | 10 TB | rounded = true") == [("sum", True)]


def test_a_whole_without_parts_is_compared_with_nothing() -> None:
    assert outcomes("data | size | 480 GB") == []
