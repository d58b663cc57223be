"""The numbers in the lines of fio's report for people, in base units. Their form: `stat.c` of fio 1.5x to 3.4x.

From 2.17 on fio prints `IOPS=22.4k, BW=87.6MiB/s`, where k is 1000 and Ki 1024; before, `bw=89702KB/s`, where KB is
1024 bytes. For all clients together it leaves out B/s. Latencies of a line have its unit; K and M after a latency or a
rate are thousands and millions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchagent.formats.model import Param
from benchagent.formats.reading.latency_figures import PERCENTILES
from benchagent.formats.reading.runs import RunValue, scaled

_N = r"((?:-(?=0(?:\.0{1,12})?(?![0-9.])))?[0-9]{1,18}(?:\.[0-9]{1,12})?)"
_COUNT = _N + "([kKMGTPE]?)"
_BYTES = _N + r"([kKMGTPE]?)(i?)(?:(B|b|bit)/s|(?= \())"
_POWERS = "kmgtpe"
_PARTS = {"n": 10**9, "u": 10**6, "m": 10**3}

JOB = re.compile(
    r"(?:-{1,9} )?(\S.{0,200}?): \(groupid=([0-9]{1,9}), jobs=([0-9]{1,9})\): "
    r"err= *(-?[0-9]{1,6})(?: \((.{0,300})\))?: pid=(\S{1,20})"
    r"(?: +[A-Z][a-z]{2} ([A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}))?"
)
HEADER = re.compile(r"(\S.{0,200}?): \(g=([0-9]{1,9})\): rw=([^\s,]{1,60}), bs=(.{1,200}?), (ioengine=.{0,300})")
DIRECTION = re.compile(r" *(read|write|trim|mixed) ?: (?=IOPS=|io=)(.*)")
TOTAL = re.compile(r" *(READ|WRITE|TRIM|MIXED): (?=(?:bw|io)=)(.*)")
_MOVED_BY_ALL = re.compile(rf"(?<![\w=])(?:bw|aggrb)= *{_BYTES}")
_RAN_ALL = re.compile(rf"(?:run|maxt)= *{_N}(?:-{_N})?msec")
SYNC = re.compile(r" *fsync/fdatasync/sync_file_range:$")
_COUNTED = re.compile(rf"(?<![\w=])(?:IOPS|iops)={_COUNT}(?![\w.])")
_MOVED = re.compile(rf"(?<![\w=])(?:BW|bw)= *{_BYTES}")
_RAN = re.compile(rf"(?:runt=|/) *{_N}msec")
_LATENCY = re.compile(
    rf" *(slat|clat|lat|sync) \(([num])sec\) *: min= *{_COUNT} ?, max= *{_COUNT} ?, avg= *{_N} ?, stdev= *{_N}"
)
PERCENTILES_OF = re.compile(r" *(slat|clat|lat|sync)? ?percentiles \(([num])sec\) *:$")
_PERCENTILE = re.compile(rf"([0-9]{{1,3}}\.[0-9]{{1,6}})th=\[ *{_COUNT} *\]")
_BW = re.compile(
    rf" *bw \( *([kKMGT]?)(i?)(B|bit) */s\) *: min= *{_COUNT} ?, max= *{_COUNT} ?,.* avg= *{_N} ?, stdev= *{_N}"
)
_IOPS = re.compile(rf" *iops *: min= *{_COUNT}, max= *{_COUNT}, avg= *{_N}, stdev= *{_N}")
ISSUED = re.compile(r" *issued rwts: total=[0-9]{1,18},[0-9]{1,18},[0-9]{1,18},([0-9]{1,18}) .*")  # fsyncs are last
CPU = re.compile(rf" *cpu +: usr= *{_N}%, sys= *{_N}%")
# (mark, beginning, whole): a line with a mark and this beginning has lost its end unless it is whole.
_WHOLE = (
    ("=", re.compile(r"(?:READ|WRITE|TRIM|MIXED): (?=bw=|io=)"), re.compile(r".*(?:msec|\))$")),
    ("(groupid=", re.compile(r".{0,200}: \(groupid=[0-9]"), JOB),
    ("(g=", re.compile(r".{0,200}: \(g=[0-9]{1,9}\): rw="), re.compile(r".*iodepth=[0-9]")),
    ("=", re.compile(r"(?:read|write|trim|mixed) ?: (?=IOPS=|io=)"), re.compile(r".*[0-9]msec")),
    ("min=", re.compile(r"(?:slat|clat|lat|sync) \([num]sec\) *: *min="), _LATENCY),
    ("/s", re.compile(r"bw \( *[kKMGT]?i?(?:B|bit) */s\) *:"), _BW),
    ("min=", re.compile(r"iops *: min="), _IOPS),
    ("cpu", re.compile(r"cpu +: usr="), CPU),
    ("th=", re.compile(r"\|? *[0-9.]{1,10}th="), re.compile(r".*\][ ,]*$")),
)
_GOES_ON = re.compile(r"(?:IO depths|submit|complete|issued|lat \(|READ|WRITE|TRIM|MIXED|\S{1,80}: ios=).*[,=]$")
_KINDS = {"slat": "submission", "clat": "completion", "lat": "total"}


def is_cut(line: str) -> bool:
    """Whether a line of fio's has lost its end, so that the next line may have it."""
    for mark, begins, whole in _WHOLE:
        if mark in line and begins.match(line):
            return not whole.match(line)
    return line.endswith((",", "=")) and _GOES_ON.match(line) is not None


def has_numbers(line: str) -> bool:
    """Whether a line belongs to a job and has numbers that are results."""
    return any(mark in line and begins.match(line) for mark, begins, _ in _WHOLE[3:])


def rates(text: str, line: int) -> tuple[list[RunValue], bool]:
    """Throughput, rate and run time behind `read:`, and whether KB is 1000 bytes there."""
    of_old = "IOPS=" not in text
    moved, counted, ran = _MOVED.search(text), _COUNTED.search(text), _RAN.search(text)
    decimal = moved is not None and not of_old and not moved[3]
    found = [_lacking("throughput", line), _lacking("rate", line), _lacking("elapsed", line)]
    if moved and of_old and moved[3]:
        found[0].error = "fio before 1.30 prints thousands of bytes as KiB here"
    elif moved and (moved[4] or not of_old):
        found[0] = _value("throughput", moved[1], line, *_bytes(moved[2], moved[4] or "B", decimal=decimal))
    if counted:
        found[1] = _value("rate", counted[1], line, _thousands(counted[2]))
    if ran:
        found[2] = _value("elapsed", ran[1], line, 1, 1000)
    return found, decimal


def total(text: str, line: int) -> list[RunValue]:
    """Throughput and time of all processes of a group behind `READ:`; none if the line is cut."""
    moved, ran = _MOVED_BY_ALL.search(text), _RAN_ALL.search(text)
    if not moved or not ran:
        return []
    decimal = "aggrb=" not in text and not moved[3]
    throughput = _value("throughput", moved[1], line, *_bytes(moved[2], moved[4] or "B", decimal=decimal))
    return [throughput, _value("elapsed", ran[2] or ran[1], line, 1, 1000)]


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
        power, binary, unit, low, _, high, _, mean, deviation = match.groups()
        metric, (times, over) = "throughput", _bytes(power, unit, decimal=decimal and not binary)
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


def _lacking(metric: str, line: int) -> RunValue:
    return RunValue("", metric, None, line, error="fio's line is cut or changed here")


def _power(letter: str) -> int:
    return _POWERS.index(letter.lower()) + 1 if letter else 0


def _thousands(letter: str) -> int:
    return int(1000 ** _power(letter))


def _bytes(letter: str, unit: str, *, decimal: bool) -> tuple[int, int]:
    """How a number with this prefix and unit (B, bit or b) becomes bytes: times the first, divided by the second."""
    return int((1000 if decimal else 1024) ** _power(letter)), 1 if unit == "B" else 8
