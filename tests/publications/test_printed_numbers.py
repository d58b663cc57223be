"""Figures as articles print them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from benchdb.publications.printed_numbers import UnreadableNumber, read_printed, read_size


@pytest.mark.parametrize(
    ("text", "unit", "mean", "sd", "step"),
    [
        ("100,476.50 ± 167.31", "KiB/s", "102887936", "171325.44", "10.24"),
        ("389", "op/s", "389", None, "1"),
        ("18.7", "%", "0.187", None, "0.001"),
        ("27m10s", "s", "1630", None, "1"),
        ("0m30.641s", "s", "30.641", None, "0.001"),
    ],
)
def test_read_exactly(text: str, unit: str, mean: str, sd: str | None, step: str) -> None:
    found = read_printed(text, unit)
    assert (found.mean, found.sd, found.step) == (Decimal(mean), sd and Decimal(sd), Decimal(step))


@pytest.mark.parametrize("text", ["", "1,00.5", "1.2.3", "12 KB/s", "m3s", "-3", "nan", "1e9"])
def test_refuses_what_no_article_prints(text: str) -> None:
    with pytest.raises(UnreadableNumber):
        read_printed(text, "s")


@pytest.mark.parametrize(
    ("text", "size"), [("16G", 16 << 30), ("28M", 28 << 20), ("64 KiB", 65536), ("100GB", 10**11), ("512", 512)]
)
def test_sizes(text: str, size: int) -> None:
    assert read_size(text) == size
