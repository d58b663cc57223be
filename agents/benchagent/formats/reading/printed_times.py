"""Reads the lines in which shells and GNU time print times, as seconds by metric.

bash and ksh print minutes and seconds (`0m1.251s`, with the locale's own sign for the decimals); `time -p` prints
seconds, as POSIX lays down; GNU time, csh and Solaris print `h:mm:ss` or `m:ss.cc`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .runs import scaled

REAL, USER, SYSTEM = "elapsed", "user_time", "system_time"
_METRICS = {"real": REAL, "user": USER, "sys": SYSTEM, "system": SYSTEM}

# Ten digits are three hundred years in seconds; no clock prints more.
_SECONDS = r"[0-9]{1,10}(?:[.,][0-9]{1,9})?"
_TIME = rf"(?:(?:[0-9]{{1,6}}h ?)?[0-9]{{1,9}}m ?{_SECONDS}s|(?:[0-9]{{1,6}}:){{0,2}}{_SECONDS}s?)"
_PARTS = re.compile(rf"(?:([0-9]+)[h:] ?(?=[0-9]+[m:]))?(?:([0-9]+)[m:] ?)?({_SECONDS})s?")

_ONE = re.compile(rf"\s*(real|user|sys)[ \t]{{1,40}}({_TIME})\s*")
_WHOLE = (
    # csh: 0.000u 0.001s 0:00.01 0.0%  0+0k 0+0io 0pf+0w
    re.compile(
        rf"\s*(?P<user>{_SECONDS})u (?P<sys>{_SECONDS})s (?P<real>{_TIME}) (?P<cpu>[0-9]{{1,7}}\.[0-9])%.{{0,80}}"
    ),
    # GNU time: 0.00user 0.00system 0:00.01elapsed 16%CPU (…)
    re.compile(
        rf"\s*(?P<user>{_SECONDS})user (?P<sys>{_SECONDS})system (?P<real>{_TIME})elapsed "
        r"(?P<cpu>[0-9?]{1,7})%CPU.{0,80}"
    ),
    # bash with TIMEFORMAT on one line: real 3m27.959s user 2m26.252s sys 1m41.627s CPU 100.00%
    re.compile(
        rf"\s*real (?P<real>{_TIME}) user (?P<user>{_TIME}) sys (?P<sys>{_TIME})"
        r"(?: CPU (?P<cpu>[0-9]{1,7}(?:\.[0-9]{1,2})?)%)?\s*"
    ),
    # BSD and macOS: 0.01 real  0.00 user  0.00 sys; mksh with minutes and "system"
    re.compile(rf"\s*(?P<real>{_TIME}) real\s{{1,9}}(?P<user>{_TIME}) user\s{{1,9}}(?P<sys>{_TIME}) sys(?:tem)?\s*"),
    # zsh: rm -rf dir  0.00s user 0.05s system 80% cpu 0.012 total
    re.compile(
        rf"\s*(?P<command>\S.{{0,2000}}?)  (?P<user>{_SECONDS})s user (?P<sys>{_SECONDS})s system "
        rf"(?P<cpu>[0-9]{{1,7}})% cpu (?P<real>{_TIME}) total\s*"
    ),
)
_VERBOSE = re.compile(
    rf"\s*(?:(?P<user>User time \(seconds\))|(?P<sys>System time \(seconds\))|(?P<cpu>Percent of CPU this job got)"
    rf"|(?P<real>Elapsed \(wall clock\) time \(h:mm:ss or m:ss\))): (?P<figure>{_TIME}|\?)%?\s*"
)


# Each such line has one of these words; other lines are skipped quickly.
_HINT = re.compile(r"real|user|sys|[0-9]u [0-9]|(?:User|System) time|Percent of|Elapsed")
# dd: GNU's rates are powers of 1000, by its manual; BSD prints bytes.
_COPIED = re.compile(
    r"[0-9]{1,18} bytes(?: \(.{1,40}\))? copied, [0-9.,]{1,20} (?:s|seconds), "
    r"([0-9]{1,9}(?:[.,][0-9]{1,3})?) ([kMGT]?)B/s"
    r"|[0-9]{1,18} bytes transferred in [0-9.,]{1,20} secs \(([0-9]{1,15}) bytes/sec\)"
)
_POWERS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True)
class PrintedTimes:
    """The times of a line: seconds by metric, a ratio for cpu_of_one_core. `tick` is the unit of the last digit."""

    values: dict[str, float] = field(default_factory=dict)
    tick: float | None = None
    command: str | None = None


def read_times(line: str) -> PrintedTimes | None:
    """The times in a line; None if the line has none."""
    if len(line) > 3000 or not _HINT.search(line):
        return None
    if one := _ONE.fullmatch(line):
        return _times_of({_METRICS[one[1]]: one[2]})
    if verbose := _VERBOSE.fullmatch(line):
        if verbose["figure"] == "?":
            return PrintedTimes()
        name = next(name for name in ("user", "sys", "cpu", "real") if verbose[name])
        return _times_of({_METRICS.get(name, name): verbose["figure"]})
    for form in _WHOLE:
        if whole := form.fullmatch(line):
            groups = {name: text for name, text in whole.groupdict().items() if text}
            command = groups.pop("command", None)
            return _times_of({_METRICS.get(name, name): text for name, text in groups.items()}, command)
    return None


def read_copy_rate(line: str) -> float | None:
    """Bytes per second as dd prints them; None for other lines, and for a dd whose MB is unknown."""
    match = _COPIED.fullmatch(line.strip()[:200])
    if match is None:
        return None
    return scaled(match[3]) if match[3] else scaled(match[1].replace(",", "."), _POWERS[match[2]])


def seconds(figure: str) -> float:
    """`4m42.252s`, `1:02:03`, `12.34` → seconds: the exact printed digits, rounded once to a double."""
    match = _PARTS.fullmatch(figure)
    if match is None:
        raise ValueError(f"{figure!r} is no time")
    whole, _, decimals = match[3].replace(",", ".").partition(".")
    total = int(match[1] or 0) * 3600 + int(match[2] or 0) * 60 + int(whole)
    scale: int = 10 ** len(decimals)
    return (total * scale + int(decimals or 0)) / scale


def _times_of(printed: dict[str, str], command: str | None = None) -> PrintedTimes:
    values, tick = {}, None
    for name, figure in printed.items():
        if name != "cpu":
            values[name] = seconds(figure)
        elif figure.replace(".", "").isdigit():
            values["cpu_of_one_core"] = float(figure) / 100
        if name == REAL:
            tick = 10.0 ** -len(re.split("[.,]", figure.rstrip("s"))[1]) if re.search("[.,]", figure) else 1.0
    return PrintedTimes(values, tick, command)
