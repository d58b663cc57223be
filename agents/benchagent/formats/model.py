"""What a parser hands back. Everything is in base units; the numbers as printed stay in the raw text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

Param = Union[str, int, float, bool]
OK, FAILED, UNMEASURABLE = "ok", "failed", "unmeasurable"


@dataclass(frozen=True)
class Result:
    """One measured quantity.

    ``values[i]`` is what the i-th repetition measured, in ``unit``; None where that repetition gave no number.
    ``lines[i]`` is the 1-based line of the raw text ``values[i]`` stands in.
    ``file_size`` and ``record_size`` are bytes. ``file_size`` is the size of one file, also with several threads.
    ``status`` is ``ok`` when at least one value is there, else ``failed`` (``error`` has the tool's own words) or
    ``unmeasurable`` (too fast for the tool's clock). With status ``ok``, ``error`` tells why a value is None.
    ``evidence`` is what the tool saw the device move for this result alone, and the bytes it asked for, in all values
    together: ``device_read_bytes``, ``device_write_bytes``, ``logical_bytes``; empty where it does not know.
    (test, metric, file_size, record_size, threads, params) is unique within one Parsed.
    """

    test: str
    metric: str
    unit: str
    values: tuple[float | None, ...]
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    params: Mapping[str, Param] = field(default_factory=dict)
    status: str = OK
    error: str | None = None
    lines: tuple[int, ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Parsed:
    """One raw text, read. ``clock_resolution`` is one tick of the tool's clock in seconds, where the text says it.

    ``complete`` is false where the text lacks the end that the tool writes. ``parameters`` is what the text itself says
    of the workload, under the names of the agent's own tools; ``unread`` are the lines that nobody could read.
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


class FormatError(Exception):
    """The text cannot be read, or not be read without guessing. ``line`` and ``column`` are 1-based."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"
