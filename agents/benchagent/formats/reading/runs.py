"""Several runs in one text: separates the facts that all runs share from those in which they differ.

For tools that print the settings of a run: facts that describe its work, and those in which runs differ, go into the
params of every result of the run. Facts that all runs share are the text's parameters too. Runs with the same facts are
repetitions: values of the same results.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from benchagent.formats.model import FAILED, UNMEASURABLE, FormatError, Param, ResultKey

from .collector import Collector, params_key

NUMBER = r"(?:-(?=0(?:\.0{1,9})?(?![0-9.])))?[0-9]{1,15}(?:\.[0-9]{1,9})?"  # -0.0 is a rounded zero
_NUMBER = re.compile(NUMBER)
_MOST_LACKING = 10
_LONGEST_PARAMS = 400  # characters of JSON; with a source, a result's params are at most 500
_LONGEST_FACT = 200  # characters of the contract's names
_MOST_THREADS = 1_000_000
_DIGITS = 8  # of a digest in params
_DIMENSIONS = ("file_size", "record_size", "threads")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def scaled(printed: str, times: int = 1, over: int = 1) -> float:
    """Printed digits in another unit, rounded once: ``scaled("1.1", 10**6)`` is 1100000.0."""
    if "e" in printed or "E" in printed:
        return float(Fraction(printed) * times / over)
    whole, _, decimals = printed.partition(".")
    divisor: int = over * 10 ** len(decimals)
    return float(int(whole + decimals) * times / divisor)  # a quotient of two whole numbers, so rounded once


def is_number(printed: str) -> bool:
    return bool(_NUMBER.fullmatch(printed))


# Facts that change the work of no result, each with the reason. They are in params only if the runs of a text differ.
NO_WORK = {
    "version": "it is a fact of the run",
    "directory": "it is a fact of the target",
    "location": "it is a fact of the target",
    "path": "it is a fact of the target",
    "seed": "it draws other data and another order of the same kind",
    "iterations": "each is one value of the same result",
    "command": "it is a fact of the run",
    "job": "a name",
    "section": "a heading of the text",
    "timing": "a position in the text",
    "nodes": "it is a fact of the machine",
    "definition": "the name of a file; what it defines is in other facts",
}

_T = TypeVar("_T", bound=Hashable)


def common(values: Iterable[_T]) -> _T | None:
    """The common value; None if there are several, or none."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


@dataclass
class RunValue:
    """One number of a run, in base units. If ``value`` is None, ``error`` is the reason and ``status`` its kind."""

    test: str
    metric: str
    value: float | None
    line: int
    params: dict[str, Param] = field(default_factory=dict)
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    error: str = ""
    status: str = UNMEASURABLE
    evidence: dict[str, int] = field(default_factory=dict)
    facts: dict[str, Param] = field(default_factory=dict)  # of this number only, otherwise like those of its run
    histogram: str | None = None  # of the latencies whose mean is the number


def printed_value(
    test: str,
    metric: str,
    printed: str,
    line: int,
    params: Mapping[str, Param] | None = None,
    *,
    times: int = 1,
    over: int = 1,
    error: str,
) -> RunValue:
    """Printed digits as a value in another unit (see ``scaled``). A zero is no measurement: its value is None."""
    return RunValue(test, metric, scaled(printed, times, over) or None, line, dict(params or {}), error=error)


@dataclass
class ToolRun:
    """One run of a tool: its facts and numbers, its first ``line``, and whether it ``ended`` as the tool ends a run.

    ``failure`` is the reason why the run lacks numbers that other runs have, if possible in the tool's words.
    """

    line: int
    facts: dict[str, Param] = field(default_factory=dict)
    cells: list[RunValue] = field(default_factory=list)
    ended: bool = False
    failure: str = "this run has no such number"


def keep(collector: Collector, runs: Sequence[ToolRun]) -> dict[str, Param]:
    """Hand all values to the collector and return the facts that all runs share.

    Runs with the same facts stay in step: a number that one of them lacks is None there. If the facts that differ would
    not fit into params, ``{"run": number}`` replaces them, counted from 1.
    """
    for run in runs:
        _check(run)
    shared = _shared([_facts(run) for run in runs])
    lengths = [max((_length_of(params_key(cell.params)) for cell in run.cells), default=0) for run in runs]
    apart, by_number = _facts_apart(collector, runs, lengths, shared)
    keys = [
        [
            _key(cell, {**params, **_without(cell.facts, shared)} if cell.facts and not by_number else params)
            for cell in run.cells
        ]
        for run, params in zip(runs, apart)
    ]
    lacking = _lacking(collector, [params_key(params) for params in apart], keys)
    for run, of_run, missing in zip(runs, keys, lacking):
        for key, cell in zip(of_run, run.cells):
            _take(collector, key, cell)
        for key in missing:
            collector.no_value(key, run.line, run.failure, FAILED)
    return shared


def _check(run: ToolRun) -> None:
    """Clean the texts among the facts for the database. Raises FormatError for threads that no machine has."""
    for cell in run.cells:
        if cell.threads is not None and cell.threads > _MOST_THREADS:
            raise FormatError(f"{cell.threads} threads are more than any machine starts", cell.line)
    shared = {id(texts): texts for cell in run.cells for texts in (cell.facts, cell.params) if texts}  # by many cells
    for facts in (run.facts, *shared.values()):
        for name, value in facts.items():
            if isinstance(value, str) and (clean := _clean(value)) != value:
                facts[name] = clean


@lru_cache(maxsize=4096)
def _clean(words: str) -> str:
    return _CONTROL.sub(" ", words)[:_LONGEST_FACT].strip() or "-"


def _facts_apart(
    collector: Collector, runs: Sequence[ToolRun], lengths: Sequence[int], shared: Mapping[str, Param]
) -> tuple[list[dict[str, Param]], bool]:
    """The params that all results of each run get, and whether these are only the run's number.

    ``lengths`` has for each run the greatest length of its cells' own params, as JSON.
    """
    works = [_work(run, shared) for run in runs]
    others = [_without(_facts(run), shared) for run in runs]
    if _are_too_long(others, works, lengths):
        works = [{"work": digest(work)} for work in works]
    if _are_too_long(others, works, lengths):
        collector.warn("the runs differ in so much that their results are told apart by their place only")
        return [{"run": number} for number in range(1, len(runs) + 1)], True
    return [{**_without(run.facts, shared), **work} for run, work in zip(runs, works)], False


def _work(run: ToolRun, shared: Mapping[str, Param]) -> dict[str, Param]:
    """The facts of a run that describe its work and that other runs of the text have too."""
    return {name: value for name, value in run.facts.items() if name in shared and name not in NO_WORK and value}


def digest(content: object) -> str:
    """A short text that identifies any JSON value."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _are_too_long(
    facts: Iterable[Mapping[str, Param]], works: Iterable[Mapping[str, Param]], lengths: Iterable[int]
) -> bool:
    """Whether the params of any run's results would be longer than the contract takes."""
    return any(
        _length_of(params_key({**of_run, **work})) + longest > _LONGEST_PARAMS
        for of_run, work, longest in zip(facts, works, lengths)
    )


@lru_cache(maxsize=4096)
def _length_of(params: tuple[tuple[str, Param], ...]) -> int:
    return len(json.dumps(dict(params)))


def _lacking(
    collector: Collector, groups: Sequence[tuple[tuple[str, Param], ...]], keys: Sequence[Sequence[ResultKey]]
) -> list[list[ResultKey]]:
    """For each run, the keys that other runs of its group have and this one lacks."""
    of_group: dict[tuple[tuple[str, Param], ...], dict[ResultKey, None]] = {}
    for group, of_run in zip(groups, keys):
        of_group.setdefault(group, {}).update(dict.fromkeys(of_run))
    count = sum(len(of_group[group]) for group in groups)
    if count > _MOST_LACKING * (sum(map(len, keys)) + 100):  # else a text of many odd runs would take all the memory
        collector.warn("the runs have so different numbers of values that these cannot be matched")
        return [[] for _ in groups]
    present = [set(of_run) for of_run in keys]
    return [[key for key in of_group[group] if key not in keys_of_run] for group, keys_of_run in zip(groups, present)]


def _facts(run: ToolRun) -> dict[str, Param]:
    facts = dict(run.facts)
    for cell in run.cells:
        if cell.facts:
            facts.update(cell.facts)
    return facts


def _shared(facts: Sequence[Mapping[str, Param]]) -> dict[str, Param]:
    shared = dict(facts[0]) if facts else {}
    for others in facts[1:]:
        for name in [name for name, value in shared.items() if others.get(name) != value]:
            del shared[name]
    return shared


def _without(facts: Mapping[str, Param], shared: Mapping[str, Param]) -> dict[str, Param]:
    return {name: value for name, value in facts.items() if name not in shared}


def _key(cell: RunValue, apart: Mapping[str, Param]) -> ResultKey:
    """The key of a value. A fact that repeats its file size, record size or threads is left out of the params."""
    sizes = cell.file_size, cell.record_size, cell.threads
    repeated = {name: size for name, size in zip(_DIMENSIONS, sizes) if size is not None and apart.get(name) == size}
    facts = _without(apart, repeated) if repeated else apart
    return ResultKey(cell.test, cell.metric, *sizes, params_key({**facts, **cell.params}))


def _take(collector: Collector, key: ResultKey, cell: RunValue) -> None:
    if cell.value is None:
        collector.no_value(key, cell.line, cell.error, cell.status)
    else:
        collector.value(key, cell.value, cell.line, cell.evidence)
        if cell.histogram:
            collector.histogram(key, cell.histogram, cell.line)
