"""Patterns of the lines that Filebench prints, 1.0 to 1.5, and the reading of their numbers.

``mb/s`` is 1024 × 1024 bytes per second in every version (filebench.h: MB_FLOAT). 1.4 puts its process number and the
time before logged messages (`2240: 86.424: `), 1.5 only the time; rows of the breakdown have neither.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from sys import intern  # a text may have 100,000 runs
from typing import NamedTuple

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import NUMBER

_N, _I = NUMBER, r"[0-9]{1,18}"
_GAP = r"[ \t]{1,60}"

BANNER = re.compile(r"\s{0,9}File[Bb]ench Version (\S{1,60})")
LOG = re.compile(r"\s{0,20}(?:([0-9]{1,10}):\s{1,9})?([0-9]{1,12}\.[0-9]{3}):(?:\s(.*))?$")
BREAKDOWN = "Per-Operation Breakdown"
TOOK = re.compile(rf"Run took ({_I}) seconds")
NO_RESULTS = "NO VALID RESULTS!"
SHUTDOWN = "Shutting down processes"

_ROW = re.compile(
    rf"\s{{0,9}}(?P<name>\S{{1,200}}){_GAP}(?:(?P<ops>{_I})ops{_GAP})?(?P<rate>{_I})ops/s{_GAP}(?P<mb>{_N})mb/s"
    rf"{_GAP}(?P<mean>{_N})ms/op(?:{_GAP}(?P<cpu>{_I})us/op-cpu)?"
    rf"(?:[ \t]{{0,60}}\[[ \t]{{0,20}}(?P<min>(?:-(?=0(?:\.0{{1,9}})?m))?[0-9]{{1,25}}(?:\.[0-9]{{1,9}})?)ms"
    rf"[ \t]{{0,9}}-[ \t]{{0,20}}(?P<max>{_N})ms\])?"
    r"(?:\s{1,60}\[[0-9 ]{0,3000}\])?\s{0,60}"  # a histogram of latencies, counted in buckets
)
_SUMMARY = re.compile(
    rf"\s{{0,9}}IO Summary:{_GAP}(?P<ops>{_I}) ops,?{_GAP}(?P<rate>{_N}) ops/s,?{_GAP}\(?(?P<read>{_I})/(?P<write>{_I})"
    rf" (?:rd/wr|r/w)\)?,?{_GAP}(?P<mb>{_N})mb/s,?{_GAP}(?:(?P<cpu>{_I})us cpu/op,{_GAP})?(?P<mean>{_N})ms"
    r"(?:/op| latency)\s{0,60}"
)

_COMMAND = re.compile(
    r"(?:\S{0,99}[$#>%] {0,3})?((?:sudo )?(?:\S{0,99}/)?(?:go_)?filebench .{0,20}-f ?(\S{1,200}).{0,200})$"
)
_PERSONALITY = re.compile(r"\s{0,20}(\S.{0,60}?) (?:Version (\S{1,20}) )?personality")
_VARIABLE = re.compile(r"\s{0,20}\$([A-Za-z0-9_-]{1,60}) ?= ?(\S.{0,200})")
_EVENTS = re.compile(r"Eventgen: ([0-9]{1,15}) per second")
_THREADS = re.compile(r"Starting ([0-9]{1,7}) \S{1,200} threads")
_FILESET = re.compile(
    r"(?:Fileset (?P<old>\S{1,60}):|(?P<new>\S{1,60}) populated:) (?P<files>[0-9]{1,15}) files,.{0,40}?"
    r"avg\.? dir\.? width = (?P<width>[0-9]{1,15})"
)
_CHATTER = re.compile(
    r"\s{0,20}(?:Allocated [0-9]|Populating and pre-|Population and pre-|Creating[ /]|Pre-allocat|Preallocated [0-9]"
    r"|Remov(?:ing|ed any existing) |Reusing |[Ww]aiting for |making tree for |Running|Starting [0-9]|Shutting down"
    r"|Attempting to create fileset more than once|Failed to open cvar directory|Fileset has no directory width"
    r"|Eventgen rate taken from variable"
    r"|File \S{1,200}: (?:mb=)?[0-9]|Usage:|set \$|run runtime|$)"
)
_REMARK = re.compile(
    r"\s{0,9}(?:WARNING: Could not open /proc/sys/kernel/shmmax|It means that you probably ran Filebench not as a root"
    r"|region limits in this case, which can lead|filebench>)"
)


class FlowopFigures(NamedTuple):
    """The numbers of a row or a summary, as printed; None if this version prints none."""

    name: str | None
    ops: str | None
    rate: str
    throughput: str
    mean: str
    cpu: str | None = None
    fastest: str | None = None
    slowest: str | None = None
    reads: str | None = None
    writes: str | None = None


def row(line: str) -> FlowopFigures | None:
    """A row of the breakdown: `closefile1  1171ops  116ops/s  0.0mb/s  0.0ms/op  25us/op-cpu [0ms - 2ms]`."""
    match = _ROW.fullmatch(line) if "ops/s" in line else None
    if not match:
        return None
    named = match.groupdict()
    return FlowopFigures(
        named["name"], named["ops"], named["rate"], named["mb"], named["mean"], named["cpu"], named["min"], named["max"]
    )


def summary(text: str) -> FlowopFigures | None:
    """The IO summary, of the kind of 1.4 (`12782 ops, 1265.049 ops/s, (114/231 r/w), …`) or of 1.5."""
    match = _SUMMARY.fullmatch(text) if "IO Summary:" in text else None
    if not match:
        return None
    ops, rate, mb, mean, cpu = match.group("ops", "rate", "mb", "mean", "cpu")
    return FlowopFigures(None, ops, rate, mb, mean, cpu, reads=match["read"], writes=match["write"])


@lru_cache(maxsize=4096)
def facts(message: str) -> Mapping[str, Param] | None:
    """The facts of the workload in a logged line; None if it has none. Threads are those of one process."""
    if "$" in message and (match := _VARIABLE.fullmatch(message)):
        return {intern(match[1]): _typed(match[2].strip())}
    if message.startswith("Eventgen") and (match := _EVENTS.fullmatch(message)):
        return {"events_per_second": int(match[1])}
    if " files," in message and (match := _FILESET.match(message)):
        name = match["old"] or match["new"]
        return {intern(f"{name}_files"): int(match["files"]), intern(f"{name}_directory_width"): int(match["width"])}
    if "personality" in message and (match := _PERSONALITY.match(message)):
        return {"personality": match[1].strip(), **({"personality_version": match[2]} if match[2] else {})}
    return None


def started_threads(message: str) -> int:
    """The number of threads that one process starts; 0 for other lines."""
    found = _THREADS.match(message) if message.startswith("Starting ") else None
    return int(found[1]) if found else 0


def command(line: str) -> tuple[str, str] | None:
    """(the command line, the workload definition it names) of a line with a prompt; None for other lines."""
    found = _COMMAND.match(line) if "filebench " in line and len(line) < 700 else None
    return (found[1], found[2].rsplit("/", 1)[-1]) if found else None


def is_chatter(message: str) -> bool:
    """Whether a logged line is one of those in every run."""
    return bool(_CHATTER.match(message))


@lru_cache(maxsize=4096)
def is_idle(message: str) -> bool:
    """Whether a logged line is one of those in every run, and nothing can be read in it."""
    begins = message.startswith((SHUTDOWN, NO_RESULTS, BREAKDOWN)) or TOOK.match(message) or summary(message)
    says = started_threads(message) or facts(message) is not None or "filebench " in message
    return not begins and not says and is_chatter(message)


def is_remark(line: str) -> bool:
    """Whether a line that is not logged is one that Filebench prints before or between."""
    return bool(_REMARK.match(line))


def _typed(word: str) -> Param:
    return int(word) if re.fullmatch(r"[0-9]{1,15}", word) else intern(word)
