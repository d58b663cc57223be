"""Reads iozone's throughput mode (-t, -l -u): a block of lines per test.

The sum over the processes ("Children see") is the test's plain throughput. The other lines have params
``{"view": "parent" | "min" | "max" | "avg"}``: the parent's measurement of the whole test, and the slowest, fastest
and mean process; ``{"view": "child", "child": n}`` is one process of -C. ``threads`` is the number of processes or
threads, ``file_size`` the size of the file of each. Min xfer, the amount that the slowest process had moved when the
first one finished, is the evidence of the slowest.
"""

from __future__ import annotations

import re
from functools import lru_cache

from benchagent.formats.model import FAILED, Param, ResultKey
from benchagent.formats.reading.collector import GatheredValues, params_key

from .banner import IozoneRun
from .units import TOO_FAST, UNITS, processes, selects, share

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
# Throughput mode runs its tests in the order above.
ORDER = tuple(LABELS.values())

_NUMBER = r"=\s*([0-9]{1,15}\.[0-9]{1,6}) (kB|ops)/sec\s*$"
_SIZES = re.compile(
    r"Each (?:process|thread) writes a ([0-9]{1,12}) kbyte file in ([0-9]{1,12}) kbyte records", re.IGNORECASE
)
_TOTAL = re.compile(
    rf"(?:Children|Parent) sees? throughput for\s+([0-9]{{1,6}}) ([^=]{{1,80}}){_NUMBER}", re.IGNORECASE
)
_EACH = re.compile(rf"(Min|Max|Avg) throughput per (?:process|thread)\s*{_NUMBER}", re.IGNORECASE)
_XFER = re.compile(r"Min xfer\s*=\s*([0-9]{1,15}(?:\.[0-9]{1,6})?) (kB|ops)\s*$", re.IGNORECASE)
_CHILD = re.compile(
    r"Child\[([0-9]{1,6})\] xfer count\s*=\s*([0-9]{1,15}\.[0-9]{1,6}) (?:kB|ops), Throughput\s*=\s*"
    r"([0-9]{1,15}\.[0-9]{1,6}) (kB|ops)/sec\s*$",
    re.IGNORECASE,
)
_CPU = re.compile(
    r"CPU (u)?(?:U)?tilization: Wall time\s*([0-9]{1,12}\.[0-9]{1,6})\s+CPU time\s*([0-9]{1,12}\.[0-9]{1,6})"
    r"\s+CPU utilization\s*([0-9]{1,9}\.[0-9]{1,6}) %"
)
FIRST_WORDS = ("Children", "Parent", "Min ", "Max ", "Avg ", "Child[", "CPU ", "Each ")


class ThroughputMode:
    """Reads the blocks in order."""

    def __init__(self, run: IozoneRun) -> None:
        self._run = run
        self._file_size: int | None = None
        self._record_size: int | None = None
        self._threads: int | None = None
        self._test: str | None = None
        self._failed = False
        # The cells of this mode's numbers, by test, processes, view and unit.
        self._cells: dict[tuple[str, int | None, str, str], GatheredValues] = {}
        self._slowest: GatheredValues | None = None
        self._seen: set[tuple[str, int]] = set()  # the tests of this output, with their processes
        # File size and record size by number of processes; cleared when a block's head has other sizes.
        self._known_sizes: dict[int | None, tuple[int | None, int | None]] = {}

    @property
    def started(self) -> bool:
        """Whether the text so far shows that iozone runs in throughput mode."""
        return self._test is not None or self._file_size is not None or "threads" in self._run.facts

    def take(self, text: str, number: int) -> bool:
        """Read one line; False if this mode does not print such lines."""
        if match := _EACH.match(text):
            return self._each(match, number)
        if match := _TOTAL.match(text):
            return self._total(match, number, children=text[0] in "Cc")
        if match := _XFER.match(text):
            return self._min_xfer(match, number)
        if match := _CHILD.match(text):
            return self._child(match, number)
        if match := _CPU.match(text):
            return self._cpu(match, number)
        if match := _SIZES.match(text):
            self._file_size, self._record_size = int(match[1]) * 1024, int(match[2]) * 1024
            self._cells.clear()
            self._known_sizes.clear()
            return True
        return False

    def close(self, words: str, line: int) -> None:
        """Handle a text that ended early: the tests that were still to come have failed."""
        after = ORDER.index(self._test) + 1 if self._test else 0
        metric = self._run.unit.metric if self._run.unit else "throughput"
        facts = self._run.facts
        for test in ORDER[after:]:
            if selects(self._run.options, test):
                sizes = [self._file_size or facts.get("file_size"), self._record_size or facts.get("record_size")]
                threads = self._threads or facts.get("threads")
                file_size, record_size, count = (int(number) if number else None for number in (*sizes, threads))
                key = ResultKey(test, metric, file_size, record_size, count)
                self._run.store.cells.no_value(key, line, words, FAILED)

    def _total(self, match: re.Match[str], number: int, children: bool) -> bool:
        test = LABELS.get(match[2].strip().lower())
        if test is None:
            return False
        threads = int(match[1])
        if children:
            self._begin_again(test, threads, number)
            self._test, self._threads, self._failed = test, threads, False
            self._run.counts[threads] = None
            self._slowest = None
            self._run.sums.setdefault((test, False), []).append(match[3])
        elif test != self._test:
            if self._test is not None:
                return False
            self._test, self._threads = test, threads  # a text that keeps only the parents' lines
        self._number(match[3], match[4], number, "" if children else "parent")
        return True

    def _begin_again(self, test: str, threads: int, number: int) -> None:
        """Begin another part of the text if this one already has the test; a text may keep only such lines."""
        self._run.parts.place(number)
        if (test, threads) in self._seen:
            self._run.begin_part(number)
            self._seen.clear()
            self._cells.clear()
        self._seen.add((test, threads))

    def _each(self, match: re.Match[str], number: int) -> bool:
        if self._test is None:
            return False
        view = match[1].lower()
        cells = self._number(match[2], match[3], number, view)
        if view == "min":
            self._slowest = cells
        return True

    def _child(self, match: re.Match[str], number: int) -> bool:
        if self._test is None:
            return False
        cells = self._number(match[3], match[4], number, f"child {match[1]}")
        cells.add_evidence(self._moved(match[2], match[4]))
        return True

    def _number(self, printed: str, unit: str, number: int, view: str) -> GatheredValues:
        """Add one number of a block. If a process failed, its share is missing, so the block's numbers are invalid."""
        cell_key = self._test or "", self._threads, view, unit
        cells = self._cells.get(cell_key)
        if cells is None:
            cells = self._cells[cell_key] = self._run.store.cells.cells_at(self._key(view, UNITS[unit.lower()].metric))
        if self._failed or self._run.errors:
            self._fail(cells, number)
        else:
            value = UNITS[unit.lower()].to_base(float(printed))
            if value or view == "min" or view.startswith("child"):
                cells.add(value, number)
            else:
                cells.add(None, number)
                cells.errors += [TOO_FAST][: TOO_FAST not in cells.errors]
        return cells

    def _fail(self, cells: GatheredValues, number: int) -> None:
        words = self._run.take_words() or "a process of this test failed"
        self._failed = self._run.failed = cells.failed = True
        cells.add(None, number)
        cells.errors += [words][: words not in cells.errors[-1:]]

    def _min_xfer(self, match: re.Match[str], number: int) -> bool:
        """Read Min xfer, the progress of the slowest process when the first one finished: a caution, not a result."""
        if self._test is None:
            return False
        moved = self._moved(match[1], match[2])
        if self._slowest is not None and not self._failed:
            self._slowest.add_evidence(moved)
        size = moved.get("logical_bytes")
        if size is not None and self._file_size and size < self._file_size:
            self._run.notes.warn(
                f"{self._test} with {self._threads} processes: the slowest had done {size / self._file_size:.0%} of its"
                " file when the first was done",
                number,
            )
        return True

    def _moved(self, printed: str, unit: str) -> dict[str, int]:
        """The bytes that a process has moved; empty if the size of an operation is unknown."""
        size = 1024 if unit.lower() == "kb" else self._record_size
        return {"logical_bytes": round(float(printed) * size)} if size else {}

    def _cpu(self, match: re.Match[str], number: int) -> bool:
        """Read the CPU use of the block above. iozone writes "Utilization" only below its initial writers."""
        test = self._test if self._test or match[1] else "write"
        if test is None:
            return False
        cells = self._run.store.cells
        self._run.sums.setdefault((test, True), []).append(match[4])
        numbers = ("elapsed", float(match[2])), ("cpu_time", float(match[3])), ("cpu_of_one_core", share(match[4]))
        for metric, value in numbers:
            key = self._key("", metric)._replace(test=test)
            if value:
                cells.value(key, value, number)
            else:
                cells.no_value(key, number, TOO_FAST)
        return True

    def _key(self, view: str, metric: str) -> ResultKey:
        sizes = self._known_sizes.get(self._threads)
        if sizes is None:
            sizes = self._known_sizes[self._threads] = self._sizes()
        return _key(self._test or "", metric, *sizes, self._threads, view)

    def _sizes(self) -> tuple[int | None, int | None]:
        """File size and record size of the block, else of the run unless the number of processes differs."""
        run_threads = processes(self._run.options)
        if self._file_size or self._record_size or (run_threads and self._threads not in run_threads):
            return self._file_size, self._record_size
        facts = self._run.facts
        file_size, record_size = facts.get("file_size"), facts.get("record_size")
        return int(file_size) if file_size else None, int(record_size) if record_size else None


@lru_cache(maxsize=4096)
def _key(
    test: str, metric: str, file_size: int | None, record_size: int | None, threads: int | None, view: str
) -> ResultKey:
    params: dict[str, Param] = {"view": view} if view else {}
    if view.startswith("child "):
        params = {"view": "child", "child": int(view[6:])}
    return ResultKey(test, metric, file_size, record_size, threads, params_key(params))
