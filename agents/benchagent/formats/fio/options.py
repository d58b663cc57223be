"""A fio job's options, as fio prints them, with the names and units of results. fio(1), "Job file parameters"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchagent.formats.model import Param
from benchagent.formats.reading.places import directory, joined

JobOptions = Mapping[str, str]

# Paths of files, logs and names of jobs: not part of the workload.
_NO_WORKLOAD = re.compile(
    r".*(?:_log|_logfile)|log_.*|filename.*|directory|name|description|output.*|opendir|lockfile|exec_.*|.*percentiles?(?:_list)?"
)
# These have fields of a result.
_IN_FIELDS = {"rw", "readwrite", "bs", "blocksize", "size", "filesize", "numjobs", "group_reporting", "nrfiles"}
FLAGS = {"direct", "time_based", "invalidate", "group_reporting", "thread", "norandommap", "randrepeat", "end_fsync"}
_DURATIONS = {"runtime": "seconds", "timeout": "seconds", "ramp_time": "ramp_seconds", "startdelay": "delay_seconds"}
_COUNTS = {"fsync", "fdatasync", "rwmixread", "rwmixwrite", "nrfiles", "loops"}
# Options that have the words of plans in results: the same for every tool that knows them.
_WORDS = {"ioengine": "engine", "iodepth": "depth", "rate_iops": "rate", "rate": "bytes_per_second"}
_ARRIVALS = {"linear": "even", "poisson": "poisson"}
_MOST, _LONGEST = 60, 120

_RANDOM = {"randread", "randwrite", "randrw", "randtrim", "randtrimwrite"}
# The directions of each rw=; mixed ones have more than one.
DIRECTIONS = {
    "read": ("read",),
    "write": ("write",),
    "trim": ("trim",),
    "randread": ("read",),
    "randwrite": ("write",),
    "randtrim": ("trim",),
    "rw": ("read", "write"),
    "readwrite": ("read", "write"),
    "randrw": ("read", "write"),
    "trimwrite": ("trim", "write"),
    "randtrimwrite": ("trim", "write"),
}
_INDEXES = {"read": 0, "write": 1, "trim": 2}  # of bs=read,write,trim
# With kb_base=1024, fio's default, k, kB and Ki are 1024 and KiB is 1000, for the sake of old job files; kb_base=1000
# turns k and KiB around.
_SIZE = re.compile(r"([0-9]{1,18})(?:([kmgtp])(?:(ib)|i|b)?|b)?", re.I)
_DURATION = re.compile(r"([0-9]{1,12})(us|ms|s|m|h|d)?")
_COLON = re.compile(r"(?<!\\):")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400}


def pattern(options: JobOptions) -> str | None:
    """rw= without a suffix after a colon; fio's default if its options lack rw; None without options."""
    if not options:
        return None
    printed = options.get("rw") or options.get("readwrite") or "read"
    return printed.split(":")[0].lower()


def test_of(direction: str, rw: str | None) -> str:
    """`random_read`, `write`…; `sync` is its own."""
    return f"random_{direction}" if rw in _RANDOM and direction in _INDEXES else direction


def rw_param(options: JobOptions, rw: str | None) -> dict[str, Param]:
    """The params of a direction that was mixed with another or has a suffix, or whose pattern is unknown."""
    if rw is None:
        return {"rw": "unknown"}
    printed = (options.get("rw") or options.get("readwrite") or rw).lower()
    if printed == rw and len(DIRECTIONS.get(rw, ())) == 1:
        return {}
    mix = {name: options[name] for name in ("rwmixread", "rwmixwrite") if name in options}
    return {"rw": printed[:_LONGEST], **{name: _number(text) for name, text in mix.items()}}


def record_size(options: JobOptions, direction: str) -> int | None:
    """bs= of a direction in bytes; 4096 if fio printed its options without one; None for ranges and splits."""
    if not options or "bssplit" in options or "bsrange" in options:
        return None
    sizes = (options.get("bs") or options.get("blocksize") or "4096").split(",")
    return size_of(sizes[min(_INDEXES.get(direction, 0), len(sizes) - 1)], options)


def file_size(options: JobOptions) -> int | None:
    """One file's size in bytes; None if a percentage, a list of files or a range leaves it open."""
    if "filesize" in options:
        return size_of(options["filesize"], options)
    files = options.get("nrfiles", "1")
    total = size_of(options.get("size", ""), options)
    if total is None or ":" in options.get("filename", "").replace("\\:", "") or not re.fullmatch("[0-9]{1,9}", files):
        return None
    return total // int(files) if int(files) and total % int(files) == 0 else None


def threads(options: JobOptions) -> int | None:
    """numjobs=, one by default; None without options."""
    jobs = options.get("numjobs", "1")
    return int(jobs) if options and re.fullmatch("[0-9]{1,6}", jobs) and int(jobs) else None


def place_of(options: JobOptions) -> str:
    """The files of a job, else its directories; empty if its options have neither."""
    folders = [directory(folder) for folder in _COLON.split(options.get("directory", ""))]
    files = [file for file in _COLON.split(options.get("filename", "")) if file]
    within = [folder + file for folder in folders for file in files if not file.startswith("/")]
    return joined([*(file for file in files if file.startswith("/")), *within] if files else folders)


def parameters(options: JobOptions) -> dict[str, Param]:
    """The other options, under the names of plans' parameters if there are any."""
    params: dict[str, Param] = {}
    for name, text in options.items():
        if name in _IN_FIELDS or _NO_WORKLOAD.fullmatch(name) or len(params) >= _MOST:
            continue
        duration = _DURATION.fullmatch(text)
        if name in _DURATIONS and duration:
            params[_DURATIONS[name]] = int(duration[1]) * _SECONDS[duration[2] or "s"]
        elif name in FLAGS and text in ("", "0", "1"):
            params[name] = text != "0"
        elif name in _COUNTS:
            params[name] = _number(text)
        elif name in _WORDS:
            params[_WORDS[name]] = _size_or_text(text, options) if name == "rate" else _number(text)
        elif name == "rate_process":
            params["arrivals"] = _ARRIVALS.get(text, text[:_LONGEST])
        else:
            params[name[:_LONGEST]] = text[:_LONGEST]
    return params


def _size_or_text(text: str, options: JobOptions) -> Param:
    size = size_of(text, options)
    return text[:_LONGEST] if size is None else size


def _number(text: str) -> Param:
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else text[:_LONGEST]


def size_of(text: str, options: JobOptions) -> int | None:
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    decimal = (options.get("kb_base") == "1000") != bool(match[3])
    power = " kmgtp".index(match[2].lower()) if match[2] else 0
    total = int(match[1]) * (1000 if decimal else 1024) ** power
    return total if 0 < total < 2**63 else None
