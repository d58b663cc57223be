"""The result of parsing a text. All numbers are in base units; the raw text keeps them as printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn, Union

from .companions import Companion
from .over_time import OverTime

Param = Union[str, int, float, bool]
OK, FAILED, UNMEASURABLE = "ok", "failed", "unmeasurable"
MOST_RESULTS = 100_000  # of a run, and so of a text
NOTHING: Mapping[str, NoReturn] = {}  # shared, so that a default costs nothing


class ResultKey(NamedTuple):
    """The fields by which a result is unique within a text and within a run. ``params`` is sorted by name."""

    test: str
    metric: str
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    params: tuple[tuple[str, Param], ...] = ()


class Result(NamedTuple):
    """One measured quantity.

    ``values[i]`` is the number that repetition i measured, in ``unit``, or None if that repetition gave no number.
    ``lines[i]`` is the line of ``values[i]`` in the raw text, counted from 1.
    ``file_size`` and ``record_size`` are bytes. ``file_size`` is the size of one file, also with several threads.
    ``status`` is ``ok`` if there is at least one value, else ``failed`` (``error`` has the tool's own words) or
    ``unmeasurable`` (too fast for the tool's clock). With status ``ok``, ``error`` explains the values that are None.
    ``histograms[i]`` is the distribution of the latencies whose mean is ``values[i]``, as base64 text (see
    ``benchagent.formats.packing``), or None; empty if the tool prints no distribution.
    ``evidence`` has the bytes that the device moved for this result, and those that the tool requested, added up over
    all values: ``device_read_bytes``, ``device_write_bytes``, ``logical_bytes``. It is empty if the tool counts none.
    The columns of ``ResultKey`` are unique within one Parsed.
    """

    test: str
    metric: str
    unit: str
    values: tuple[float | None, ...]
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    params: Mapping[str, Param] = NOTHING
    status: str = OK
    error: str | None = None
    lines: tuple[int, ...] = ()
    evidence: Mapping[str, float] = NOTHING
    histograms: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class ToolSeries:
    """The work of one test over time, as the tool itself counted it.

    Step i ended at the time `start` + (i + 1) · `step`, in seconds of CLOCK_MONOTONIC. Each step has its operations,
    their bytes, and the longest latency among them in nanoseconds.
    """

    test: str
    start: float
    step: float
    operations: tuple[int, ...]
    bytes: tuple[int, ...]
    longest: tuple[int, ...]


@dataclass(frozen=True)
class Parsed:
    """One raw text after parsing.

    ``clock_resolution`` is one tick of the tool's clock in seconds, or None if the text does not give it.
    ``complete`` is false if the end that the tool always prints is missing. ``parameters`` describes the workload, as
    far as the text does, under the names of the agent's own tools. ``unread`` has (line, text) of the lines that the
    parser did not recognise. ``series`` has the work over time, of the tools that print it; its times are those of the
    machine since its start.

    ``companions`` has the files that the tool may have written beside this output, by name. Such a file has ``beside``,
    the name that the files of one output share, else it is None; ``over_time`` has the quantities in it.
    """

    tool: str
    tool_version: str | None
    command: str | None
    results: Sequence[Result]
    warnings: tuple[str, ...]
    parser_version: str
    clock_resolution: float | None = None
    complete: bool = True
    parameters: Mapping[str, Param] = field(default_factory=dict)
    unread: tuple[tuple[int, str], ...] = ()
    series: tuple[ToolSeries, ...] = ()
    over_time: tuple[OverTime, ...] = ()
    companions: Mapping[str, Companion] = field(default_factory=dict)
    beside: str | None = None


class FormatError(Exception):
    """The text cannot be read, or only by guessing. ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class FinalError(FormatError):
    """A fault that took long to find. Nobody reads the text again to find other ones."""


class TooManyResults(FinalError):
    """The text has more results than a run may have."""

    def __init__(self) -> None:
        super().__init__(f"it holds more than {MOST_RESULTS:,} results, the most that a run may have: split it")
