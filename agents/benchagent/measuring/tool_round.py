"""Measures one point once: empties caches, runs the tool in the target, parses its output."""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Callable

from benchagent import formats
from benchagent.documents.records import ParsedOutput, RawOutput, Round, RoundEvidence, SampledSeries
from benchagent.formats import FormatError, Parsed
from benchagent.inventory import Source
from benchagent.inventory.privacy.scrub import Scrub
from benchagent.plan.model import Point
from benchagent.sampling import Sampler, own_over_time, own_series, sampling
from benchagent.system.caches import drop_caches
from benchagent.system.open_directory import opened
from benchagent.system.process import Outcome, run
from benchagent.targets.prepared_target import PreparedTarget
from benchagent.toml.tables import Parameters
from benchagent.tools import TOOLS, CommandContext, Tool

from .evidence import Devices, MachineWatch, Usage, device_bytes, devices_of, together, usage
from .kernel_trouble import disturbance
from .smart import SmartReader

MEDIA_TYPES = {
    ".txt": "text/plain",
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
}
ERRORS = ("io_error", "file_system_error")
UNMOUNTED = "the target was unmounted during the round, so the measured file system is unknown"
DAMAGED = (errno.EROFS, errno.EIO, errno.EUCLEAN)  # of a file system that takes no changes any more
SEPARATOR = ";"  # between the command lines of a round that has several


@dataclass(frozen=True)
class Bench:
    """Everything that a measurement needs besides the point and its prepared target."""

    context: CommandContext
    cache: str
    source: Source
    scrub: Scrub
    tick: Callable[[], None]
    smart: SmartReader = field(default_factory=SmartReader)

    @property
    def cold(self) -> bool:
        return self.cache == "cold"


@dataclass(frozen=True)
class Invocation:
    """One program that ran, with its usage, output and own series. `error` is why its round has failed."""

    outcome: Outcome
    used: Usage
    artifacts: tuple[RawOutput, ...]
    reading: ParsedOutput | None = None
    error: str | None = None
    series: tuple[SampledSeries, ...] = ()


def command_of(point: Point, bench: Bench) -> tuple[str, ...]:
    """The command lines of a point's tool as recorded: without `context.files`, equal in every round."""
    tool, parameters = TOOLS[point.workload.tool], point.workload.parameters
    return joined(tool.commands(parameters, bench.context, cold=bench.cold))


def joined(commands: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Several command lines as one, separated as in a shell."""
    return tuple(word for command in commands for word in (SEPARATOR, *command))[1:]


def files_of(point: Point, scrub: Scrub) -> tuple[RawOutput, ...]:
    """The texts that the point's workload reads, kept so that the run can be repeated."""
    texts = [(file.name, file.text) for file in point.workload.files if file.text is not None]
    return tuple(RawOutput(f"files/{name}", MEDIA_TYPES[".txt"], scrub(text)) for name, text in texts)


def run_tool(point: Point, prepared_target: PreparedTarget, bench: Bench, number: int, position: int) -> Round:
    """Run the point's tool once, in round `number` (from 0). A failure is recorded in the round, not raised."""
    tool, invocations = TOOLS[point.workload.tool], list[Invocation]()
    commands = tool.commands(point.workload.parameters, bench.context, cold=bench.cold)
    names = _names(f"round-{number + 1}/{tool.artifact}", len(commands))
    smart_before = bench.smart.read(bench.source, devices_of(prepared_target.directory, bench.source).real_disks)
    with (
        watching(bench) as watch,
        tidied(prepared_target.directory) as left,
        _sampling(prepared_target, bench) as sampler,
    ):
        for command, name in zip(commands, names):
            with watch.our_doing():
                empty_cache(prepared_target, bench)
            invocations.append(_invoke(command, name, point, prepared_target, bench, sampler))
            if invocations[-1].error is not None:
                break
        used = together(invocation.used for invocation in invocations)
        unmounted = (
            UNMOUNTED if prepared_target.mounted is not None and not prepared_target.mounted.is_mounted() else None
        )
        devices = devices_of(prepared_target.directory, bench.source)
        evidence = replace(watch.seen(used, devices.disks), smart=bench.smart.since(bench.source, smart_before))
    return Round(
        started_at=invocations[0].outcome.started_at,
        elapsed=sum(invocation.outcome.elapsed for invocation in invocations),
        position=position,
        readings=tuple(invocation.reading for invocation in invocations if invocation.reading),
        error=_explained(invocations[-1], evidence, limited=prepared_target.control_group is not None)
        or _spoilt(evidence, devices)
        or unmounted
        or left.error,
        evidence=evidence,
        artifacts=tuple(artifact for invocation in invocations for artifact in invocation.artifacts),
        series=(*sampler.series(), *(series for invocation in invocations for series in invocation.series)),
    )


def _sampling(prepared_target: PreparedTarget, bench: Bench) -> AbstractContextManager[Sampler]:
    devices = devices_of(prepared_target.directory, bench.source)
    return sampling(bench.source, devices.numbers, devices.names, prepared_target.directory, devices.others_below)


def empty_cache(prepared_target: PreparedTarget, bench: Bench) -> None:
    """Empty the caches if the plan has cold caches, and write pending data in any case."""
    if bench.cold:
        (prepared_target.empty_cache or drop_caches)()
    os.sync()


@contextmanager
def watching(bench: Bench, *, ours: bool = False) -> Iterator[MachineWatch]:
    """A MachineWatch that is closed at the end of the block; `ours` as in MachineWatch."""
    watch = MachineWatch(bench.source, bench.scrub, ours=ours)
    try:
        yield watch
    finally:
        watch.close()


@dataclass
class LeftFiles:
    """What a block left in a directory. `error` is why it could not be removed."""

    error: str | None = None


@contextmanager
def tidied(directory: Path) -> Iterator[LeftFiles]:
    """Remove the entries that the block added to the directory, such as files of a tool that failed.

    A damaged file system, which the kernel made read-only, keeps them; the round then has its output and an error.
    Its parent, the agent's own directory, stays open. The directory itself may be unmounted and mounted in the block.
    """
    with opened(directory.parent) as parent:
        with parent.inside(directory.name) as begun:
            before = set(begun.names())
        left = LeftFiles()
        try:
            yield left
        finally:
            try:
                with parent.inside(directory.name) as ended:
                    for name in set(ended.names()) - before:
                        ended.remove(name)
            except OSError as error:
                if error.errno not in DAMAGED:
                    raise
                left.error = f"files of the round could not be removed: {error}"


def _invoke(
    command: Sequence[str], name: str, point: Point, prepared_target: PreparedTarget, bench: Bench, sampler: Sampler
) -> Invocation:
    tool = TOOLS[point.workload.tool]
    devices = devices_of(prepared_target.directory, bench.source).numbers
    sampler.begin()
    before = device_bytes(devices)
    outcome = run(
        command,
        executable=tool.find(),
        directory=prepared_target.directory,
        timeout=point.workload.timeout,
        tick=bench.tick,
        sample=sampler.sample,
        control_group=prepared_target.control_group,
    )
    used = usage(outcome, before, device_bytes(devices))
    sampler.end()
    finished = outcome.ok or (not outcome.timed_out and outcome.returncode in tool.partial)
    artifacts = tuple(_artifacts(name, outcome, bench.scrub, with_stderr=not (outcome.ok and tool.progress)))
    parsed, unreadable = _read(artifacts[0].text, tool, point.workload.parameters)
    error = unreadable if finished else bench.scrub(outcome.error)
    if parsed is None:
        return Invocation(outcome, used, artifacts, error=error)
    moved = tool.logical_bytes(parsed)
    used = used if moved is None else {**used, "logical_bytes": moved}
    logged = tool.series(prepared_target.directory, parsed)
    own = (*own_series(tool.name, parsed.series, sampler.begun), *own_over_time(tool.name, logged, sampler.begun))
    parsed = tool.with_series(parsed, logged, point.workload.parameters)
    reading = _reading(name, replace(parsed, series=(), companions={}), command, used, tool, bench)
    return Invocation(outcome, used, artifacts, reading, error, own)


def _reading(name: str, parsed: Parsed, command: Sequence[str], used: Usage, tool: Tool, bench: Bench) -> ParsedOutput:
    """The parsed output, with evidence if the tool ran a single test, and the results measured with cold caches."""
    keys = [(result.test, result.file_size, result.record_size, result.threads) for result in parsed.results]
    if len(set(keys)) == 1 and tool.usage_is_of_test:
        parsed = replace(parsed, results=tuple(result._replace(evidence=used) for result in parsed.results))
    first = [number for number, result in enumerate(keys) if result == keys[0]]
    if tool.cold_option in command:
        return ParsedOutput(name, parsed, frozenset(range(len(keys))))
    return ParsedOutput(name, parsed, frozenset(first if bench.cold else ()))


def _explained(last: Invocation, evidence: RoundEvidence, *, limited: bool) -> str | None:
    """The reason why the round failed. A program that the kernel kills for lack of memory prints no error itself.

    If the plan `limited` its memory, the kernel may have killed a child process, and the program has another error.
    """
    killed = last.outcome.returncode == -signal.SIGKILL and not last.outcome.timed_out
    if last.error is None or not (killed or limited) or not evidence.disturbances.get("oom_kill"):
        return last.error
    if killed:
        return "out of memory: the kernel killed it; what it had printed is kept"
    return f"out of memory: the kernel killed a process of it ({last.error})"


def _spoilt(evidence: RoundEvidence, devices: Devices) -> str | None:
    """The kernel's error message about the target's device, if any; the tool may not have noticed the error."""
    for line in evidence.kernel_messages:
        if disturbance(line) in ERRORS and devices.names.intersection(re.findall(r"[\w-]+", line)):
            return f"the kernel reported of the target's device: {line}"
    return None


def _names(name: str, count: int) -> list[str]:
    """The names of the raw outputs of `count` invocations: `iozone.txt`, or `iozone-01.txt` and so on."""
    stem, dot, suffix = name.rpartition(".")
    width = len(str(count))
    return [name] if count == 1 else [f"{stem}-{number:0{width}}{dot}{suffix}" for number in range(1, count + 1)]


def _read(text: str, tool: Tool, parameters: Parameters) -> tuple[Parsed | None, str | None]:
    """The parsed output, or the reason why it could not be read."""
    try:
        parsed = tool.completed(formats.parse(text, tool.name), parameters)
    except FormatError as error:
        return None, f"its output could not be read: {error}"
    if not parsed.complete:
        return parsed, "its output is not complete, although its exit code is 0"
    return parsed, None if parsed.results else "its output holds no results"


def _artifacts(name: str, outcome: Outcome, scrub: Scrub, *, with_stderr: bool) -> Iterator[RawOutput]:
    path = Path(name)
    yield RawOutput(name, MEDIA_TYPES[path.suffix], scrub(outcome.stdout))
    if outcome.stderr and with_stderr:
        yield RawOutput(str(path.with_suffix(".stderr.txt")), MEDIA_TYPES[".txt"], scrub(outcome.stderr))
