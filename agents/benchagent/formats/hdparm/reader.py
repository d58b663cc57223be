"""The timings of `hdparm -t` and `hdparm -T`, of all versions.

`-t` reads the device (`raw_read`), `-T` the cache (`cached_read`). MB is MiB and kB is KiB, by hdparm's source. hdparm
reads for about three or two seconds, so the time is no result.
"""

from __future__ import annotations

import re

from benchagent.formats.model import FAILED, Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.runs import NUMBER, RunValue, ToolRun, common, printed_value, scaled
from benchagent.formats.reading.text import lines_with, split_lines

TOOL = "hdparm"

_TIMING = re.compile(
    r"Timing (?:(?P<cache>(?P<direct_cache>O_DIRECT )?(?:buffer-cache|cached) reads)"
    r"|(?P<how>buffered|O_DIRECT) disk reads)"
    r"(?: \(offset (?P<offset>[0-9]{1,9}) GB\))? ?:(?P<rest>.{0,200})"
)
_FIGURES = re.compile(
    rf"\s*(?P<bytes>[0-9]{{1,9}}) MB in\s+{NUMBER} seconds\s*=\s*(?P<rate>{NUMBER}) (?P<unit>[kM])B/sec"
)
_DEVICE = re.compile(r"(/dev/\S{1,200}):")
_COMMAND = re.compile(r"(?:.{0,200}[\s/;&|(])?(hdparm(?: +\S{1,200}){1,20})")
_KNOWN = re.compile(r"(?:HDIO_|BLK|CDROM)\S{1,40} failed(?:\(.{1,60}\))?: .{1,200}|read\(\) hit EOF.{0,60}")
_RECORD_SIZE = 2 * 1024**2  # TIMING_BUF_BYTES of its source
_UNITS = {"k": 1024, "M": 1024**2}


def recognises(text: str) -> bool:
    return any(_TIMING.fullmatch(line.strip()) for line in lines_with(text, " reads:", " reads (offset"))


def parse(text: str, parser_version: str) -> Parsed:
    """Read every timing of a text; those of one device are values of one result.

    Raises FormatError if there is none.
    """
    collector = Collector()
    reader = _HdparmReader()
    collector.read(enumerate(split_lines(text), start=1), reader.take)
    return parsed_runs(
        TOOL,
        collector,
        reader.runs,
        lacking="no timing is there: hdparm -t and -T print lines such as “Timing buffered disk reads”",
        parser_version=parser_version,
        command=common(reader.commands),
    )


class _HdparmReader:
    """Reads line by line."""

    def __init__(self) -> None:
        self._device: str | None = None
        self.runs: list[ToolRun] = []
        self.commands: set[str] = set()

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if hdparm does not print such lines."""
        if match := _TIMING.fullmatch(line):
            self.runs.append(self._run(match, number))
        elif match := _DEVICE.fullmatch(line):
            self._device = match[1]
        elif "hdparm" in line and (match := _COMMAND.fullmatch(line)):
            self.commands.add(match[1])
        else:
            return bool(_KNOWN.fullmatch(line))
        return True

    def _run(self, match: re.Match[str], number: int) -> ToolRun:
        facts: dict[str, Param] = {"location": self._device} if self._device else {}
        if match["direct_cache"] or match["how"] == "O_DIRECT":
            facts["direct"] = True
        if match["offset"]:
            facts["offset"] = int(match["offset"]) * 1024**3
        test = "cached_read" if match["cache"] else "raw_read"
        figures = _FIGURES.fullmatch(match["rest"])
        run = ToolRun(number, facts, ended=figures is not None)
        if figures:
            times, error = _UNITS[figures["unit"]], f"hdparm printed {figures['rate']}"
            cell = printed_value(test, "throughput", figures["rate"], number, times=times, error=error)
            cell.evidence = {"logical_bytes": int(scaled(figures["bytes"], 1024**2))}
        else:
            words = match["rest"].strip() or "hdparm printed no number"
            cell = RunValue(test, "throughput", None, number, error=words, status=FAILED)
        cell.record_size, cell.threads = _RECORD_SIZE, 1
        run.cells.append(cell)
        return run
