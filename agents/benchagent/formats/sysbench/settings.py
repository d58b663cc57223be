"""The settings that sysbench's fileio test prints before it runs, and its command line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import NUMBER, scaled

# By sysbench's source all its units are powers of 1024; versions before 1.0 write `Mb`.
UNITS = {"b": 1, "B": 1, "Kb": 1024, "KiB": 1024, "Mb": 1024**2, "MiB": 1024**2, "MB": 1024**2}
UNITS |= {"Gb": 1024**3, "GiB": 1024**3, "Tb": 1024**4, "TiB": 1024**4}
_SIZE = rf"({NUMBER})([KMGT]?(?:iB|b|B))"
_FILES = re.compile(rf"([0-9]{{1,9}}) files, {_SIZE} each(?:, .{{1,40}} total)?")
_BLOCK = re.compile(rf"Block size {_SIZE}")
_THREADS = re.compile(r"Number of threads: ([0-9]{1,6})")
_FLAGS = re.compile(r"Extra file open flags: (.{1,100})")
_RATIO = re.compile(rf"Read/Write ratio for combined random IO test: ({NUMBER})")
_REQUESTS = re.compile(r"Number of (?:random requests for random IO|IO requests): ([0-9]{1,15})")
_PERIODIC = re.compile(r"Periodic FSYNC enabled, calling fsync\(\) each ([0-9]{1,9}) requests\.")
_AT_END = re.compile(r"Calling fsync\(\) at the end of test, (Enabled|Disabled)\.")
_EACH = re.compile(r"Calling fsync\(\) after each write operation\.")
_ENGINE = re.compile(r"Using (synchronous|asynchronous|fast mmap|slow mmap|mmap).{0,40}")
_DOING = re.compile(r"Doing (sequential|random) (write \(creation\)|rewrite|read|write|r/w) test")
_COMMAND = re.compile(r"(?:.{0,200}[\s/;&|(])?(sysbench (?:.{0,1000}[ =])?fileio.{0,1000})")
_COMMAND_OPTION = re.compile(r"--(?:file-)?([a-z-]{3,20})[= ](\S{1,40})")
_COMMAND_SIZE = re.compile(r"([0-9]{1,15})([KMGT]?)")
_MODES = {
    ("sequential", "write (creation)"): "seqwr",
    ("sequential", "rewrite"): "seqrewr",
    ("sequential", "read"): "seqrd",
    ("random", "read"): "rndrd",
    ("random", "write"): "rndwr",
    ("random", "r/w"): "rndrw",
}
# The tests of a mode's reads and writes.
TESTS: dict[str, dict[str, str]] = {
    "seqwr": {"write": "write"},
    "seqrewr": {"write": "rewrite"},
    "seqrd": {"read": "read"},
    "rndrd": {"read": "random_read"},
    "rndwr": {"write": "random_write"},
    "rndrw": {"read": "random_read", "write": "random_write"},
}
_ENGINES = {"synchronous": "sync", "asynchronous": "async"}


@dataclass
class FileSettings:
    """Settings of one run: `mode` as of `--file-test-mode`, sizes in bytes, and facts of the work."""

    mode: str = ""
    threads: int | None = None
    file_size: int | None = None
    record_size: int | None = None
    facts: dict[str, Param] = field(default_factory=dict)

    def take(self, line: str) -> bool:
        """Read one line; False if it is no setting."""
        if match := _DOING.fullmatch(line):
            self.mode = _MODES.get((match[1], match[2]), "")
        elif match := _THREADS.fullmatch(line):
            self.threads = int(match[1]) or None
        elif match := _BLOCK.fullmatch(line):
            self.record_size = _whole(match[1], match[2])
        elif match := _FILES.fullmatch(line):
            self.facts["files"] = int(match[1])
            self.file_size = _whole(match[2], match[3])
        elif match := _FLAGS.fullmatch(line):
            if match[1] not in ("0", "(none)"):
                self.facts["open_flags"] = match[1]
        else:
            return self._work(line)
        return True

    def _work(self, line: str) -> bool:
        if match := _RATIO.fullmatch(line):
            self.facts["read_write_ratio"] = float(match[1])
        elif match := _REQUESTS.fullmatch(line):
            if int(match[1]):
                self.facts["requests"] = int(match[1])
        elif match := _PERIODIC.fullmatch(line):
            self.facts["fsync_every"] = int(match[1])
        elif match := _AT_END.fullmatch(line):
            if match[1] == "Enabled":
                self.facts["end_fsync"] = True
        elif _EACH.fullmatch(line):
            self.facts["fsync_every"] = 1
        elif match := _ENGINE.fullmatch(line):
            self.facts["engine"] = _ENGINES.get(match[1], match[1])
        else:
            return False
        return True


def command_in(line: str) -> str | None:
    """The command line of a fileio test in a line; None for other lines."""
    match = _COMMAND.fullmatch(line.strip()) if "fileio" in line else None
    return match[1] if match else None


def settings_of(command: str) -> FileSettings:
    """The settings of a command line, with sysbench's defaults: 128 files, 2 GiB, 16 KiB, one thread."""
    options = dict(_COMMAND_OPTION.findall(command))
    files, total, block, threads = (
        _size(options.get(name, default))
        for name, default in (("num", "128"), ("total-size", "2G"), ("block-size", "16K"), ("threads", ""))
    )
    settings = FileSettings(options["test-mode"] if options.get("test-mode") in TESTS else "")
    settings.threads, settings.record_size = threads or _size(options.get("num-threads", "1")), block
    if files and total and options.keys() & {"num", "total-size"}:
        settings.facts["files"] = files
        settings.file_size = total // files
    return settings


def _size(text: str) -> int | None:
    match = _COMMAND_SIZE.fullmatch(text)
    return int(match[1]) * UNITS[f"{match[2]}iB" if match[2] else "B"] or None if match else None


def _whole(printed: str, unit: str) -> int | None:
    """A size in bytes; None for one with a fraction, which is rounded."""
    return int(scaled(printed, UNITS[unit])) or None if "." not in printed and unit in UNITS else None
