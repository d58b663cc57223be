"""fs_mark's table, version 3.x: a row for each iteration, with the times of system calls under `-v`.

Each iteration is one value of `create` (`rate`). The times of a system call are microseconds and belong to the test
`system_call_NAME`, as in FFSB. "App Overhead" is time outside of the file system and no result.
"""

from __future__ import annotations

import re
import shlex

from benchagent.formats.model import Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.command_options import command_options
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.places import directory, joined
from benchagent.formats.reading.runs import NUMBER, ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_with, split_lines

TOOL = "fs_mark"

_COMMAND = re.compile(r"#?\s*((?:\S{0,200}/)?fs_mark(?:\s+\S{1,500}){1,3000})")
_BANNER = re.compile(r"#\s*Version (\S{1,20}), ([0-9]{1,7}) thread\(s\) starting at .{1,60}")
_SYNC = re.compile(r"#\s*Sync method: ([^:]{1,60}):.{0,200}")
_DIRECTORIES = re.compile(
    r"#\s*Directories:\s+(?P<order>.{1,60}?) between directories across (?P<count>[0-9]{1,9}) subdirectories "
    r"with (?P<each>[0-9]{1,12}) (?P<unit>files|seconds) per subdirectory\."
)
_FILES = re.compile(
    r"#\s*Files info: size ([0-9]{1,15}) bytes, written with an IO size of ([0-9]{1,15}) bytes per write"
)
_KNOWN = re.compile(
    r"#\s*(?:|Directories:\s+no subdirectories used|File names: .{1,200}|App overhead is time .{1,150}"
    r"|All system call times are reported in microseconds\.)"
)
_HEADER = re.compile(r"FSUse% +Count +Size +Files/sec +App Overhead( +CREAT \(Min/Avg/Max\).{1,300})?")
_ROW = re.compile(
    rf"[0-9]{{1,3}}\s+([0-9]{{1,15}})\s+([0-9]{{1,15}})\s+({NUMBER})\s+[0-9]{{1,20}}((?:\s+[0-9]{{1,15}}){{18}})?"
)
_CALLS = ("creat", "write", "fsync", "sync", "close", "unlink")
_METRICS = ("latency_min", "latency_mean", "latency_max")
_COUNTS = {"n": "files", "D": "directories", "N": "files_per_directory", "p": "name_length", "r": "random_name_length"}


def recognises(text: str) -> bool:
    lines = (line.strip() for line in lines_with(text, "FSUse%", "thread(s) starting at"))
    return any(_HEADER.fullmatch(line) or _BANNER.fullmatch(line) for line in lines)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. Raises FormatError if no iteration ended."""
    collector = Collector()
    reader = _FsMarkReader()
    collector.read(enumerate(split_lines(text), start=1), reader.take)
    return parsed_runs(
        TOOL,
        collector,
        reader.runs,
        lacking="no iteration is there: fs_mark prints a row below “FSUse%” for each",
        parser_version=parser_version,
        version=reader.version,
        command=common(reader.commands),
    )


class _FsMarkReader:
    """Reads line by line. A run begins with its command, or with a header that follows no settings."""

    def __init__(self) -> None:
        self._in_table = False
        self._threads: int | None = None
        self._record_size: int | None = None
        self.runs: list[ToolRun] = []
        self.version: str | None = None
        self.commands: set[str] = set()

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if fs_mark does not print such lines."""
        if self._in_table and (match := _ROW.fullmatch(line)):
            self._row(match, number)
        elif _HEADER.fullmatch(line):
            self._run(number)
            self._in_table = True
        elif match := _BANNER.fullmatch(line):
            self._run(number)
            self.version, self._threads = match[1], int(match[2])
        elif match := _COMMAND.fullmatch(line):
            self._command(match[1], self._run(number))
        else:
            return self._setting(line, number)
        return True

    def _run(self, number: int) -> ToolRun:
        """The run that is beginning."""
        if not self.runs or self.runs[-1].cells:
            self.runs.append(ToolRun(number))
            self._threads, self._record_size, self._in_table = None, None, False
        return self.runs[-1]

    def _command(self, command: str, run: ToolRun) -> None:
        """Give a run the facts of its command line."""
        try:
            words = shlex.split(command)
        except ValueError:  # a quote without its end
            return
        self.commands.add(" ".join(words))
        options = command_options(words[1:], "dSDNlLnprstw")
        counts = {letter: texts[-1] for letter, texts in options.items() if texts[-1].isascii() and texts[-1].isdigit()}
        run.facts.update({_COUNTS[name]: int(counts[name][:15]) for name in _COUNTS if name in counts})
        if "k" in options:
            run.facts["keep"] = True
        run.place = joined(map(directory, options.get("d", [])))

    def _setting(self, line: str, number: int) -> bool:
        if match := _SYNC.fullmatch(line):
            self._run(number).facts["sync_method"] = match[1].lower()
        elif match := _FILES.fullmatch(line):
            self._run(number)
            self._record_size = int(match[2]) or None
        elif match := _DIRECTORIES.fullmatch(line):
            each = "files_per_directory" if match["unit"] == "files" else "seconds_per_directory"
            self._run(number).facts.update(
                {
                    "directory_order": match["order"].lower(),
                    "directories": int(match["count"]),
                    each: int(match["each"]),
                }
            )
        else:
            return bool(_KNOWN.fullmatch(line))
        return True

    def _row(self, match: re.Match[str], number: int) -> None:
        """Keep one iteration. A system call whose three times are 0 was not made."""
        run = self.runs[-1]
        run.ended = True
        if not int(match[2]):
            run.facts["empty_files"] = True
        run.cells.append(printed_value("create", "rate", match[3], number, error=f"fs_mark printed {match[3]}"))
        times = (match[4] or "").split()
        for call, first in zip(_CALLS, range(0, len(times), 3)):
            if any(printed.strip("0") for printed in times[first : first + 3]):
                for metric, printed in zip(_METRICS, times[first : first + 3]):
                    error = f"fs_mark printed {printed} microseconds"
                    test = f"system_call_{call}"
                    run.cells.append(printed_value(test, metric, printed, number, over=10**6, error=error))
        for cell in run.cells[-1 - len(times) :]:
            cell.file_size, cell.record_size, cell.threads = int(match[2]) or None, self._record_size, self._threads
