"""Capacities in the names of disks."""

from __future__ import annotations

import pytest

from .articles import outcomes


@pytest.mark.parametrize(
    ("model", "capacity", "agrees"),
    [
        ("ST3250820AS P", "160 GB", False),
        ("ST3250820AS P", "250 GB", True),
        ("ST31000340AS", "1 TB", True),
        ("DTLA-307020", "20 GB", True),
        ("DTLA-307045", "20 GB", False),
    ],
)
def test_a_name_against_a_capacity(model: str, capacity: str, agrees: bool) -> None:
    assert outcomes(f"disk | model | {model}", f"disk | capacity | {capacity}") == [("model name", agrees)]


@pytest.mark.parametrize("model", ["WD_BLACK SN770", "ST1360827AS", "MAA78GM-US2H"])
def test_a_name_without_a_capacity(model: str) -> None:
    assert outcomes(f"disk | model | {model}", "disk | capacity | 1 GB") == []
