"""Reads one of fio's logs over time as a file of its own: the figures of each direction, and their quantity over time.

A log says neither what its values are, which is in its name, nor the pattern of the job; up to fio 3.17 it does not say
the unit of latencies either, which then follows from fio's version.
"""

from __future__ import annotations

import re
from itertools import islice

from benchagent.formats.companions import base_name
from benchagent.formats.model import FormatError, Param, Parsed, ResultKey
from benchagent.formats.over_time import OverTime
from benchagent.formats.reading.collector import Collector, params_key
from benchagent.formats.reading.text import lines_of

from .log_series import HISTOGRAMS, KINDS, Figures, figures, figures_of_histograms, over_time, over_time_of_histograms
from .logs import LogLines, LogName, Samples, histogram_samples, is_log, is_unit, log_name, samples

TOOL = "fio"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_+.-]+")  # of artifacts, so that a log that is read again has the same results
_LONGEST = 90
_HEAD = 20  # lines by which a log is recognised
_UNNAMED = (
    "this can be a log of fio over time, and only the name of its file says what its numbers are: give it the name that"
    " fio gave it, such as NAME_bw.1.log, or NAME_iops, NAME_lat, NAME_clat, NAME_slat or NAME_clat_hist"
)
_NO_UNIT = (
    "the log does not say the unit of its latencies, which are microseconds up to fio 2 and nanoseconds since fio 3:"
    " import it together with the output that fio printed, or add a line #[Unit: us] or #[Unit: ns] at its beginning"
)


def is_name(name: str) -> bool:
    return log_name(base_name(name)) is not None


def recognises(text: str, name: str | None) -> bool:
    """Whether the text begins like a log; without the name of one, many lines have to, with fio's spaces."""
    head = [line for line in islice(lines_of(text), _HEAD) if line.strip() and not is_unit(line)]
    return is_log(head[:1]) if name and is_name(name) else is_log(head) and all(", " in line for line in head)


def parse(text: str, name: str | None, version: str | None, parser_version: str) -> Parsed:
    """Read a log. Raises FormatError if its name does not say what it is, or if nothing says the unit of latencies."""
    log = log_name(base_name(name)) if name else None
    if log is None:
        raise FormatError(_UNNAMED)
    collector, series = Collector(), list[OverTime]()
    rest = None
    if log.word == HISTOGRAMS:
        for histograms in histogram_samples(text):
            if found := figures_of_histograms(histograms):
                _collect(collector, found, log, histograms.direction, histograms.line)
            series += over_time_of_histograms(histograms)
    else:
        lines = samples(text)
        rest, unit = lines.rest, _unit(lines, log, version)
        for each in lines.samples:
            if found := figures(each, log.word, unit):
                _collect(collector, found, log, each.direction, each.line, _record_size(each))
            series += over_time(each, log.word, unit)
    if not collector.cells():
        raise FormatError("the log has no operation, or all of them at its very beginning")
    if rest:
        collector.unread(*rest)
        collector.warn("the log is cut off: what was whole of it is read")
    return Parsed(
        tool=TOOL,
        tool_version=version,
        command=None,
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        complete=rest is None,
        unread=collector.unread_lines(),
        over_time=tuple(series),
        beside=log.prefix,
    )


def series_of_log(text: str, log: LogName, version: str | None) -> list[OverTime]:
    """Only the quantities over time of a log by fio of this version. Raises FormatError."""
    if log.word == HISTOGRAMS:
        return [series for each in histogram_samples(text) for series in over_time_of_histograms(each)]
    lines = samples(text)
    unit = _unit(lines, log, version)
    return [series for each in lines.samples for series in over_time(each, log.word, unit)]


def _unit(lines: LogLines, log: LogName, version: str | None) -> str:
    """The unit of latencies by the log, else by fio's version. Raises FormatError if neither says it."""
    major = (version or "").split(".")[0]
    of_version = ("ns" if int(major) >= 3 else "us") if major.isascii() and major.isdecimal() else None
    unit = lines.unit or of_version
    if unit is None and log.word in KINDS:
        raise FormatError(_NO_UNIT)
    return unit or "ns"


def _collect(
    collector: Collector, found: Figures, log: LogName, test: str, line: int, record_size: int | None = None
) -> None:
    params: dict[str, Param] = {"job": _NOT_IN_NAMES.sub("_", log.prefix).lstrip(".")[-_LONGEST:], "rw": "unknown"}
    if log.process is not None:
        params["process"] = log.process
    if log.word in KINDS:
        params["latency"] = KINDS[log.word]
    for metric, figure in found.metrics.items():
        view: dict[str, Param] = {"view": "mean"} if found.of_means and metric == "latency_mean" else {}
        key = ResultKey(test, metric, record_size=record_size, params=params_key({**params, **view}))
        collector.value(key, figure, line)
        if metric == "latency_mean" and found.histogram:
            collector.histogram(key, found.histogram, line)


def _record_size(each: Samples) -> int | None:
    """The size that all operations of a direction have; None if they differ, or are not known."""
    sizes = set(each.record_sizes)
    return sizes.pop() or None if len(sizes) == 1 else None
