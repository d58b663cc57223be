"""Measures one point once: empties caches, runs the tool in the target, reads what it printed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import formats
from .evidence import device_bytes, devices_of, evidence
from .filesystems import FILE_SYSTEMS
from .formats import FormatError, Parsed, Result
from .inventory import Source
from .plan import PREPARATION, Point
from .prepare import Place, Step, mkfs_command
from .process import Outcome, run
from .records import RawOutput, Round
from .tools import TOOLS, Context

Scrub = Callable[[str], str]
MEDIA_TYPES = {".txt": "text/plain", ".csv": "text/csv", ".jsonl": "application/jsonl"}
PREPARED = "prepare.txt"  # the artifact that holds the steps of the preparation


@dataclass(frozen=True)
class Bench:
    """What measuring needs besides the point and its place."""

    context: Context
    cache: str
    source: Source
    scrub: Scrub
    tick: Callable[[], None]


def command_of(point: Point, context: Context) -> tuple[str, ...]:
    """The command line of a point, the same in every round; recorded without `context.files`."""
    if point.workload.tool == PREPARATION:
        return mkfs_command(point.target)
    return tuple(TOOLS[point.workload.tool].command(point.workload.parameters, context))


def files_of(point: Point, scrub: Scrub) -> tuple[RawOutput, ...]:
    """The texts that the point's workload reads, kept so that the run can be repeated."""
    texts = [(file.name, file.text) for file in point.workload.files if file.text is not None]
    return tuple(RawOutput(f"files/{name}", MEDIA_TYPES[".txt"], scrub(text)) for name, text in texts)


def run_tool(point: Point, place: Place, bench: Bench, number: int, position: int) -> Round:
    """Run the point's tool once, in round `number` (from 0). What fails is in the round; nothing is raised for it."""
    workload, tool = point.workload, TOOLS[point.workload.tool]
    if bench.cache == "cold" and place.empty_cache is not None:
        place.empty_cache()
    os.sync()  # what earlier work left to be written must not be written during this one
    with _tidied(place.directory):
        devices = devices_of(place.directory, bench.source)
        before = device_bytes(devices)
        outcome = run(
            command_of(point, bench.context),
            executable=tool.find(),
            directory=place.directory,
            timeout=workload.timeout,
            control_group=place.control_group,
            tick=bench.tick,
        )
        after = device_bytes(devices)
    finished = outcome.ok or (not outcome.timed_out and outcome.returncode in tool.partial)
    folder, with_stderr = f"round-{number + 1}", not (outcome.ok and tool.progress)
    artifacts = tuple(_artifacts(folder, tool.artifact, outcome, bench.scrub, with_stderr=with_stderr))
    parsed, unreadable = _read(artifacts[0].text, tool.name)
    failed = unreadable if finished else bench.scrub(outcome.error)
    return Round(
        started_at=outcome.started_at,
        elapsed=outcome.elapsed,
        position=position,
        parsed=parsed,
        error=failed,
        evidence=evidence(outcome, before, after),
        artifacts=artifacts,
    )


def read_preparation(place: Place, file_system: str, scrub: Scrub, number: int, position: int) -> Round:
    """The round of an image's own point: its mkfs and its mount, already done and timed."""
    lines: list[str] = []
    results: list[Result] = []
    for step in place.steps:
        results += _timings(step, lines, scrub)
    name = f"round-{number + 1}/{PREPARED}"
    first, last = place.steps[0].outcome, place.steps[-1].outcome
    return Round(
        started_at=first.started_at,
        elapsed=(last.started_at - first.started_at).total_seconds() + last.elapsed,
        position=position,
        parsed=Parsed(
            tool=PREPARATION,
            tool_version=FILE_SYSTEMS[file_system].version(),
            command=None,
            results=tuple(results),
            warnings=(),
            parser_version=formats.PARSER_VERSION,
        ),
        artifacts=(RawOutput(name, MEDIA_TYPES[".txt"], "\n".join(lines) + "\n"),),
    )


def failed_preparation(error: str) -> Parsed:
    """Stands for the results of a preparation that failed: the first test it would have measured."""
    result = Result("mkfs", "elapsed", "s", (None,), status="failed", error=error)
    return Parsed(PREPARATION, None, None, (result,), (), formats.PARSER_VERSION)


def _timings(step: Step, lines: list[str], scrub: Scrub) -> Iterator[Result]:
    """The step's three times as results, and as text with the command and what it printed."""
    outcome = step.outcome
    lines += [f"$ {' '.join(outcome.command)}", *scrub(outcome.stdout + outcome.stderr).splitlines()]
    times = {
        "elapsed": outcome.elapsed,
        "user_time": outcome.user_seconds,
        "system_time": outcome.system_seconds,
    }
    for metric, seconds in times.items():
        lines.append(f"{metric} {seconds:.6f} s")
        yield Result(step.test, metric, "s", (round(seconds, 6),), lines=(len(lines),))


def _read(text: str, tool: str) -> tuple[Parsed | None, str | None]:
    """The parsed output, or why it could not be read."""
    try:
        parsed = formats.parse(text, tool)
    except FormatError as error:
        return None, f"its output could not be read: {error}"
    return parsed, None if parsed.results else "its output holds no results"


def _artifacts(folder: str, name: str, outcome: Outcome, scrub: Scrub, *, with_stderr: bool) -> Iterator[RawOutput]:
    yield RawOutput(f"{folder}/{name}", MEDIA_TYPES[Path(name).suffix], scrub(outcome.stdout))
    if outcome.stderr and with_stderr:
        yield RawOutput(f"{folder}/{Path(name).stem}.stderr.txt", MEDIA_TYPES[".txt"], scrub(outcome.stderr))


@contextmanager
def _tidied(directory: Path) -> Iterator[None]:
    """Afterwards the directory holds what it held before; a tool that failed leaves its files."""
    before = set(os.listdir(directory))
    try:
        yield
    finally:
        for name in set(os.listdir(directory)) - before:
            path = directory / name
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
