"""Clock and cache verdicts of a run's results, from their known facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from uuid import UUID

import numpy as np

from benchagent.formats.vocabulary import test_label
from benchagent.tools import TOOLS, switches_of
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.stats import (
    WRITES,
    Access,
    CacheFacts,
    CacheJudgement,
    CacheReason,
    CacheVerdict,
    Direct,
    access_of,
    cache_sentence,
    cache_verdict,
    clock_sentence,
    clock_verdicts,
    elapsed_from_throughput,
    faster_reads,
    matrix,
    optional,
)
from benchdb.stats.trust.cache import PAGE

from .storage_caches import direct_on, storage_facts, syncs

EVIDENCE = ("device_read_bytes", "device_write_bytes", "logical_bytes", "cache_emptied")
NO_EVIDENCE = (None,) * len(EVIDENCE)
ONE_PROCESS = frozenset({"min", "avg", "max", "child"})  # iozone's views of the processes of a test
SEQUENTIAL = "read"
MEASURED = frozenset({CacheReason.DEVICE_BYTES, CacheReason.PARTS_OF_PAGES})  # stronger than any comparison of speeds


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
    of_runs = {run_id: (_tick(run), _shares(run)) for run_id, run in runs.items()}
    of_results = [of_runs[result.run_id] for result in results]
    pairs = zip(results, of_results, strict=True)
    moved = np.array([_moved(result, shares) for result, (_, shares) in pairs], dtype=float)  # None becomes NaN
    means = np.array([result.mean for result in results], dtype=float)
    metrics = np.array([result.metric for result in results])
    elapsed = np.where(metrics == "throughput", elapsed_from_throughput(moved, means), means)
    judged = clock_verdicts(
        np.where(np.isin(metrics, ("throughput", "elapsed")), elapsed, np.nan), [tick for tick, _ in of_results]
    )
    return [
        CellClock(verdict.value, ticks, clock_sentence(verdict, ticks))
        for verdict, ticks in zip(judged.verdict, optional(judged.ticks), strict=True)
    ]


def caches(results: Sequence[Measured], runs: Mapping[UUID, Run]) -> list[CellCache]:
    """The verdict on caches for each result of these runs."""
    # A grid has a hundred cells that are judged alike.
    judges = {
        run_id: cache(partial(_judge, run, storage_facts(run.environment.facts, run.target.facts)))
        for run_id, run in runs.items()
    }
    judgements = []
    for result in results:
        evidence = map(result.evidence.get, EVIDENCE) if result.evidence else NO_EVIDENCE
        judgements.append(
            judges[result.run_id](
                result.test, result.file_size, _alike(result.record_size), result.threads, result.alone, *evidence
            )
        )
    judgements = _contradicted(results, judgements)
    said: dict[int, CellCache] = {}  # by identity: many results share a judgement
    return [said.get(id(each)) or said.setdefault(id(each), _cell(each)) for each in judgements]


def _alike(record_size: int | None) -> int | None:
    """One size for all records of whole pages, which are judged alike."""
    return PAGE if record_size and record_size % PAGE == 0 else record_size


def _judge(
    run: Run,
    shared: CacheFacts,
    test: str,
    file_size: int | None,
    record_size: int | None,
    threads: int | None,
    alone: bool,
    read: float | None,
    written: float | None,
    logical: float | None,
    emptied: bool | None,
) -> CacheJudgement:
    """The judgement of one result. `shared` are the facts of all results; the last four parameters are EVIDENCE."""
    access = access_of(test)
    switches = switches_of(run.tool, run.command, run.parameters, test)
    lasting = syncs(run.target.facts)
    return cache_verdict(
        replace(
            shared,
            access=access,
            working_set=_working_set(file_size, threads, _shares(run)),
            record_size=record_size,
            direct=direct_on(run.target.facts, access, record_size) if switches.direct else Direct.NOT_ASKED,
            synchronous=lasting and (shared.synchronous or switches.synchronous),
            flushed=lasting and switches.flushed,
            device_bytes=_device_bytes(read, written, access),
            logical_bytes=logical,
            # If the agent does not record it: caches were dropped before the tool started, so only its first test is
            # cold.
            dropped=bool(emptied) or (run.cache_regime == "cold" and alone),
        )
    )


def _contradicted(results: Sequence[Measured], judgements: Sequence[CacheJudgement]) -> list[CacheJudgement]:
    """The judgements, with another one for reads that were faster than the sequential read of the same file."""
    compared = [(index, result, beside) for index, result in enumerate(results) if (beside := result.sequential)]
    judged = list(judgements)
    if not compared:
        return judged
    own = matrix([(result.n, result.mean, result.sd) for _, result, _ in compared])
    faster = faster_reads(*own.T, *matrix([beside for _, _, beside in compared]).T)
    for place in np.flatnonzero(faster.contradicts).tolist():
        index = compared[place][0]
        before = judged[index]
        if before.verdict in (CacheVerdict.DEVICE, CacheVerdict.MIXED) and before.reason not in MEASURED:
            verdict = CacheVerdict.UNKNOWN if before.verdict is CacheVerdict.DEVICE else CacheVerdict.MIXED
            numbers = {"ratio": float(faster.ratio[place])}
            judged[index] = CacheJudgement(verdict, CacheReason.FASTER_THAN, numbers)
    return judged


def _cell(judgement: CacheJudgement) -> CellCache:
    text = cache_sentence(judgement, slower=test_label(SEQUENTIAL).lower())
    return CellCache(judgement.verdict.value, judgement.reason.value, dict(judgement.numbers), text)


def _tick(run: Run) -> float:
    """Seconds of one tick of the clock that timed the run, by the run itself or by its tool; NaN if not known."""
    tool = TOOLS.get(run.tool)
    return run.clock_resolution or (tool and tool.clock_resolution) or np.nan


def _shares(run: Run) -> bool:
    """Whether the threads of the run share a file."""
    return bool(run.parameters.get("shared_file"))


def _moved(result: Measured, shares: bool) -> int | None:
    """The bytes that the measured time was needed for: the throughput of one process is that of its own file."""
    alone = result.params.get("view") in ONE_PROCESS
    return _working_set(result.file_size, 1 if alone else result.threads, shares)


def _working_set(file_size: int | None, threads: int | None, shares: bool) -> int | None:
    """The bytes of all files of a test. Each thread has a file of its own unless it `shares` one."""
    return None if file_size is None else file_size * (1 if shares else threads or 1)


def _device_bytes(read: float | None, written: float | None, access: Access) -> float | None:
    """The bytes that the device moved in the test's direction; in both directions for a mix and the like."""
    if access in WRITES:
        return written
    if access is not Access.OTHER:
        return read
    return None if read is None or written is None else float(read + written)
