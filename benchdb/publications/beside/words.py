"""Words about an own figure against a published one: `17× faster than the article’s ext4 (12× to 25×)`."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.query.selection import MARGIN
from benchdb.runs.cells.cell import Cell
from benchdb.stats import WRITES, access_of
from benchdb.stats.trust.access import READS
from benchdb.wording.changes import effect_in_words
from benchdb.wording.numbers import plural, say_mean_and_sd, say_number, say_ratio
from benchdb.wording.sizes import say_size
from benchdb.wording.units import UNITS, default_unit

from .counterparts import VIEW, Counterpart
from .work import BYTES

OF_SPEED = ("throughput", "rate", "elapsed")
VERBS = {"create": "creates files", "delete": "deletes files", "mkfs": "is made"}
EQUAL = f"within {100 * MARGIN:g} %"


class Gain(NamedTuple):
    """A ratio above 1 if it is better, with the ends of its 95 % interval, None if unknown."""

    ratio: float
    low: float | None
    high: float | None


def gain_of(metric: str, ratio: float, low: float | None, high: float | None) -> Gain:
    """The gain of a ratio own ÷ published with its interval, above 1 is better, for times too; or back again."""
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
    """`17× faster than ext4 (12× to 25×)`, `24 % slower`; if it may be either, the interval: `−14 % to +44 %`."""
    speed = metric in OF_SPEED
    ratio, low, high = gain if speed else gain_of(metric, *gain)
    words = effect_in_words("rate" if speed else metric, ratio, low, high)
    if is_open(gain):
        return f"{words.interval}{than}"
    return f"{words.change}{than} ({words.interval})" if words.interval else f"{words.change}{than}"


def is_open(gain: Gain) -> bool:
    """Whether the interval of a gain holds both directions."""
    return gain.low is not None and gain.high is not None and gain.low <= 1 <= gain.high


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
