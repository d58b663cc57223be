"""The numbers in the lines of fio's report for people, in base units. Their form: `stat.c` of fio 1.5x to 3.4x.

From 2.15 on fio prints `IOPS=22.4k, BW=87.6MiB/s`, where k is 1000 and Ki 1024; before, `bw=89702KB/s`, where KB is
1024 bytes. Latencies of a line have its unit; K and M after a latency or a rate are thousands and millions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import RunValue, scaled

from .job_values import PERCENTILES

_N = r"([0-9]{1,18}(?:\.[0-9]{1,12})?)"
_COUNT = _N + "([kKMGTPE]?)"
_BYTES = _N + r"([kKMGTPE]?)(i?)(B|b|bit)"
_POWERS = "kmgtpe"
_PARTS = {"n": 10**9, "u": 10**6, "m": 10**3}

JOB = re.compile(
    r"(\S.{0,200}?): \(groupid=([0-9]{1,9}), jobs=([0-9]{1,9})\): "
    r"err= *([0-9]{1,6})(?: \((.{0,300})\))?: pid=(\S{1,20})"
)
HEADER = re.compile(r"(\S.{0,200}?): \(g=([0-9]{1,9})\): rw=([^\s,]{1,60}), bs=(.{1,200}?), (ioengine=.{0,300})")
DIRECTION = re.compile(r" *(read|write|trim|mixed) ?: (?=IOPS=|io=)(.*)")
SYNC = re.compile(r" *fsync/fdatasync/sync_file_range:$")
_RATE = re.compile(rf"IOPS={_COUNT}, BW={_BYTES}/s \([^()]*\)\([^()/]*/{_N}msec\)")
_OLD_RATE = re.compile(rf"io=[^,]*, *bw={_BYTES}/s *, *iops={_COUNT} *, *runt= *{_N}msec")
_LATENCY = re.compile(
    rf" *(slat|clat|lat|sync) \(([num])sec\) *: min= *{_COUNT}, max= *{_COUNT}, avg= *{_N}, stdev= *{_N}"
)
PERCENTILES_OF = re.compile(r" *(slat|clat|lat|sync)? ?percentiles \(([num])sec\) *:$")
_PERCENTILE = re.compile(rf"([0-9]{{1,3}}\.[0-9]{{1,6}})th=\[ *{_COUNT} *\]")
_BW = re.compile(rf" *bw \( *([kKMGT]?)i?(B|bit) */s\) *: min= *{_COUNT}, max= *{_COUNT},.* avg= *{_N}, stdev= *{_N}")
_IOPS = re.compile(rf" *iops *: min= *{_COUNT}, max= *{_COUNT}, avg= *{_N}, stdev= *{_N}")
CPU = re.compile(rf" *cpu +: usr= *{_N}%, sys= *{_N}%")
_KINDS = {"slat": "submission", "clat": "completion", "lat": "total"}


def rates(text: str, line: int) -> tuple[list[RunValue], bool]:
    """Throughput, rate and run time behind `read:`, and whether KB is 1000 bytes there."""
    if match := _RATE.match(text):
        count, count_power, number, power, binary, unit, msec = match.groups()
        decimal = not binary
    elif match := _OLD_RATE.match(text):
        number, power, binary, unit, count, count_power, msec = match.groups()
        decimal = False
    else:
        return [], False
    found = [
        _value("throughput", number, line, *_bytes(power, unit, decimal=decimal)),
        _value("rate", count, line, _thousands(count_power)),
        _value("elapsed", msec, line, 1, 1000),
    ]
    return found, decimal


def latency(text: str, line: int) -> Iterator[RunValue]:
    """The numbers of a line such as `clat (usec): min=2, max=9823, avg=43.21, stdev=50.22`; none of other lines."""
    if match := _LATENCY.match(text):
        kind, unit, low, low_power, high, high_power, mean, deviation = match.groups()
        over, of_kind = _PARTS[unit], _params(kind)
        yield _value("latency_min", low, line, _thousands(low_power), over, of_kind)
        yield _value("latency_mean", mean, line, 1, over, of_kind)
        yield _value("latency_max", high, line, _thousands(high_power), over, of_kind)
        yield _value("latency_mean", deviation, line, 1, over, {**of_kind, "view": "sd"})


def percentiles(text: str, line: int, kind: str, unit: str) -> Iterator[RunValue]:
    """The numbers of a line such as `| 99.00th=[  510], 99.50th=[  652]`, under a heading of this kind and unit."""
    for share, number, power in _PERCENTILE.findall(text):
        percent = float(share)
        metric = PERCENTILES.get(percent, "latency_percentile")
        params = {} if percent in PERCENTILES else {"percentile": percent}
        yield _value(metric, number, line, _thousands(power), _PARTS[unit], {**_params(kind), **params})


def samples(text: str, line: int, *, decimal: bool) -> Iterator[RunValue]:
    """The numbers of fio's samples over time, `bw (  KiB/s): min=…` and `iops        : min=…`; none of other lines."""
    if match := _BW.match(text):
        power, unit, low, _, high, _, mean, deviation = match.groups()
        metric, (times, over) = "throughput", _bytes(power, unit, decimal=decimal)
        printed = [(low, times), (high, times), (mean, times), (deviation, times)]
    elif match := _IOPS.match(text):
        low, low_power, high, high_power, mean, deviation = match.groups()
        metric, over = "rate", 1
        printed = [(low, _thousands(low_power)), (high, _thousands(high_power)), (mean, 1), (deviation, 1)]
    else:
        return
    if scaled(high):
        for view, (number, times) in zip(("min", "max", "mean", "sd"), printed):
            yield _value(metric, number, line, times, over, {"view": view})


def cpu(text: str, line: int) -> Iterator[RunValue]:
    """The shares of one core in a line such as `cpu : usr=1.20%, sys=3.40%`; none of other lines."""
    if match := CPU.match(text):
        for view, share in zip(("user", "system"), match.groups()):
            yield _value("cpu_of_one_core", share, line, 1, 100, {"cpu": view})


def size(printed: str, power: str, binary: str) -> int | None:
    """A record size such as 4096B, 64.0KiB or, of old, 4K in bytes; None if its digits are rounded."""
    exact = scaled(printed, 1024 ** _power(power))
    rounded = "." in printed and not printed.endswith(".0")
    return int(exact) if exact.is_integer() and not rounded else None


def _params(kind: str) -> dict[str, Param]:
    return {"latency": _KINDS.get(kind, "total")}


def _value(
    metric: str, printed: str, line: int, times: int = 1, over: int = 1, params: dict[str, Param] | None = None
) -> RunValue:
    """One number, × `times` ÷ `over`. Zero is a measurement of a deviation and of CPU time only."""
    number, params = scaled(printed, times, over), params or {}
    if number or params.get("view") == "sd" or metric == "cpu_of_one_core":
        return RunValue("", metric, number, line, params)
    return RunValue("", metric, None, line, params, error="fio printed 0")


def _power(letter: str) -> int:
    return _POWERS.index(letter.lower()) + 1 if letter else 0


def _thousands(letter: str) -> int:
    return int(1000 ** _power(letter))


def _bytes(letter: str, unit: str, *, decimal: bool) -> tuple[int, int]:
    """How a number with this prefix and unit (B, bit or b) becomes bytes: times the first, divided by the second."""
    return int((1000 if decimal else 1024) ** _power(letter)), 1 if unit == "B" else 8
