"""Clock and cache verdicts of a run's results, from their known facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from uuid import UUID

import numpy as np

from benchagent.plan.tools import tool_named
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.stats import (
    Access,
    CacheFacts,
    access_of,
    cache_sentence,
    cache_verdict,
    clock_sentence,
    clock_verdicts,
    elapsed_from_throughput,
    optional,
)

EVIDENCE = ("device_read_bytes", "device_write_bytes", "logical_bytes", "cache_emptied")
NO_EVIDENCE = (None,) * len(EVIDENCE)


@dataclass(frozen=True, slots=True)
class CellClock:
    """Whether the clock of the tool was fine enough: the mean time in `ticks` of it, None if unknown."""

    verdict: str
    ticks: float | None
    text: str


@dataclass(frozen=True, slots=True)
class CellCache:
    """Whether the device or a cache was measured; `numbers` are the figures in the sentence `text`."""

    verdict: str
    reason: str | None
    numbers: dict[str, object]
    text: str


def clocks(results: Sequence[Measured], runs: Mapping[UUID, Run]) -> list[CellClock]:
    """The verdict on the clock for each result of these runs."""
    ticks = {run_id: _tick(run) for run_id, run in runs.items()}
    shares = {run_id: _shares(run) for run_id, run in runs.items()}
    moved = [_number(_moved(result.file_size, result.threads, shares[result.run_id])) for result in results]
    elapsed = np.where(
        [result.metric == "throughput" for result in results],
        elapsed_from_throughput(moved, [_number(result.mean) for result in results]),
        [_number(result.mean) if result.metric == "elapsed" else np.nan for result in results],
    )
    judged = clock_verdicts(elapsed, [ticks[result.run_id] for result in results])
    return [
        CellClock(verdict.value, ticks, clock_sentence(verdict, ticks))
        for verdict, ticks in zip(judged.verdict, optional(judged.ticks), strict=True)
    ]


def caches(results: Sequence[Measured], runs: Mapping[UUID, Run]) -> list[CellCache]:
    """The verdict on caches for each result of these runs."""
    # A grid has a hundred cells that are judged alike.
    judges = {run_id: cache(partial(_cache, run, _run_facts(run))) for run_id, run in runs.items()}
    verdicts = []
    for result in results:
        evidence = map(result.evidence.get, EVIDENCE) if result.evidence else NO_EVIDENCE
        verdicts.append(judges[result.run_id](result.test, result.file_size, result.threads, result.alone, *evidence))
    return verdicts


def _cache(
    run: Run,
    shared: CacheFacts,
    test: str,
    file_size: int | None,
    threads: int | None,
    alone: bool,
    read: float | None,
    written: float | None,
    logical: float | None,
    emptied: bool | None,
) -> CellCache:
    """The cache verdict of one result. `shared` are the facts of all results; the last four parameters are EVIDENCE."""
    access = access_of(test)
    facts = replace(
        shared,
        access=access,
        working_set=_moved(file_size, threads, _shares(run)),
        device_bytes=_device_bytes(read, written, access),
        logical_bytes=logical,
        # If the agent does not record it: caches were dropped before the tool started, so only its first test is cold.
        dropped=bool(emptied) or (run.cache_regime == "cold" and alone),
    )
    judged = cache_verdict(facts)
    return CellCache(judged.verdict.value, judged.reason.value, dict(judged.numbers), cache_sentence(judged))


def _tick(run: Run) -> float:
    """Seconds of one tick of the clock that timed the run, by the run itself or by its tool; NaN if not known."""
    tool = tool_named(run.tool)
    return run.clock_resolution or (tool and tool.clock_resolution) or np.nan


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def _shares(run: Run) -> bool:
    """Whether the threads of the run share a file."""
    return bool(run.parameters.get("shared_file"))


def _moved(file_size: int | None, threads: int | None, shares: bool) -> int | None:
    """The bytes that one test moved: each file once. Each thread has a file of its own unless it `shares` one."""
    return None if file_size is None else file_size * (1 if shares else threads or 1)


def _run_facts(run: Run) -> CacheFacts:
    """The facts that apply to all results of a run; those of a single result are missing."""
    environment, target = run.environment.facts, run.target.facts
    memory = environment["memory"]
    tool = tool_named(run.tool)
    switches = tool.switches(run.command) if tool else frozenset()
    virtual = environment["virtualization"]["kind"] not in (None, "none")
    return CacheFacts(
        access=Access.OTHER,
        working_set=None,
        memory=memory.get("usable") or memory["total"],
        controller_cache=next((c["cache"] for c in environment.get("controllers", []) if c.get("cache")), None),
        direct=bool(run.parameters.get("direct")) or "direct" in switches,
        flushed=bool(run.parameters.get("fsync"))
        or run.parameters.get("sync") in ("dsync", "sync")
        or "fsync" in switches,
        host_may_cache=virtual or any(_buffered_loop(layer) for layer in target["stack"]),
    )


def _buffered_loop(layer: Mapping[str, object]) -> bool:
    """A loop device whose file goes through the page cache of the file system below."""
    facts = layer.get("facts")
    return layer["kind"] == "loop" and not (isinstance(facts, dict) and facts.get("direct_io"))


def _device_bytes(read: float | None, written: float | None, access: Access) -> float | None:
    """The bytes that the device moved in the test's direction; in both directions for a mix and the like."""
    if access in (Access.WRITE, Access.ONE_RECORD):
        return written
    if access is not Access.OTHER:
        return read
    return None if read is None or written is None else float(read + written)
