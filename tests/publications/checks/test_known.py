"""Printed values as ranges in base units."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.publications.checks.known import INFINITE, Known, Range, read_value, related, show, show_readings


def limits(text: str, quantity: str = "rate", **others: float) -> list[tuple[float, float]]:
    ranges, _ = read_value(text, quantity, **others)
    return [(float(each.low), float(each.high)) for each in ranges]


@pytest.mark.parametrize(
    ("text", "quantity", "expected"),
    [
        ("6.4 %", "share", [(0.0635, 0.0645)]),
        ("2793.078 MHz", "frequency", [(2793.0775e6, 2793.0785e6)]),
        ("10 min", "time", [(570.0, 630.0)]),
        ("1,000,000", "count", [(1e6, 1e6)]),
        ("16 GB", "size", [(16e9, 16e9), (16 * 2.0**30, 16 * 2.0**30)]),
        ("16 GiB", "size", [(16 * 2.0**30, 16 * 2.0**30)]),
        ("8 GB", "memory", [(8 * 2.0**30, 8 * 2.0**30)]),
        ("8 Mbit/s", "rate", [(0.9375e6, 1.0625e6), (0.9375 * 2**20, 1.0625 * 2**20)]),
        ("-50 %", "change", [(-0.505, -0.495)]),
        (">= 2", "multiple", [(2.0, float("inf"))]),
        ("<= 64 B", "size", [(0.0, 64.0)]),
    ],
)
def test_a_value_in_every_reading_of_its_unit(text: str, quantity: str, expected: list[tuple[float, float]]) -> None:
    assert limits(text, quantity) == expected


def test_how_exact_a_value_is() -> None:
    assert limits("10 TB", "size", rounded=True)[0] == (9.5e12, 10.5e12)
    assert limits("100 %", "change", about=0.2) == [(0.8, 1.2)]


def test_more_than_a_limit_is_not_the_limit() -> None:
    (more, *_), _unit = read_value("> 64 GB", "size")
    (most, *_), _unit = read_value("<= 64 GB", "size")
    assert more.high == INFINITE
    assert not more.meets(most)


@pytest.mark.parametrize("text", ["much", "5 furlongs", "", "12 GBit"])
def test_a_text_that_is_no_value(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no (value|unit)"):
        read_value(text, "size")


POSITIVE = st.decimals(min_value="0.001", max_value=10**6, places=3)


@given(POSITIVE, POSITIVE, POSITIVE, POSITIVE)
def test_arithmetic_on_ranges_has_the_arithmetic_on_their_values(
    a: Decimal, b: Decimal, c: Decimal, d: Decimal
) -> None:
    one, other = Range(min(a, b), max(a, b)), Range(min(c, d), max(c, d))
    for found, value in ((one.times(other), a * c), (one.plus(other), a + c), (one.over(other), a / c)):
        assert found.low <= value <= found.high
    assert one.meets(other) == other.meets(one)


def test_the_same_unit_is_read_in_the_same_way() -> None:
    def known(text: str) -> Known:
        ranges, unit = read_value(text, "size")
        return Known("file", "size", ranges, text, (text,), unit=unit)

    assert not known("1000 GB").meets(known("1024 GB"))
    assert known("1000 GB").meets(known("1 TB"))
    assert known("1024 GB").meets(known("1 TB"))


def test_values_in_words() -> None:
    assert show("size", Decimal(25_769_803_776)) == "25.77 GB"
    assert show("rate", Decimal(85_900_000)) == "85.9 MB/s"
    assert show("share", Decimal("0.064")) == "6.4 %"
    one, other = Range(Decimal(80), Decimal(80)), Range(Decimal(85), Decimal(85))
    assert show_readings("time", [one, other]) == "80 to 85 s"
    assert show_readings("time", [one]) == "80 s"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("disk", "disk", True),
        ("disk", "disk / ext3", True),
        ("disk / ext3", "disk / ext4", False),
        ("d", "disk", False),
    ],
)
def test_an_object_and_its_parts(one: str, other: str, expected: bool) -> None:
    assert related(one, other) is related(other, one) is expected
