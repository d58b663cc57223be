"""smallfile's text and JSON (`--output-json`), versions 1.9 to 3.x.

The rate of files, its time, and the throughput of operations with data are those of all threads; numbers of single
threads stay in the text, whose lines name hosts. MB of old versions is MiB, by their source.
"""

from __future__ import annotations

import re

from benchagent.formats.model import FAILED, UNMEASURABLE, Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.json_objects import (
    LocatedObject,
    at,
    leaf_at,
    lines_outside,
    number_at,
    objects_of,
    text_at,
)
from benchagent.formats.reading.located_json import Leaf
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.places import directory, joined
from benchagent.formats.reading.runs import NUMBER, RunValue, ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_with, split_lines

TOOL = "smallfile"

_SETTING = re.compile(
    r"(version|hosts in test|launch by daemon|top test directory\(s\)|operation|files/thread|threads"
    r"|[a-z][-A-Za-z ,./=()0-9]{3,60}\??) +: ?(.{0,500})"
)
_FILES = re.compile(r"files/thread +: [0-9]{1,15}")
_THREAD = re.compile(r"host = [^,]{1,200}, ?thr(?:ead)? = .{1,300}")
_NUMBERS = (
    ("rate", 1, re.compile(rf"files/sec = ({NUMBER})|({NUMBER}) files/sec")),
    ("throughput", 1024**2, re.compile(rf"MiB/sec = ({NUMBER})|({NUMBER}) M(?:i)?B/sec")),
    ("elapsed", 1, re.compile(rf"elapsed time = +({NUMBER})|({NUMBER}) sec elapsed time")),
)
_TOTALS = re.compile(
    r"total (threads) = ([0-9]{1,7})|total (?:files|IOPS|data|records) = .{1,40}"
    r"|.{1,40} of requested files processed.{1,60}"
)
_RECORDS = re.compile(rf"IOPS = {NUMBER}|{NUMBER} IOPS")
_FAULT = re.compile(r"not enough total files processed.{0,100}|Exception seen in thread .{0,200}|WARNING: .{1,200}")
_TOO_FAST = "test must run longer than a millisecond"
_KNOWN = re.compile(r"changing --\S{1,40} to \S{1,40} for op type \S{1,30}|(?:starting|adjusting|do not need) .{1,200}")
_OBJECT = re.compile(r'\{\s{0,20}"(?:params|results)":\s{0,5}\{')
_JSON = {"elapsed": ("elapsed", 1), "filesPerSec": ("rate", 1), "MiBps": ("throughput", 1024**2)}


def recognises(text: str) -> bool:
    lines = (line.strip() for line in lines_with(text, "files/sec", "files/thread"))
    return any(_NUMBERS[0][2].fullmatch(line) or _FILES.fullmatch(line) for line in lines) or _has_json(text)


def _has_json(text: str) -> bool:
    return '"filesPerSec"' in text and '"files_per_thread"' in text


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. Raises FormatError if no run has a result."""
    collector = Collector()
    reader = _SmallfileReader(collector)
    objects = objects_of(text, _OBJECT) if _has_json(text) else []
    collector.read(lines_outside(text, objects) if objects else enumerate(split_lines(text), start=1), reader.take)
    reader.close()
    runs = [*reader.runs, *(_json_run(found, reader.versions) for found in objects)]
    return parsed_runs(
        TOOL,
        collector,
        runs,
        lacking="no result is there: smallfile prints files/sec at the end",
        parser_version=parser_version,
        version=common(reader.versions),
    )


class _SmallfileReader:
    """Reads line by line. A run begins with its settings, or with a number that it already has."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._settings = SmallfileSettings()
        self._run: ToolRun | None = None
        self._fault = ""
        self.runs: list[ToolRun] = []
        self.versions: set[str] = set()

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if smallfile does not print such lines."""
        for metric, times, form in _NUMBERS:
            if match := form.fullmatch(line):
                self._number(metric, match[1] or match[2], number, times)
                return True
        if match := _TOTALS.fullmatch(line):
            if match[1]:
                self._settings.threads = int(match[2]) or None
        elif match := _SETTING.fullmatch(line):
            if match[1] == "version" or (match[1] == "operation" and self._settings.test):
                self.close()
            if match[1] == "version":
                self.versions.add(match[2].strip()[:40])
            self._settings.take(match[1].strip(), match[2].strip())
        elif _FAULT.fullmatch(line):
            self._fault = line
            self._collector.warn(line, number)
        else:
            return bool(_THREAD.fullmatch(line) or _RECORDS.fullmatch(line) or _KNOWN.fullmatch(line))
        return True

    def _number(self, metric: str, printed: str, number: int, times: int) -> None:
        run = self._run
        if run is None or any(cell.metric == metric for cell in run.cells):
            self._end()
            run = self._run = ToolRun(number)
        run.cells.append(_value(self._settings, metric, printed, number, times))

    def _end(self) -> None:
        if self._run is not None:
            self._run.ended = any(cell.metric == "rate" for cell in self._run.cells)
            if not self._run.ended:
                words = self._fault or "smallfile printed no rate"
                line = self._run.line
                status = UNMEASURABLE if _TOO_FAST in words else FAILED
                self._run.cells = [RunValue(self._settings.test, "rate", None, line, error=words, status=status)]
            _finish(self._run, self._settings)
            self.runs.append(self._run)
        self._run, self._fault = None, ""

    def close(self) -> None:
        """End the run that is read, and its settings."""
        self._end()
        self._settings = SmallfileSettings()


def _json_run(found: LocatedObject, versions: set[str]) -> ToolRun:
    settings, params = SmallfileSettings(), at(found.root, "params")
    for name, node in params.items() if isinstance(params, dict) else ():
        if isinstance(node, Leaf):
            settings.take(name, node.text)
    if version := text_at(params, "version"):
        versions.add(version)
    if total := leaf_at(found.root, "results", "totalhreads"):  # as smallfile spells it
        settings.take("threads", total.text)
    run = ToolRun(found.line, ended=text_at(found.root, "results", "status") in ("Success", ""))
    for name, (metric, times) in _JSON.items():
        if leaf := number_at(found.root, "results", name):
            run.cells.append(_value(settings, metric, leaf.text, leaf.line, times))
    return _finish(run, settings)


def _value(settings: SmallfileSettings, metric: str, printed: str, line: int, times: int) -> RunValue:
    return printed_value(settings.test, metric, printed, line, times=times, error=f"smallfile printed {printed}")


def _finish(run: ToolRun, settings: SmallfileSettings) -> ToolRun:
    """Set what all numbers of a run share. Operations without data have no size of files."""
    run.facts.update(settings.facts)
    run.place = settings.place
    with_data = any(cell.metric == "throughput" for cell in run.cells)
    for cell in run.cells:
        cell.test = settings.test or "operations"
        cell.threads = settings.threads
        if with_data:
            cell.file_size, cell.record_size = settings.file_size, settings.record_size
    return run


# smallfile's `mkdir` and `rmdir` are fsload's tests of the same work.
_TESTS = {"mkdir": "directory_create", "rmdir": "directory_remove", "ls-l": "list"}
# Names of the text, of JSON, and of params.
_COUNTS = {
    "files/thread": "files",
    "files_per_thread": "files",
    "files per dir": "files_per_directory",
    "files_per_dir": "files_per_directory",
    "dirs per dir": "directories_per_directory",
    "dirs_per_dir": "directories_per_directory",
    "total hosts": "hosts",
    "total_hosts": "hosts",
}
_FLAGS = {
    "threads share directories?": "shared_directories",
    "share_dir": "shared_directories",
    "fsync after modify?": "fsync",
    "fsync_after_modify": "fsync",
    "hash file number into dir.?": "hashed",
    "hash_to_dir": "hashed",
    "incompressible?": "incompressible",
}
_RECORD = ("record size (KB, 0 = maximum)", "record_size")
_FILE = ("file size (KB)", "file_size")
_DISTRIBUTION = ("file size distribution", "file_size_distr")
_PLACE = ("top test directory(s)", "top")
_KIB = 1024


class SmallfileSettings:
    """The settings of one run. Sizes are KiB in smallfile, by its source."""

    def __init__(self) -> None:
        self.test = ""
        self.facts: dict[str, Param] = {}
        self._sizes: dict[str, int] = {}
        self._fixed = True
        self.threads: int | None = None
        self.place = ""

    @property
    def file_size(self) -> int | None:
        return self._sizes.get("file") if self._fixed else None

    @property
    def record_size(self) -> int | None:
        return self._sizes.get("record")

    def take(self, name: str, value: str) -> None:
        """Keep one setting if it changes the work."""
        if name == "operation":
            self.test = _TESTS.get(value, value.replace("-", "_"))
        elif name in _PLACE:
            self.place = joined(map(directory, value.strip("[]").replace("'", "").split(", ")))
        elif name in _DISTRIBUTION and value not in ("fixed", "-1"):
            self._fixed = False
            self.facts["file_size_distribution"] = value
        elif name in _FLAGS and value.upper() == "Y":
            self.facts[_FLAGS[name]] = True
        elif value.isascii() and value.isdigit() and len(value) < 16:
            self._count(name, int(value))

    def _count(self, name: str, value: int) -> None:
        if name == "threads":
            self.threads = self.threads or value or None
        elif name in _COUNTS:
            if name.startswith("total") and value < 2:
                return
            self.facts[_COUNTS[name]] = value
        elif value and name in _RECORD:
            self._sizes["record"] = value * _KIB
        elif value and name in _FILE:
            self._sizes["file"] = value * _KIB
