"""Converts the cells of a table without a CSV line to values."""

from __future__ import annotations

from benchagent.formats.model import Param, ResultKey
from benchagent.formats.reading.collector import Collector

from .cells import RunIdentity, keep_number, kib, metric_of, percent, seconds
from .layouts import CREATE_TESTS
from .pairing import is_number_of_files
from .table import TableRun

_KIB_IN = {"k": 1, "m": 1024, "g": 1024**2}
_NO_RATE = "bonnie++ {} printed {}, the number of files, where its table should have the rate"


def keep_table(collector: Collector, run: TableRun, apart: tuple[tuple[str, Param], ...]) -> None:
    """Hand all cells of a run's table to the collector."""
    identity = RunIdentity(run.settings, apart)
    for name, (text, line) in run.cells.items():
        test = name[: -len("_cpu")] if name.endswith("_cpu") else name
        key = identity.key(test, metric_of(test) if test == name else "cpu_of_one_core")
        if test != name:
            keep_number(collector, key, text, line, percent)
        elif test in CREATE_TESTS and is_number_of_files(run, text):
            collector.extend(key, [None], [line], _NO_RATE.format(run.version or "", text))
        elif key.metric == "throughput":
            _keep_speed(collector, key, run, text, line)
        elif text[-1].isalpha():
            collector.warn(f"of {test}, {text!r} is no rate: it is left out", line)
        else:
            keep_number(collector, key, text, line, float)
    for test, (latency, line) in run.times.items():
        keep_number(collector, identity.key(test, "latency_max"), latency, line, seconds)


def _keep_speed(collector: Collector, key: ResultKey, run: TableRun, value: str, line: int) -> None:
    """Keep a speed. bonnie++ 1.98 and later append k, m or g; before, the header gives K/sec for all."""
    unit = value[-1] if value[-1].isalpha() else ""
    if bool(unit) != run.suffixed and value[0] != "+":
        collector.warn(f"the unit of {key.test}, {value!r}, is not stated: it is left out", line)
        return
    factor = _KIB_IN.get(unit, 1)
    keep_number(collector, key, value[: len(value) - len(unit)], line, lambda text: kib(text) * factor)
