"""Patterns of the lines that FFSB prints, 5.x to 6.0-RC2, and the reading of sizes and settings.

Its KB, MB and GB are powers of 1024 with three digits (util.c: ffsb_printsize), so 1000 to 1023 come as `1.02e+03KB`.
Its CPU times are shares of the elapsed time, so of one core (main.c): 16 threads on 8 cores can print 800 %.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import NUMBER

_N, _I = NUMBER, r"[0-9]{1,18}"
_GAP = r"[ \t]{1,40}"
_SIZE = r"[0-9]{1,9}(?:\.[0-9]{1,3})?(?:e\+0[0-9])?"
_RATE = rf"(?P<size>{_SIZE})(?P<unit>[KMGT]?B)/sec"

BANNER = re.compile(r"\s{0,9}FFSB version (\S{1,60}) started")
GROUP = re.compile(r"\s{0,9}ThreadGroup ([0-9]{1,6})\s{0,9}")
AGING = re.compile(r"\s{0,9}Aging ThreadGroup for fs .{0,900}")
FULLNESS = re.compile(rf"\s{{0,9}}desired utilization = ({_N})%?")
FILE_SYSTEM = re.compile(r"\s{0,9}FileSystem (\S.{0,900})")
RESULTS = re.compile(r"\s{0,9}Results:\s{0,9}")
TOTAL = re.compile(r"\s{0,9}Total Results\s{0,9}")
CALLS = "System Call Latency statistics in millisecs"
BENCHMARK_TIME = re.compile(rf"\s{{0,9}}benchmark time (?:=|set to) ({_I})")
TOOK = re.compile(rf"\s{{0,9}}Benchmark took ({_N}) sec")
TRANSACTIONS = re.compile(rf"\s{{0,9}}({_N}) Transactions per Second")
SIDE = re.compile(rf"\s{{0,9}}(Read|Write) Throughput: {_RATE}")
CPU = re.compile(rf"\s{{0,9}}({_N})% (User|System|CPU){_GAP}(?:Time|Utilization)")
COUNT = re.compile(rf"\s{{0,40}}([a-z_]{{1,40}}) : {_I} ops \({_N}%\)")
ONLY = re.compile(rf"\s{{0,9}}Throughput: (?P<rate>{_N}) (?P<word>reads|writes|creates|append writes)/sec -> {_RATE}")
OPERATION = re.compile(
    rf"\s{{0,40}}(?P<name>[a-z_]{{1,40}}) :{_GAP}{_I}{_GAP}(?P<rate>{_N}){_GAP}{_N}%(?:{_GAP}{_N}%)?"
    rf"(?:{_GAP}(?:NA|{_RATE}))?\s{{0,9}}"
)
CALL = re.compile(rf"\[\s{{0,20}}([a-z_]{{1,20}})\]{_GAP}({_N}){_GAP}({_N}){_GAP}({_N}){_GAP}{_I}\s{{0,9}}")
CALL_COUNT = re.compile(rf"\s{{0,9}}\[\s{{0,20}}([a-z_]{{1,20}})\] count = {_I}\s{{0,9}}")
CALL_FIGURE = re.compile(rf"\s{{0,9}}(min|avg|max) = ({_N})(?: millisec)?\s{{0,9}}")

_SETTING = re.compile(rf"\s{{1,9}}([a-z][a-z_ ]{{0,40}}?)\s{{1,20}}= (on|off|{_I})(?:\s{{1,9}}\(.{{0,20}}\))?\s{{0,9}}")
_WEIGHT = re.compile(rf"\s{{1,40}}([a-z_]{{1,40}}) = ({_I}) \((?:{_N}|-?nan)%\)\s{{0,9}}")
_FILE_WEIGHT = re.compile(rf"\s{{1,40}}({_I}) \([ 0-9.e+KMGTB]{{1,20}}\) -> ({_I}) \({_N}%\)\s{{0,9}}")
_CHATTER = re.compile(
    r"\s{0,40}(?:=[=\s]{0,200}|-|op weights|Fileset weight:|aging is (?:on|off)|current utilization = .{1,20}"
    r"|Op Name .{1,200}"
    r"|Throughput Results|Min\s.{1,80}|creating new fileset .{1,900}|recreating new fileset"
    r"|checking existing fs: .{1,900}|fs setup took .{1,40}|Syncing\(\)\.\.\..{0,40}|executing callout: ?"
    r"|Starting Actual Benchmark At: .{1,60}|FFSB benchmark finished   at: .{1,60}|bound to fs [0-9]{1,6}"
    r"|Only creating the fileset, not running benchmark\.|Setup complete, exiting"
    r"|bucket\[.{1,120}|msec_range\[.{1,120})\s{0,9}"
)

# FFSB's names → those of the agent's own tools.
_NAMES = {"num_threads": "threads", "num_dirs": "directories", "starting files": "files", "directio": "direct"}
_NAMES |= {"fsync_file": "fsync", "min file size": "min_file_size", "max file size": "max_file_size"}
_FLAGS = {"fsync_file"}
_UNITS = {"B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}


class PrintedSize(NamedTuple):
    """A printed size: its digits, and the bytes of its unit."""

    digits: str
    unit: int


def size(match: re.Match[str]) -> PrintedSize | None:
    """The bytes per second of a match; None if it has NA or nothing."""
    return PrintedSize(match["size"], _UNITS[match["unit"]]) if match["size"] else None


def setting(line: str) -> tuple[str, Param] | None:
    """A setting in a line of the profile, by name; None for other lines. Off and 0 are FFSB's defaults."""
    if match := _WEIGHT.fullmatch(line):
        return f"{match[1]}_weight", int(match[2])
    if match := _FILE_WEIGHT.fullmatch(line):
        return f"weight_of_files_of_{match[1]}", int(match[2])
    if match := _SETTING.fullmatch(line):
        name = _NAMES.get(match[1], match[1].replace(" ", "_"))
        return name, match[2] == "on" if match[2] in ("on", "off") else _number(match[1], int(match[2]))
    return None


def _number(name: str, number: int) -> Param:
    return bool(number) if name in _FLAGS else number


def begins_results(line: str) -> bool:
    """Whether results begin; after the end of a run, those of another run."""
    return any(kind.match(line) for kind in (RESULTS, TOOK, TOTAL, OPERATION, ONLY, TRANSACTIONS))


def is_chatter(line: str) -> bool:
    """Whether a line is a message of every run, without results or settings."""
    return bool(_CHATTER.fullmatch(line))
