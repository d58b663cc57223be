"""Recognises fio's lines: messages, errors, and those of its report, which `report.py` reads if there is no JSON."""

from __future__ import annotations

import re

# Job, group, error, four or five counts and times, and the least and greatest of a latency with its mean and deviation.
_OF_VERSION_2 = r"2;[^\n]{1,200};[0-9]{1,6};[0-9]{1,6}(?:;[0-9]{1,18}){5,6}(?:;[0-9]{1,15}\.[0-9]{6}){2};"
TERSE = re.compile(
    rf"^(?:[345];(?:fio[- ][0-9]|[0-9]{{1,2}}(?:\.[0-9]{{1,3}}){{1,2}};[^\n]{{1,600}}%=)|{_OF_VERSION_2})", re.M
)
FOR_PEOPLE = re.compile(
    r": \((?:g=[0-9]{1,6}\): rw=|groupid=[0-9]{1,6}, jobs=[0-9]{1,6}\): err=)"
    r"|^\W{0,20}(?:Run status group [0-9]{1,6} \(all jobs\):|(?:read|write|trim) ?: (?:IOPS=[0-9.]{1,9}[kM]?, BW="
    r"|io=[0-9.]{1,9}[KMG]?i?B, bw=))",
    re.M,
)
_ERROR = re.compile(r"(?:fio: )?pid=[0-9]{1,10}, err=\s{0,3}([0-9]{1,6})/.{0,300}")
_VERSION = re.compile(r"fio[- ]([0-9][\w.+-]{0,60})$")
_INTERRUPTION = re.compile(r"fio: terminating on")
_WORK = (
    r"fio[- ][0-9]|Starting [0-9]+ (?:process|thread)|Jobs: [0-9]+ \(f=|\S.{0,200}: \(g=[0-9]+\): rw=|\.\.\.$",
    r"hostname=\S+, be=|<\S{1,80}> |Client connections:|clients=|\S.{0,200}: Laying out IO file",
    r"time {1,20}[0-9]{1,10} cycles_start=[0-9]|note: both iodepth >= 1 and|fio: \S|\S.{0,200}: you need to",
    _OF_VERSION_2 + r"|[345];(?:fio[- ])?[0-9]|.{0,80}\[eta(?: [0-9a-z:-]{1,20}\]?)?$|[0-9]{2}[dhms].{0,20}\]$",
)
_REPORT = (
    r"\S.{0,200}: \(groupid=[0-9]+, jobs=[0-9]+\): err=|(?:read|write|trim|mixed) ?: (?:IOPS=|io=)|Description +:",
    r"fsync/fdatasync/sync_file_range:$|(?:sync|slat|clat|lat) (?:percentiles )?\((?:nsec|usec|msec)\) *:",
    r"(?:\| +)?[0-9. ]{1,12}th=\[|(?:zone )?resets$|bw \( *[kKMGT]?i?(?:B|bit) *(?:/s)?\) *:|iops *: min=",
    r"cpu +: usr=|IO depths +:|submit +:|complete +:|issued(?: rwts?| r/w)? *: total=|>?=64=",
    r"latency +: target=|errors +: total=|(?:clat|lat) prio ",
    r"(?:WRITE|READ|TRIM|MIXED): |Disk stats \(read/write\):$",
    r"Run status group [0-9]+ \(all jobs\):|\S{1,80}: ios=",
)
_KNOWN = re.compile("|".join((*_WORK, *_REPORT)))


def is_known(line: str) -> bool:
    return _KNOWN.match(line.strip()) is not None


def version_in(line: str) -> str | None:
    """The version in the line `fio-3.33`, with which fio begins; None for other lines."""
    match = _VERSION.match(line.strip())
    return match[1] if match else None


def error_in(line: str) -> tuple[int, str] | None:
    """An error's number and the whole sentence; None for other lines."""
    match = _ERROR.match(line.strip())
    return (int(match[1]), match[0]) if match else None


def is_interruption(line: str) -> bool:
    return _INTERRUPTION.match(line.strip()) is not None
