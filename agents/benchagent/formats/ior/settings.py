"""The settings of a test that IOR prints before its results, and the sizes of a file and a transfer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import RunValue

_UNITS = {"bytes": 1, "byte": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4}
_SIZE = re.compile(r"([0-9]{1,15}) ([A-Za-z]{3,5})")
# The settings that distinguish tests: IOR's names and those in the params.
_TEXTS = {
    "api": "api",
    "access": "access",
    "type": "type",
    "ordering in a file": "ordering",
    "ordering inter file": "ordering_between_tasks",
    "Path": "directory",
}
_COUNTS = {
    "segments": "segments",
    "nodes": "nodes",
    "tasks": "tasks",
    "clients per node": "tasks_per_node",
    "task offset": "task_offset",
    "reorder random seed": "seed",
    "stonewallingTime": "stonewall_seconds",
    "stoneWallingWearOut": "stonewall_wear_out",
}
_SIZES = {"xfersize": "transfer_size", "blocksize": "block_size"}
# Settings in which tests do not differ, or rounded sums of those in which they do.
_OTHERS = frozenset({
    "apiVersion", "repetitions", "aggregate filesize", "StartTime", "FS", "verbose", "memoryPerTask",
    "memoryPerNode", "Lustre stripe size", "stripe count", "pattern", "Using stonewalling", "platform", "refnum",
    "memoryBuffer", "dataAccess", "GPUDirect",
})  # fmt: skip
_SUMMARY = {"#Tasks": "tasks", "segcnt": "segments", "blksiz": "block_size", "xsize": "transfer_size"}
_PARAMETERS = {"segmentCount": "segments", "blockSize": "block_size", "transferSize": "transfer_size"}
_SYNCS = {"fsync": "fsync", "fsyncperwrite": "fsync_per_write"}
_CLIENTS = re.compile(r"([0-9]{1,9}) \(([0-9]{1,9}) per node\)")
_KIBIBYTES = re.compile(r"([1-9][0-9]{0,11})(?:\.00)?")
_COUNT = re.compile("[0-9]{1,15}")


class IorSettings:
    """One test's settings. A size printed with a fraction is rounded, so it counts as unknown."""

    def __init__(self) -> None:
        self._settings: dict[str, Param] = {}
        self._rounded: set[str] = set()
        self.file = ""

    def take(self, name: str, value: str) -> bool:
        """Keep one setting; False if IOR has none of this name."""
        if name == "test filename":
            self.file = value
        elif name in _TEXTS and value:
            self._settings[_TEXTS[name]] = value
        elif name in _COUNTS and _COUNT.fullmatch(value):
            self._settings[_COUNTS[name]] = int(value)
        elif name in _SIZES and (match := _SIZE.fullmatch(value)) and match[2] in _UNITS:
            self._settings[_SIZES[name]] = int(match[1]) * _UNITS[match[2]]
        elif name == "clients" and (match := _CLIENTS.fullmatch(value)):  # versions 2 and 3.0
            self._settings.update(tasks=int(match[1]), tasks_per_node=int(match[2]))
        elif name in _SIZES:
            self._rounded.add(_SIZES[name])
        else:
            return name in _OTHERS or name in _TEXTS
        return True

    def take_columns(self, row: dict[str, str]) -> None:
        """Keep the sizes of a repetition, in KiB. A whole number is exact, because sizes are multiples of 8 bytes."""
        for column, name in (("block(KiB)", "block_size"), ("xfer(KiB)", "transfer_size")):
            match = _KIBIBYTES.fullmatch(row.get(column, ""))
            if match and name not in self._rounded:
                self._settings.setdefault(name, int(match[1]) * 1024)

    def take_summary(self, row: dict[str, str]) -> None:
        """Keep the exact sizes of the summary, in bytes."""
        for column, name in _SUMMARY.items():
            if _COUNT.fullmatch(row.get(column, "")):
                self._settings[name] = int(row[column])
        if row.get("fPP") in ("0", "1"):
            self._settings.setdefault("access", "file-per-process" if row["fPP"] == "1" else "single-shared-file")

    def take_parameter(self, name: str, value: str) -> None:
        """Keep one of the exact settings that JSON has beside the rounded ones."""
        if name in _PARAMETERS and _COUNT.fullmatch(value):
            self._settings[_PARAMETERS[name]] = int(value)
        elif name in _SYNCS and value == "1":
            self._settings[_SYNCS[name]] = True

    def facts(self, words: Sequence[str], *, fsync_refused: bool) -> dict[str, Param]:
        """The facts in which tests differ, except the sizes and tasks, which are in each result's key.

        `words` are those of the command line.
        """
        facts = {name: value for name, value in self._settings.items() if name not in ("tasks", "transfer_size")}
        if "-e" in words and not fsync_refused:
            facts["fsync"] = True
        elif fsync_refused:
            facts.pop("fsync", None)
        if "-B" in words or "--posix.odirect" in words:
            facts["direct"] = True
        return facts

    def size(self, cell: RunValue) -> None:
        """Set the file size, record size and threads of a value, as far as they are known."""
        sizes = {name: value for name, value in self._settings.items() if isinstance(value, int)}
        cell.threads, cell.record_size = sizes.get("tasks"), sizes.get("transfer_size")
        block, segments, tasks = sizes.get("block_size"), sizes.get("segments"), sizes.get("tasks")
        access = str(self._settings.get("access", ""))
        if block is None or segments is None:
            return
        if access.startswith("file-per-process"):
            cell.file_size = block * segments
        elif access.startswith("single-shared-file") and tasks is not None:
            cell.file_size = block * segments * tasks
