"""iozone's throughput mode (-t, -l -u): a block of lines a test.

The sum over the processes ("Children see") is the test's plain throughput. The other lines carry params
``{"view": "parent" | "min" | "max" | "avg"}``: what the parent measured over everything, and one process's slowest,
fastest and mean. ``threads`` is the number of processes or threads, ``file_size`` the size of each one's own file.
"""

from __future__ import annotations

import re

from benchagent.formats.collect import Key, params_key
from benchagent.formats.iozone_banner import KIB_PER_SECOND, OPERATIONS_PER_SECOND, Run, Unit
from benchagent.formats.model import FAILED

LABELS = {
    "initial writers": "write",
    "rewriters": "rewrite",
    "readers": "read",
    "re-readers": "reread",
    "reverse readers": "backward_read",
    "stride readers": "strided_read",
    "random readers": "random_read",
    "mixed workload": "mixed_workload",
    "random writers": "random_write",
    "pwrite writers": "pwrite",
    "pread readers": "pread",
    "fwriters": "fwrite",
    "freaders": "fread",
}
# The order in which throughput mode runs its tests is the order above.
ORDER = tuple(LABELS.values())

_UNITS = {"kb": KIB_PER_SECOND, "ops": OPERATIONS_PER_SECOND}
_NUMBER = r"=\s*(?P<number>[0-9]{1,15}\.[0-9]{1,6}) (?P<unit>kB|ops)/sec\s*$"
_SIZES = re.compile(
    r"\s*Each (?:process|thread) writes a ([0-9]{1,12}) kbyte file in ([0-9]{1,12}) kbyte records", re.IGNORECASE
)
_TOTAL = re.compile(rf"\s*(Children|Parent) sees? throughput for\s+([0-9]{{1,6}}) ([^=]*){_NUMBER}", re.IGNORECASE)
_EACH = re.compile(rf"\s*(Min|Max|Avg) throughput per (?:process|thread)\s*{_NUMBER}", re.IGNORECASE)
_XFER = re.compile(r"\s*Min xfer\s*=\s*([0-9]{1,15}\.[0-9]{1,6}) (kB|ops)\s*$", re.IGNORECASE)
_CPU = re.compile(
    r"\s*CPU utilization: Wall time\s*([0-9]{1,12}\.[0-9]{1,6})\s+CPU time\s*[0-9.]+\s+CPU utilization"
    r"\s*([0-9]{1,9}\.[0-9]{1,6}) %",
    re.IGNORECASE,
)


class Throughput:
    """Reads the blocks one after the other."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._file_size: int | None = None
        self._record_size: int | None = None
        self._threads: int | None = None
        self._test: str | None = None
        self._failed = False
        self.started = False

    def take(self, line: str, number: int) -> bool:
        """Read one line; False where it is none of this mode's."""
        if match := _SIZES.match(line):
            self._file_size, self._record_size = int(match[1]) * 1024, int(match[2]) * 1024
            self.started = True
        elif match := _TOTAL.match(line):
            return self._total(match, number)
        elif self._test is None:
            return False
        elif match := _EACH.match(line):
            self._number(match, number, match[1].lower())
        elif match := _XFER.match(line):
            self._min_xfer(match, number)
        elif match := _CPU.match(line):
            self._cpu(match, number)
        else:
            return False
        return True

    def close(self, words: str) -> None:
        """The text ended early: the test that would have come next has failed."""
        after = ORDER.index(self._test) + 1 if self._test else 0
        test = next((name for name in ORDER[after:] if self._run.selects(name)), None)
        if test is None:
            self._run.collector.warn(words)
            return
        metric = self._run.unit.metric if self._run.unit else "throughput"
        line = self._run.errors[0][0] if self._run.errors else 1
        self._run.collector.no_value(self._key(test, metric), line, words, FAILED)

    def _total(self, match: re.Match[str], number: int) -> bool:
        test = LABELS.get(match[3].strip().lower())
        if test is None:
            return False
        children = match[1].lower() == "children"
        if children:
            self._test, self._threads, self._failed = test, int(match[2]), False
        elif test != self._test:
            return False
        self._number(match, number, None if children else "parent")
        if children:
            unit = _UNITS[match["unit"].lower()]
            self._run.sums.setdefault(test, []).append(unit.to_base(match["number"]))
        return True

    def _number(self, match: re.Match[str], number: int, view: str | None) -> None:
        """One number of a block. A failed process's share is missing, so no number of its block is the test's."""
        unit: Unit = _UNITS[match["unit"].lower()]
        key = self._key(self._test or "", unit.metric, view)
        words = self._run.take_words()
        if words or self._failed:
            self._failed = True
            self._run.collector.no_value(key, number, words or "a process of this test failed", FAILED)
        elif float(match["number"]) == 0 and view != "min":
            self._run.collector.no_value(key, number, "iozone printed 0.00: too fast for its clock")
        else:
            self._run.collector.value(key, unit.to_base(match["number"]), number)

    def _min_xfer(self, match: re.Match[str], number: int) -> None:
        """Min xfer is how far the slowest process had come when the first was done: a caution, not a measurement."""
        done = float(match[1]) * (1024 if match[2].lower() == "kb" else self._record_size or 0)
        if self._file_size and done < self._file_size:
            share = done / self._file_size
            self._run.collector.warn(
                f"{self._test} with {self._threads} processes: the slowest had done {share:.0%} of its file "
                "when the first was done",
                number,
            )

    def _cpu(self, match: re.Match[str], number: int) -> None:
        test, collector = self._test or "", self._run.collector
        for metric, value in (("elapsed", float(match[1])), ("cpu_of_one_core", float(match[2]) / 100)):
            if value:
                collector.value(self._key(test, metric), value, number)
            else:
                collector.no_value(self._key(test, metric), number, "iozone printed 0: too fast for its clock")

    def _key(self, test: str, metric: str, view: str | None = None) -> Key:
        params = params_key({"view": view}) if view else ()
        return Key(test, metric, self._file_size, self._record_size, self._threads, params)
