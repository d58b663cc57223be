"""Numbers as text: the uncertainty decides the digits, a narrow space separates thousands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import floor, isclose, log10

from benchdb.stats import digits, to_places

from .units import Unit

NARROW_SPACE = "\u202f"
MOST_PRINTED = 3  # decimals of figures in articles; converted to another unit, a figure has as many as a float holds


def say_mean_and_sd(
    mean: float | None,
    sd: float | None,
    n: int | None,
    unit: Unit,
    *,
    printed: bool = False,
    step: float | None = None,
) -> dict[str, str]:
    """Mean and sd (base units) in the shown unit, rounded to two digits of the sd; "" for an unknown figure.

    `printed`: a tool or article rounded these figures, to `step` (base units) if known. In the unit of that source all
    printed digits are kept, and with a step also zeros at the end.
    """
    if mean is None:
        return {"mean": "", "sd": ""}
    shown_mean, shown_sd = mean / unit.per, None if sd is None else sd / unit.per
    decimals = digits(shown_mean, shown_sd, n)
    if printed:
        decimals = _printed_decimals([shown_mean, shown_sd], None if step is None else step / unit.per, decimals)
    return {
        "mean": say_number(shown_mean, decimals),
        "sd": "" if shown_sd is None else say_number(shown_sd, decimals),
    }


def say_number(value: float, decimals: int) -> str:
    """Rounded to `decimals` places (negative: to tens, hundreds, …), with a real minus: `109 340`, `62.1`."""
    if value >= 0 <= decimals:
        return f"{value + 0.0:,.{decimals}f}".replace(",", NARROW_SPACE)
    sign, digits_only = ("−", -value) if value < 0 else ("", value)
    return sign + to_places(digits_only, decimals, ",").replace(",", NARROW_SPACE)


def say_numbers(values: Sequence[float], decimals: int) -> list[str]:
    """`say_number` of many values."""
    if not values or min(values) < 0:
        return [say_number(value, decimals) for value in values]
    if decimals < 0:
        values, decimals = [round(value, decimals) for value in values], 0
    as_written = f",.{decimals}f"
    return ";".join([format(value + 0.0, as_written) for value in values]).replace(",", NARROW_SPACE).split(";")


def say_ratio(ratio: float) -> str:
    """Three significant digits: `1.05`, `0.952`, `434`, `0.00230`."""
    return say_number(ratio, 2 - floor(log10(ratio)))


def say_factor(ratio: float) -> str:
    """The ratio as a label of a scale, with three significant digits: `÷ 1.05`, `1`, `× 434`."""
    if ratio == 1:
        return "1"
    return f"× {say_ratio(ratio)}" if ratio > 1 else f"÷ {say_ratio(1 / ratio)}"


def decimals_of(mean: float | None, sd: float | None, n: int | None, unit: Unit) -> int:
    """The places that `say_mean_and_sd` shows for these figures (base units) in the shown unit."""
    shown = None if mean is None else mean / unit.per
    return digits(shown, None if sd is None else sd / unit.per, n)


def pads(numbers: Iterable[str | None]) -> list[str]:
    """The text each number needs to be as wide as the one with the most decimals: "", "0" or ".00".

    None counts as a whole number.
    """
    fractions = [len((number or "").partition(".")[2]) for number in numbers]
    longest = max(fractions, default=0)
    return [("." if length == 0 < longest else "") + "0" * (longest - length) for length in fractions]


def _printed_decimals(shown: Iterable[float | None], step: float | None, otherwise: int) -> int:
    """The decimals in the source of these figures; `otherwise` if the source used another unit."""
    if step and isclose(step, 10.0 ** (places := round(log10(step))), rel_tol=1e-9):
        return max(-places, 0)
    longest = max(map(_decimals, filter(None, shown)), default=0)
    return longest if longest <= MOST_PRINTED else otherwise


def _decimals(number: float) -> int:
    """The decimals a person would write for a number: 3 for 282.252, 0 for 9628.0."""
    return len(say_exact(number).partition(".")[2])


def say_exact(value: float) -> str:
    """All 15 digits of a float, without an exponent: `1 239 272 448`, `0.020966`, `0.000002179`."""
    plain = f"{abs(value):.15g}"
    whole, point, fraction = (f"{Decimal(plain):f}" if "e" in plain else plain).partition(".")
    return ("−" if value < 0 else "") + f"{int(whole):,}".replace(",", NARROW_SPACE) + point + fraction


def say_duration(seconds: float) -> str:
    """`0.42 s`, `12.3 s`, `4 m 42 s`, `2 h 05 m`."""
    if seconds < 60:
        return f"{seconds:.3g} s" if round(seconds, 1) < 60 else "1 m 00 s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} m {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} m"


def plural(number: int, noun: str) -> str:
    """`1 round`, `10 rounds`, `5 000 rounds`."""
    return f"{say_number(number, 0)} {noun}{'' if number == 1 else 's'}"
