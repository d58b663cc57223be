"""vdbench's `flatfile.html`, of storage and of file system workloads, versions 5.00 to 5.04.

The average that ends a run (`avg_2-60`) has its numbers; those of single intervals stay in the text. Response times are
milliseconds and MB is MiB, by the file's own head.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchagent.formats.model import FAILED, FormatError, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.runs import RunValue, ToolRun, common
from benchagent.formats.reading.text import lines_with

from .columns import cells_of, settings_of, test_of

TOOL = "vdbench"

_HEAD = re.compile(r"tod +(?:timestamp +)?Run +Interval +.{20,9000}")
_INTERVAL = re.compile(r"[0-9]{1,9}")
_AVERAGE = re.compile(r"avg_[0-9]{1,9}-[0-9]{1,9}")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}:[0-9]{2}\.[0-9]{1,3}")
_KNOWN = re.compile(r"(?:<title>.{0,300}</title>)?(?:<pre>)?|</pre>|\*.{0,300}")
_NO_AVERAGE = "vdbench printed no average: the run was ended before its last interval"


def recognises(text: str) -> bool:
    return any(_HEAD.fullmatch(line.strip()) for line in lines_with(text, "Interval"))


def parse(text: str, parser_version: str) -> Parsed:
    """Read the average of every run. Raises FormatError if there is none, or for a row that does not fit its header."""
    collector = Collector()
    reader = _VdbenchReader()
    collector.read(enumerate(text.split("\n"), start=1), reader.take)
    reader.close()
    return parsed_runs(
        TOOL,
        collector,
        reader.runs,
        lacking="no average is there: vdbench prints a row avg_2-… at the end of a run",
        parser_version=parser_version,
        version=common(reader.versions),
    )


class _VdbenchReader:
    """Reads line by line; each average is a run, and so are intervals without one."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._open: tuple[int, Mapping[str, str]] | None = None  # the first interval of a run without its average
        self.runs: list[ToolRun] = []
        self.versions: set[str] = set()

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if vdbench does not print such lines. Raises FormatError."""
        if _HEAD.fullmatch(line):
            self.close()
            self._names = line.lower().split()
            return True
        fields = line.split()
        if not self._names or not _TIME.fullmatch(fields[0]):
            return bool(_KNOWN.fullmatch(line))
        if len(fields) != len(self._names):
            raise FormatError(f"the row has {len(fields)} fields, not the {len(self._names)} of its header", number)
        row = dict(zip(self._names, fields))
        if _AVERAGE.fullmatch(row["interval"]):
            self._open = None
            self.runs.append(self._run(row, number))
        elif not _INTERVAL.fullmatch(row["interval"]):
            return False
        else:
            if row["interval"] == "1":
                self.close()
            self._open = self._open or (number, row)
        return True

    def close(self) -> None:
        """End the run that is read: it failed if its average is missing."""
        if self._open is not None:
            number, row = self._open
            run = self._run(row, number)
            run.cells = [RunValue(test_of(row), "rate", None, number, error=_NO_AVERAGE, status=FAILED)]
            run.ended = False
            self.runs.append(run)
        self._open = None

    def _run(self, row: Mapping[str, str], number: int) -> ToolRun:
        settings = settings_of(row)
        if row.get("version", "n/a") != "n/a":
            self.versions.add(row["version"])
        run = ToolRun(number, settings.facts, ended=True)
        for cell in cells_of(row, number):
            cell.record_size, cell.threads = settings.record_size, settings.threads
            run.cells.append(cell)
        return run
