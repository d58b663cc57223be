"""PostMark's verbose and terse reports, versions 1.5 and 1.51 (Debian's 1.53 prints 1.51 too).

PostMark's kilobyte is 1024 bytes and its megabyte 1024². Its clock counts whole seconds and it prints 1 where less than
one has passed; it also drops the fraction of a rate, so that 0 per second stands for anything below one.
"""

from __future__ import annotations

import re

from benchagent.formats import postmark_settings
from benchagent.formats.collect import Collector
from benchagent.formats.model import FormatError, Param, Parsed
from benchagent.formats.runs import NUMBER, Cell, Run, keep, scaled
from benchagent.formats.text import split_lines

TOOL = "postmark"

# All of them match whole lines without the blanks at their ends.
_BANNER = re.compile(r"PostMark v([0-9.]{1,10})(?: *:.{0,30})?")
_TOTAL = re.compile(rf"({NUMBER}) seconds total")
_TRANSACTIONS = re.compile(rf"({NUMBER}) seconds of transactions \(({NUMBER}) per second\)")
_FILES = re.compile(rf"([0-9]{{1,15}}) (created|read|appended|deleted) \(({NUMBER}) per second\)")
_PART = re.compile(
    rf"(Creation alone|Deletion alone|Mixed with transactions): ([0-9]{{1,15}}) files \(({NUMBER}) per second\)"
)
_AMOUNT = rf"({NUMBER}) (bytes|kilobytes|megabytes)"
_DATA = re.compile(rf"{_AMOUNT} (read|written) \({_AMOUNT} per second\)")
_TERSE = re.compile(rf"[0-9]{{1,12}} [0-9]{{1,12}}(?: {NUMBER}){{11}}")
_KNOWN = re.compile(
    r"Time:|Files:|Data:|(?:Creating|Deleting|Performing) [a-z]{1,20}\.{1,20}(?:Done)?"
    r"|(?:run|load|set report|set location)(?: .{1,200})?|exit|quit|show|help|Reading configuration from file .{1,200}"
)
_BYTES = {"bytes": 1, "kilobytes": 1024, "megabytes": 1024**2}
_TESTS = {"created": "create", "read": "read", "appended": "append", "deleted": "delete", "written": "write"}
_ALONE: dict[str, Param] = {"phase": "alone"}
_MIXED: dict[str, Param] = {"phase": "with_transactions"}
# The terse report's numbers after both times: (test, metric, params), as in the verbose one.
_TERSE_CELLS: tuple[tuple[str, str, dict[str, Param]], ...] = (
    ("transactions", "rate", {}),
    ("create", "rate", {}),
    ("create", "rate", _ALONE),
    ("create", "rate", _MIXED),
    ("read", "rate", {}),
    ("append", "rate", {}),
    ("delete", "rate", {}),
    ("delete", "rate", _ALONE),
    ("delete", "rate", _MIXED),
    ("read", "throughput", {}),
    ("write", "throughput", {}),
)


def recognises(text: str) -> bool:
    return any(_BANNER.fullmatch(line) or _TRANSACTIONS.fullmatch(line) for line in map(_bare, split_lines(text)))


def _bare(line: str) -> str:
    return postmark_settings.without_prompt(line).strip()


def parse(text: str, parser_version: str) -> Parsed:
    """Read every report of a text. A report with the counts of another is a repetition of it."""
    collector = Collector()
    reader = _Reader(collector)
    for number, line in enumerate(split_lines(text), start=1):
        reader.take(line, number)
    if not reader.runs:
        raise FormatError("no report is there: PostMark prints its numbers when a run has ended", reader.banner or 1)
    if reader.whole_seconds:
        collector.warn("PostMark counts whole seconds, and 1 where less than one has passed")
    for run in reader.runs:
        if not run.ended:
            collector.warn("the report is not complete: its last lines are missing", run.line)
    return Parsed(
        tool=TOOL,
        tool_version=reader.version,
        command=None,
        parameters=keep(collector, reader.runs),
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
        clock_resolution=1.0 if reader.whole_seconds else None,
        complete=all(run.ended for run in reader.runs),
    )


class _Reader:
    """Reads line by line: the settings that were made, and a report after each run."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._settings: dict[str, Param] = {}
        self._part_of = ""
        self.runs: list[Run] = []
        self.version: str | None = None
        self.banner: int | None = None
        self.whole_seconds = False

    def take(self, line: str, number: int) -> None:
        text = _bare(line)
        if match := _BANNER.fullmatch(text):
            self.version, self.banner, self._settings = match[1], number, {}
        elif match := _TOTAL.fullmatch(text):
            self._begin(number, match[1])
        elif _TERSE.fullmatch(text):
            self._terse(text.split(), number)
        elif text.startswith("Error:"):
            self._collector.warn(text, number)
        elif self._report(text, number) or postmark_settings.read(text, self._settings):
            return
        elif text and not _KNOWN.fullmatch(text):
            self._collector.unread(number, line)

    def _begin(self, number: int, seconds: str) -> None:
        self.runs.append(Run(number, dict(self._settings)))
        self._part_of = ""
        self._time("total", seconds, number)

    def _time(self, test: str, seconds: str, number: int) -> None:
        if "." not in seconds:
            self.whole_seconds = True
        self.runs[-1].cells.append(Cell(test, "elapsed", scaled(seconds), number))

    def _report(self, text: str, number: int) -> bool:
        """A line of a report, below its first; an excerpt may begin in the middle."""
        if match := _TRANSACTIONS.fullmatch(text):
            self._at(number)
            self._time("transactions", match[1], number)
            self._rate("transactions", None, match[2], number)
        elif match := _FILES.fullmatch(text):
            self._files(match, number)
        elif match := _PART.fullmatch(text):
            return self._part(match, number)
        elif match := _DATA.fullmatch(text):
            self._data(match, number)
        else:
            return False
        return True

    def _at(self, number: int) -> Run:
        if not self.runs or self.runs[-1].ended:
            self.runs.append(Run(number, dict(self._settings)))
        return self.runs[-1]

    def _files(self, match: re.Match[str], number: int) -> None:
        """Files of one kind. PostMark prints as many deleted as created: it deletes all in the end."""
        run, count = self._at(number), int(match[1])
        self._part_of = _TESTS[match[2]]
        self._rate(self._part_of, count, match[3], number)
        if match[2] == "created":
            run.facts["files_created"] = count
        elif match[2] != "deleted" and count:
            run.cells[-1].facts[f"files_{match[2]}"] = count

    def _part(self, match: re.Match[str], number: int) -> bool:
        """What was done alone, and what between transactions: lines below those of all files created, or deleted."""
        test = {"Creation alone": "create", "Deletion alone": "delete"}.get(match[1], self._part_of)
        if test not in ("create", "delete"):
            return False
        alone = match[1] != "Mixed with transactions"
        if alone and test == "create":
            self._at(number).facts["files"] = int(match[2])
        self._at(number)
        self._rate(test, int(match[2]), match[3], number, _ALONE if alone else _MIXED)
        return True

    def _rate(
        self, test: str, count: int | None, printed: str, number: int, params: dict[str, Param] | None = None
    ) -> None:
        """A number per second; none where nothing of it was done."""
        if count == 0:
            return
        cell = Cell(test, "rate", scaled(printed), number, dict(params or {}))
        if not cell.value:
            cell.value, cell.error = None, f"PostMark printed {printed} per second: it drops the fraction"
        self.runs[-1].cells.append(cell)

    def _data(self, match: re.Match[str], number: int) -> None:
        amount, per_second = scaled(match[1], _BYTES[match[2]]), scaled(match[4], _BYTES[match[5]])
        run = self._at(number)
        run.facts[f"bytes_{match[3]}"] = round(amount)
        run.ended = match[3] == "written"
        if not amount:
            return
        cell = Cell(_TESTS[match[3]], "throughput", per_second, number, evidence={"logical_bytes": round(amount)})
        if not per_second:
            cell.value, cell.error = None, f"PostMark printed {match[4]} {match[5]} per second"
        run.cells.append(cell)

    def _terse(self, numbers: list[str], number: int) -> None:
        self._begin(number, numbers[0])
        self._time("transactions", numbers[1], number)
        for (test, metric, params), printed in zip(_TERSE_CELLS, numbers[2:]):
            if scaled(printed):
                self.runs[-1].cells.append(Cell(test, metric, scaled(printed), number, dict(params)))
        self.runs[-1].ended = True
