"""Reads PostMark's verbose and terse reports, versions 1.5 and 1.51 (Debian's 1.53 prints 1.51 too).

PostMark's kilobyte is 1024 bytes and its megabyte 1024². Its clock counts whole seconds, and it prints 1 if less than
one has passed; it also drops the fraction of a rate, so 0 per second means anything below one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchagent.formats.model import FAILED, NOTHING, FormatError, Param, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.places import name_places
from benchagent.formats.reading.runs import RunValue, ToolRun, printed_value, scaled
from benchagent.formats.reading.text import lines_with, split_lines

from . import lines
from . import settings as postmark_settings

TOOL = "postmark"


def recognises(text: str) -> bool:
    marked = map(_bare, lines_with(text, "PostMark v", " seconds of transactions (", "bytes per second)"))
    signs = (lines.BANNER, lines.TRANSACTIONS, lines.DATA)
    return any(sign.fullmatch(line) for line in marked for sign in signs)


def _bare(line: str) -> str:
    return postmark_settings.without_prompt(line).strip()


def parse(text: str, parser_version: str) -> Parsed:
    """Read every report of a text. A report with the counts of another is a repetition of it."""
    collector = Collector()
    reader = _PostmarkReader(collector)
    for number, line in enumerate(split_lines(text), start=1):
        reader.take(line, number)
    if not reader.runs:
        raise FormatError("no report is there: PostMark prints its numbers when a run has ended", reader.banner or 1)
    if reader.whole_seconds:
        collector.warn("PostMark counts whole seconds, and 1 where less than one has passed")
    for run in reader.runs:
        if not run.ended:
            collector.warn("the report is not complete: its last lines are missing", run.line)
    name_places(reader.runs)
    return Parsed(
        tool=TOOL,
        tool_version=reader.version,
        command=None,
        parameters=keep_blocks(collector, reader.runs),
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
        clock_resolution=1.0 if reader.whole_seconds else None,
        complete=all(run.ended for run in reader.runs),
    )


class _PostmarkReader:
    """Reads line by line: the settings, and a report after each run.

    Typed settings are in the text, those of a file are not: settings that ``show`` printed apply to the next run,
    and to later runs with the same counts.
    """

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._settings: dict[str, Param] = {}
        self._typed = False
        self._first: ToolRun | None = None  # the first run since the settings were printed
        self._test_of_parts = ""
        self.runs: list[ToolRun] = []
        self.version: str | None = None
        self.banner: int | None = None
        self.whole_seconds = False

    def take(self, line: str, number: int) -> None:
        text = _bare(line)
        if match := lines.BANNER.fullmatch(text):
            self.version, self.banner, self._settings = match[1], number, {}
            self._typed, self._first = False, None
        elif match := lines.TOTAL.fullmatch(text):
            self._begin(number, match[1])
        elif lines.TERSE.fullmatch(text):
            self._terse(text.split(), number)
        elif match := lines.ERROR.fullmatch(text):
            self._collector.warn(match[1], number)
        elif match := lines.OUT_OF_FILES.fullmatch(text):
            self._failed(match[1], number)
        elif self._report(text, number):
            return
        elif postmark_settings.read(text, self._settings):
            self._typed = self._typed or text.startswith("set ")
            self._first = None
        elif text and not lines.KNOWN.fullmatch(text):
            self._collector.unread(number, line)

    def _begin(self, number: int, seconds: str) -> None:
        self._new(number)
        self._time("total", seconds, number)

    def _new(self, number: int) -> ToolRun:
        run = ToolRun(number)
        if self._first is None or self._typed:
            run.facts.update(self._settings)
            self._first = run
        self.runs.append(run)
        self._test_of_parts = ""
        return run

    def _close(self, run: ToolRun) -> None:
        """End a report. If its counts are those of the first run with these settings, it has the same settings."""
        run.ended = True
        facts = self._first.facts if self._first else {}
        if all(facts.get(name) == value for name, value in run.facts.items()):
            run.facts = {**facts, **run.facts}

    def _failed(self, words: str, number: int) -> None:
        """Keep a run that PostMark gave up; it prints no report then."""
        run = self._new(number)
        run.cells.append(RunValue("total", "elapsed", None, number, error=words, status=FAILED))
        run.ended, run.failure = True, words

    def _time(self, test: str, seconds: str, number: int) -> None:
        if "." not in seconds:
            self.whole_seconds = True
        error = f"PostMark printed {seconds} seconds"
        self.runs[-1].cells.append(printed_value(test, "elapsed", seconds, number, error=error))

    def _report(self, text: str, number: int) -> bool:
        """Read a line of a report after its first; an excerpt may begin in the middle."""
        if match := lines.TRANSACTIONS.fullmatch(text):
            self._current_run(number)
            self._time("transactions", match[1], number)
            self._rate("transactions", None, match[2], number)
        elif match := lines.FILES.fullmatch(text):
            self._files(match, number)
        elif match := lines.PART.fullmatch(text):
            return self._part(match, number)
        elif match := lines.DATA.fullmatch(text):
            self._data(match, number)
        else:
            return False
        return True

    def _current_run(self, number: int) -> ToolRun:
        return self._new(number) if not self.runs or self.runs[-1].ended else self.runs[-1]

    def _files(self, match: re.Match[str], number: int) -> None:
        """Keep the rate of files of one kind. PostMark deletes all files at the end, as many as it created."""
        run, count = self._current_run(number), int(match[1])
        self._test_of_parts = lines.TESTS[match[2]]
        self._rate(self._test_of_parts, count, match[3], number)
        if match[2] == "created":
            run.facts["files_created"] = count
        elif match[2] != "deleted" and count:
            run.cells[-1].facts = {f"files_{match[2]}": count}

    def _part(self, match: re.Match[str], number: int) -> bool:
        """Keep the rate of files created or deleted alone, or mixed with transactions."""
        test = {"Creation alone": "create", "Deletion alone": "delete"}.get(match[1], self._test_of_parts)
        if test not in ("create", "delete"):
            return False
        alone = match[1] != "Mixed with transactions"
        if alone and test == "create":
            self._current_run(number).facts["files"] = int(match[2])
        self._current_run(number)
        self._rate(test, int(match[2]), match[3], number, lines.ALONE if alone else lines.MIXED)
        return True

    def _rate(
        self, test: str, count: int | None, printed: str, number: int, params: Mapping[str, Param] = NOTHING
    ) -> None:
        """Keep a number per second, unless nothing was done."""
        if count == 0:
            return
        error = f"PostMark printed {printed} per second: it drops the fraction"
        self.runs[-1].cells.append(printed_value(test, "rate", printed, number, params, error=error))

    def _data(self, match: re.Match[str], number: int) -> None:
        amount = scaled(match[1], lines.BYTES[match[2]])
        run = self._current_run(number)
        run.facts[f"bytes_{match[3]}"] = round(amount)
        if match[3] == "written":
            self._close(run)
        if not amount:
            return
        error = f"PostMark printed {match[4]} {match[5]} per second"
        cell = printed_value(
            lines.TESTS[match[3]], "throughput", match[4], number, times=lines.BYTES[match[5]], error=error
        )
        cell.evidence = {"logical_bytes": round(amount)}
        run.cells.append(cell)

    def _terse(self, numbers: list[str], number: int) -> None:
        self._begin(number, numbers[0])
        self._time("transactions", numbers[1], number)
        for (test, metric, params), printed in zip(lines.TERSE_CELLS, numbers[2:]):
            if scaled(printed):
                self.runs[-1].cells.append(RunValue(test, metric, scaled(printed), number, dict(params)))
        self.runs[-1].ended = True
