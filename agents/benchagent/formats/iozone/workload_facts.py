"""Reads the workload that iozone prints before measuring: a line for each option, and the command line."""

from __future__ import annotations

import re
from functools import lru_cache

from benchagent.formats.model import Param
from benchagent.formats.reading.command_options import CommandOptions

WorkloadFacts = tuple[tuple[str, Param], ...]

# Facts that are in the results' keys, or only select results; they do not distinguish runs.
NOT_APART = frozenset(
    {"auto", "file_size", "record_size", "threads", "min_file_size", "max_file_size"}
    | {"min_record_size", "max_record_size", "min_threads", "max_threads"}
)
DEFAULT_STRIDE = 17  # records

_SETTINGS: tuple[tuple[str, str, Param], ...] = (
    ("auto mode", "auto", True),
    ("include fsync in write timing", "fsync", True),
    ("include close in write timing", "close", True),
    ("o_direct feature enabled", "direct", True),
    ("o_directio feature enabled", "direct", True),
    ("vxfs advanced feature", "direct", True),
    ("unbuffered windows api usage", "unbuffered", True),
    ("sync mode.", "sync", True),
    (">>> o_dsync mode enabled", "dsync", True),
    ("read & write sync mode active", "read_sync", True),
    ("network distribution mode enabled", "cluster", True),
    ("using mmap files", "mmap", True),
    ("using msync(ms_async) on mmap", "msync", "async"),
    ("using msync(ms_sync) on mmap", "msync", "sync"),
    ("enable mmap & file i/o mixing", "mmap_mixed", True),
    ("purge mode on", "purge", True),
    ("multi_buffer.", "multi_buffer", True),
    ("stonewall disabled", "no_stonewall", True),
    ("disrupted read patterns selected", "jitter", True),
    ("lock file when reading/writing", "file_lock", True),
    (">>> record locking", "record_lock", True),
    (">>> shared file mode enabled", "shared_file", True),
    (">>> sequential mixed workload", "sequential_mix", True),
    (">>> think time is included", "think_time", True),
)
_NUMBERS: tuple[tuple[re.Pattern[str], str, int], ...] = tuple(
    (re.compile(pattern.replace("#", "([0-9]{1,12})"), re.IGNORECASE), name, scale)
    for pattern, name, scale in (
        ("file size set to # kB", "file_size", 1024),
        ("record size # kB", "record_size", 1024),
        ("using minimum file size of # kilobytes", "min_file_size", 1024),
        ("using maximum file size of # kilobytes", "max_file_size", 1024),
        ("using minimum record size # kB", "min_record_size", 1024),
        ("using maximum record size # kB", "max_record_size", 1024),
        ("throughput test with # (?:process|thread)", "threads", 1),
        ("min (?:process|thread)(?:es|s)? = #", "min_threads", 1),
        ("max (?:process|thread)(?:es|s)? = #", "max_threads", 1),
        (r"file stride size set to # \* record size", "stride_records", 1),
        (r"posix async i/o \((?:no bcopy|with bcopy)\)\. depth #", "async_depth", 1),
        ("percent read in mix test is #", "read_percent", 1),
        ("madvise enabled: #", "madvise", 1),
        ("dedup activated # percent", "dedup_percent", 1),
        ("dedup within & across # percent", "dedup_interior_percent", 1),
        ("dedup within # percent", "dedup_within_percent", 1),
        ("zero percent #", "compressible_percent", 1),
        ("rate control active # ops/sec", "op_rate", 1),
    )
)
_THREADS = re.compile(r"throughput test with [0-9]{1,12} thread", re.IGNORECASE)
_COMPUTE = re.compile(r"compute time ([0-9]{1,9}\.[0-9]{1,9}) seconds", re.IGNORECASE)

# Lines without information for a result: iozone's authors, the time of the run, the kind of report.
_CHATTER = re.compile(
    r"""iozone:\ performance\ test | compiled\ for\ \d+\ bit | build:\  | contributors: | run\ began: | processor\ cache
    | excel\ chart\ generation | cpu\ utilization\ (?:resolution|excel\ chart) | setting\ no_unlink | cross\ over\ of
    | excel\ output\ is\ below | no\ retest\ option | random\s+random(?:$|\s+bkwd) | test\ running:$ | test\ cleanup:$
    | offset/latency\ files\ enabled | histogram\ summary\ enabled | delay\ \d+\ seconds\ between | binding\ of\ proc
    | machine\ =\  | hostname\ =\  | pit_(?:host|port)\  | >>>\ no\ verify\ mode | no\ compute\ time\ for
    | compute\ time\ from\ telemetry | using\ (?:read|write)\ telemetry\ file | dedup\ (?:manual|chid|granule)
    | dedup\+compress\ enabled | checking\ \d+\ clients | o_directio?\ feature\ not\ available | benchmark:\ iozone """,
    re.VERBOSE | re.IGNORECASE,
)
# The banner's further lines of authors; they end before "Run began:".
_NAMES = re.compile(r"[A-Z][\w. -]*(?:(?:, ?[A-Z][\w. -]*)+[,.]?|\.)$")
_LONGEST = 300  # characters of a line of the banner


def facts_in_line(text: str) -> WorkloadFacts | None:
    """The facts in a line of the banner, () if the line has none of the workload; None for other lines."""
    return _facts_in(text) if len(text) <= _LONGEST else None


@lru_cache(maxsize=1024)
def _facts_in(text: str) -> WorkloadFacts | None:
    lower = text.lower()
    for start, name, value in _SETTINGS:
        if lower.startswith(start):
            return ((name, value),)
    for pattern, name, scale in _NUMBERS:
        if match := pattern.match(text):
            return _of_number(name, int(match[1]) * scale, text)
    if match := _COMPUTE.match(text):
        return (("compute_time", float(match[1])),)
    return () if _CHATTER.match(text) else None


def _of_number(name: str, number: int, text: str) -> WorkloadFacts:
    if name == "stride_records" and number == DEFAULT_STRIDE:
        return ()
    if name == "threads" and _THREADS.match(text):
        return ((name, number), ("posix_threads", True))
    return ((name, number),)


def is_name(text: str) -> bool:
    """Whether a line of the banner continues the names of iozone's authors."""
    return len(text) <= _LONGEST and _NAMES.match(text) is not None


_FLAGS: dict[str, tuple[str, Param]] = {
    "a": ("auto", True),
    "A": ("auto", True),
    "e": ("fsync", True),
    "c": ("close", True),
    "I": ("direct", True),
    "o": ("sync", True),
    "B": ("mmap", True),
    "p": ("purge", True),
    "m": ("multi_buffer", True),
    "x": ("no_stonewall", True),
    "K": ("jitter", True),
    "W": ("file_lock", True),
    "T": ("posix_threads", True),
    "U": ("remount", True),
    "Z": ("mmap_mixed", True),
    "+r": ("read_sync", True),
    "+D": ("dsync", True),
    "+m": ("cluster", True),
    "+k": ("constant_aggregate", True),
    "+B": ("sequential_mix", True),
}


def facts_of(command: CommandOptions) -> WorkloadFacts:
    """The facts about the workload in a command line, for texts without the banner's lines."""
    return tuple(_FLAGS[name] for name in command if name in _FLAGS)
