"""The figures and changes of quantities as words."""

from __future__ import annotations

from benchdb.runs.totals.quantities import Per, Quantity, Work
from benchdb.wording.changes import change_and_interval
from benchdb.wording.numbers import say_duration, say_number
from benchdb.wording.sizes import say_size

from .compared import ComparedQuantity

_MEBIBYTE = 2.0**20
# By what counters are divided, in words, and how many of its units.
_WORK: dict[Work, tuple[str, float]] = {
    Work.OPERATION: ("1,000 operations", 1000.0),
    Work.BYTE: ("MiB requested", _MEBIBYTE),
    Work.ROUND: ("round", 1.0),
}


def work_in_words(work: Work) -> str:
    """`MiB requested`, `1,000 operations`, `round`."""
    return _WORK[work][0]


def label_of(quantity: Quantity, work: Work) -> str:
    """`Flushes of the device per MiB requested`, `device busy`, `time of a flush`."""
    per = f" per {work_in_words(work)}" if quantity.per is Per.WORK else ""
    return quantity.label + per


def say_figure(value: float, quantity: Quantity, work: Work) -> str:
    """A figure in base units with the unit that suits it: `128`, `2.08 MiB`, `34.1 %`, `310 µs`."""
    if quantity.per is Per.SECOND:
        return f"{_short(100 * value)} %"
    if quantity.per is Per.WORK:
        value *= _WORK[work][1]
    if quantity.unit == "B":
        return say_size(float(f"{value:.3g}"))
    if quantity.unit == "s":
        return _time(value)
    if quantity.unit == "Hz":
        return f"{value / 1e9:.2f} GHz"
    return f"{say_number(value, 0)} °C" if quantity.unit == "°C" else _short(value)


def change_of(each: ComparedQuantity) -> str:
    """`4.1× higher`, `25 % lower`, `+12 °C`; `none` or `only here` if there is nothing of it on one side."""
    return _changes(each)[0]


def interval_of(each: ComparedQuantity) -> str:
    """`3.8× to 4.4×`; "" for temperatures, and if there is nothing of it on one side."""
    return _changes(each)[1]


def sentence_of(each: ComparedQuantity, work: Work) -> str:
    """`flushes of the device per MiB requested: 4.1× higher (3.8× to 4.4×), from 31 to 128`."""
    baseline, rival = (say_figure(value, each.quantity, work) for value in (each.baseline, each.rival))
    label = label_of(each.quantity, work)
    if each.rival == 0:
        return f"{label}: none, against {baseline}"
    if each.baseline == 0:
        return f"{label}: {rival}, against none"
    change, interval = _changes(each)
    return f"{label}: {change}{f' ({interval})' if interval else ''}, from {baseline} to {rival}"


def _changes(each: ComparedQuantity) -> tuple[str, str]:
    if each.rival == 0 or each.baseline == 0:
        return ("none" if each.rival == 0 else "only here"), ""
    if each.quantity.unit == "°C":
        difference = each.rival - each.baseline
        return f"{'+' if difference >= 0 else '−'}{say_number(abs(difference), 0)} °C", ""
    return change_and_interval("", each.ratio, each.low, each.high)


def _time(seconds: float) -> str:
    if seconds >= 1 or seconds == 0:
        return say_duration(seconds)
    return f"{_short(1e3 * seconds)} ms" if seconds >= 1e-3 else f"{_short(1e6 * seconds)} µs"


def _short(value: float) -> str:
    """Three significant digits."""
    size = abs(value)
    if size >= 100 or size == 0:
        return say_number(value, 0)
    return f"{value:.2g}" if size < 1e-6 else say_number(float(f"{value:.3g}"), max(0, 2 - _exponent(size)))


def _exponent(size: float) -> int:
    return int(f"{size:.2e}".partition("e")[2])
