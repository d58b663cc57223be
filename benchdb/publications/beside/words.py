"""Words about an own figure against a published one: `17× faster than the article’s ext4 (12× to 25×)`."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.selection import MARGIN
from benchdb.runs.cells.cell import Cell
from benchdb.stats import WRITES, access_of
from benchdb.stats.trust.access import READS
from benchdb.wording.numbers import plural, say_mean_and_sd, say_number, say_ratio
from benchdb.wording.sizes import say_size
from benchdb.wording.units import UNITS, default_unit

from .counterparts import VIEW, Counterpart
from .work import BYTES

LARGEST_IN_PERCENT = 1.5  # a factor, of an estimate and both ends of its interval
OF_SPEED = ("throughput", "rate", "elapsed")
VERBS = {"create": "creates files", "delete": "deletes files", "mkfs": "is made"}
EQUAL = f"within {100 * MARGIN:g} %"


class Gain(NamedTuple):
    """A ratio above 1 if it is better, with the ends of its 95 % interval, None if unknown."""

    ratio: float
    low: float | None
    high: float | None


def gain_of(metric: str, ratio: float, low: float | None, high: float | None) -> Gain:
    """The gain of a ratio own ÷ published with its interval: above 1 is better, for times too."""
    if not METRICS[metric].higher_is_better:
        ratio, low, high = 1 / ratio, high and 1 / high, low and 1 / low
    return Gain(ratio, low, high)


def verb_of(tests: Collection[str]) -> str:
    """What a file system does in these tests: `writes`, `reads`, `creates files`; else `is`."""
    accesses = {access_of(test) for test in tests}
    if accesses <= WRITES:
        return "writes"
    return "reads" if accesses <= READS else VERBS.get(next(iter(tests)), "is") if len(tests) == 1 else "is"


def gain_in_words(metric: str, gain: Gain, than: str = "") -> str:
    """`17× faster than ext4 (12× to 25×)`, `24 % slower`; if it may be either, `between 2× slower and 3× faster`."""
    known = [each for each in (gain.ratio, gain.low, gain.high) if each is not None]
    percent = all(1 / LARGEST_IN_PERCENT <= each <= LARGEST_IN_PERCENT for each in known)
    if is_open(gain):
        ends = [f"{_size(end, percent=percent)} {_direction(metric, end)}" for end in known[1:]]
        return f"between {' and '.join(ends)}{than}"
    words = f"{_size(gain.ratio, percent=percent)} {_direction(metric, gain.ratio)}{than}"
    ends = [_size(end, percent=percent) for end in sorted(known[1:], reverse=gain.ratio < 1)]
    return f"{words} ({' to '.join(ends)})" if ends else words


def is_open(gain: Gain) -> bool:
    """Whether the interval of a gain holds both directions."""
    return gain.low is not None and gain.high is not None and gain.low <= 1 <= gain.high


def _size(gain: float, *, percent: bool) -> str:
    factor = max(gain, 1 / gain)
    if percent:
        return f"{100 * abs(gain - 1):.2g} %"
    return f"{say_number(factor, 2 if factor < 1.095 else 1 if factor < 9.95 else 0).removesuffix('.0')}×"


def _direction(metric: str, gain: float) -> str:
    if metric in OF_SPEED:
        return "faster" if gain >= 1 else "slower"
    return "less" if (gain >= 1) != METRICS[metric].higher_is_better else "more"


def figure(cell: Cell, *, printed: bool) -> str:
    """`106.8 ± 0.4 MiB/s`; `printed` figures keep the digits of the article."""
    unit = UNITS[default_unit(cell.metric)]
    text = say_mean_and_sd(cell.mean, cell.sd, cell.n, unit, printed=printed)
    return f"{text['mean']}{' ± ' + text['sd'] if text['sd'] else ''} {unit.name}"


def basis(cell: Cell, each: Counterpart, amount: float) -> str:
    """What is behind a figure: `10 rounds · 16 GiB file`, `2 rounds · 640 MiB in 320 KiB files: 1.66 GiB/s`."""
    params = cell.params or {}
    parts = [plural(cell.n, "round") if cell.n else "rounds unknown"]
    size = say_size(cell.file_size) if cell.file_size else ""
    if each.unit is not None:
        done = _amount(each.unit, amount) + (f" of {size}" if size and each.unit != BYTES else "")
        done += f" in {size} files" if size and each.unit == BYTES else ""
        parts.append(
            f"{done}: {_rate(each.unit, amount / cell.mean)}" if cell.metric == "elapsed" and cell.mean else done
        )
    else:
        parts += [f"{size} file"] if size else []
        parts += [_amount("files", files)] if isinstance(files := params.get("files"), int) else []
    return " · ".join([*parts, *([str(params[VIEW])] if VIEW in params else [])])


def _amount(unit: str, amount: float) -> str:
    return say_size(amount) if unit == BYTES else f"{say_number(amount, 0)} files"


def _rate(unit: str, rate: float) -> str:
    return f"{say_size(rate)}/s" if unit == BYTES else f"{say_ratio(rate)} files/s"
