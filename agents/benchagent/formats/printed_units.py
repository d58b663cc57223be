"""Formats values for comparison with the raw text, in the unit with the fewest digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchagent.formats import Result

MOST_LOOKED_AT = 1000  # values of a metric; enough to find the tool's unit
MOST_DECIMALS = 5  # in the output of tools; dbench prints six digits
SIGNIFICANT = 5  # digits shown of such a value
_THROUGHPUT = {"KiB/s": 1024.0, "MiB/s": 1024.0**2, "MB/s": 1e6}
_FACTORS = {**_THROUGHPUT, "µs": 1e-6, "%": 0.01}


def units(results: Iterable[Result]) -> dict[str, str]:
    """The unit for each metric's values: one per metric, so that values are easy to compare."""
    values: dict[str, list[float]] = {}
    bases: dict[str, str] = {}
    for result in results:
        bases[result.metric] = result.unit
        metric_values = values.setdefault(result.metric, [])
        if len(metric_values) < MOST_LOOKED_AT:
            metric_values.extend(value for value in result.values if value is not None)
    return {metric: _unit(metric, base, values[metric]) for metric, base in bases.items()}


def _unit(metric: str, base: str, values: Sequence[float]) -> str:
    """µs for latencies, % for shares; for throughput the most likely unit of the text, else MiB/s."""
    if base == "s" and metric.startswith("latency"):
        return "µs"
    if base == "ratio" and metric != "extents_per_file":
        return "%"
    if base != "B/s":
        return base
    digits = {unit: [_text(value / per) for value in values] for unit, per in _THROUGHPUT.items()}
    short = [unit for unit, texts in digits.items() if all(_decimals(text) <= MOST_DECIMALS for text in texts)]
    return min(short, key=lambda unit: sum(map(len, digits[unit])), default="MiB/s")


def say(value: float, unit: str) -> str:
    """A value (base unit) in `unit`, with all digits if they are few: `49695`, `0.42`, `388.69`."""
    number = value / _FACTORS.get(unit, 1.0)
    text = _text(number)
    if _decimals(text) <= MOST_DECIMALS:
        return text
    exponent = int(f"{abs(number):e}".partition("e")[2])
    return f"{number:.{max(0, SIGNIFICANT - 1 - exponent)}f}"


def _text(number: float) -> str:
    """The 15 digits that a float holds, without an exponent below 1e15."""
    return f"{number:.15g}"


def _decimals(text: str) -> int:
    """The number of decimals in a text; a text with an exponent counts as too many."""
    return len(text.partition(".")[2]) if "e" not in text else MOST_DECIMALS + 1
