"""The number of digits of a figure, for all pages and exports."""

from __future__ import annotations

import math
from typing import Literal

DIGITS_OF_SD = 2
DIGITS_WITHOUT_SD = 4
DIGITS_OF_A_FLOAT = 15


def digits(mean: float | None, sd: float | None, n: int | None) -> int:
    """Decimal places for mean and sd: 2 is hundredths, 0 units, −1 tens.

    Two significant digits of the sd decide (109 340 ± 370 has −1). Without a spread (n = 1, no sd, an sd of 0) the
    mean gets four significant digits. Never more than the 15 digits of a float; 0 without a mean.
    """
    if mean is None or not math.isfinite(mean):
        return 0
    if n == 1 or sd is None or not math.isfinite(sd) or sd <= 0:
        return 0 if mean == 0 else DIGITS_WITHOUT_SD - 1 - _exponent(mean, ".3e")
    wanted = DIGITS_OF_SD - 1 - _exponent(sd, ".1e")
    return wanted if mean == 0 else min(wanted, DIGITS_OF_A_FLOAT - 1 - _exponent(mean, ".14e"))


def to_places(number: float, places: int, separator: Literal["", ","] = "") -> str:
    """`number` in plain decimal notation, rounded to `places` decimal places as `digits` counts them.

    `separator` separates the thousands.

    >>> to_places(109339.9, -1), to_places(62.06, 1), to_places(-0.01, 1)
    ('109340', '62.1', '0.0')
    """
    if places >= 0 <= number:
        return f"{number + 0.0:{separator}.{places}f}"
    # Adding 0.0 turns −0.0 into 0.0, which has no sign to print.
    return f"{round(number, places) + 0.0:{separator}.{max(places, 0)}f}"


def _exponent(number: float, written: str) -> int:
    """Decimal exponent of `number` rounded to the significant digits of this format: 0.0996 as `.1e` is 0.10, so −1."""
    return int(format(number, written).partition("e")[2])
