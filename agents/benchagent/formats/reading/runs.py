"""Several runs in one text: separates the facts that all runs share from those in which they differ.

For tools that print the settings of a run: facts that describe its work, and those in which runs differ, go into the
params of every result of the run. Facts that all runs share are the text's parameters too. Runs with the same facts are
repetitions: values of the same results.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Generic, TypeVar, cast

from benchagent.formats.model import FAILED, NOTHING, UNMEASURABLE, FormatError, Param, ResultKey

from .collector import Collector, GatheredValues, params_key

NUMBER = r"(?:-(?=0(?:\.0{1,9})?(?![0-9.])))?[0-9]{1,15}(?:\.[0-9]{1,9})?"  # -0.0 is a rounded zero
_NUMBER = re.compile(NUMBER)
_MOST_LACKING = 10
_LONGEST_PARAMS = 400  # characters of JSON; with a source, a result's params are at most 500
_LONGEST_NAME = 80
_LONGEST_FACT = 200  # characters of the contract's names
_MOST_THREADS = 1_000_000
_DIGITS = 8  # of a digest in params
_DIMENSIONS = ("file_size", "record_size", "threads")
# What the contract's names must not contain.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


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
    "place": "it is a fact of the target",
    "description": "a name",
    "seed": "it draws other data and another order of the same kind",
    "iterations": "each is one value of the same result",
    "command": "it is a fact of the run",
    "job": "a name",
    "section": "a heading of the text",
    "timing": "a position in the text",
    "nodes": "it is a fact of the machine",
    "kernel": "it is a fact of the machine",
    "machine": "a name",
    "config": "it is a fact of the target",
    "purpose": "a name",
    "definition": "the name of a file; what it defines is in other facts",
}

_T = TypeVar("_T", bound=Hashable)
_V = TypeVar("_V")


def common(values: Iterable[_T]) -> _T | None:
    """The common value; None if there are several, or none."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


class _Rare(Generic[_V]):
    """An attribute that few values have."""

    def __init__(self, default: _V) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, value: RunValue, owner: type) -> _V:
        return cast("_V", value.more.get(self._name, self._default)) if value.more else self._default

    def __set__(self, value: RunValue, content: _V) -> None:
        if value.more is None:
            value.more = {}
        value.more[self._name] = content


class RunValue:
    """One number of a run, in base units. If ``value`` is None, ``error`` is the reason and ``status`` its kind.

    ``facts`` are those of this number only, otherwise like those of its run. ``histogram`` is of the latencies whose
    mean is the number.
    """

    # A text may have a million values: what few of them have is in a dictionary of its own.
    __slots__ = ("file_size", "line", "metric", "more", "params", "record_size", "test", "threads", "value")
    error = _Rare("")
    status = _Rare(UNMEASURABLE)
    evidence: _Rare[Mapping[str, int] | None] = _Rare(None)
    facts: _Rare[Mapping[str, Param] | None] = _Rare(None)
    histogram: _Rare[str | None] = _Rare(None)

    def __init__(
        self,
        test: str,
        metric: str,
        value: float | None,
        line: int,
        params: Mapping[str, Param] = NOTHING,
        file_size: int | None = None,
        record_size: int | None = None,
        threads: int | None = None,
        error: str = "",
        status: str = UNMEASURABLE,
    ) -> None:
        self.test, self.metric, self.value, self.line, self.params = test, metric, value, line, params
        self.file_size, self.record_size, self.threads = file_size, record_size, threads
        self.more: dict[str, object] | None = None
        if error:
            self.error, self.status = error, status


def printed_value(
    test: str,
    metric: str,
    printed: str,
    line: int,
    params: Mapping[str, Param] = NOTHING,
    *,
    times: int = 1,
    over: int = 1,
    error: str,
) -> RunValue:
    """Printed digits as a value in another unit (see ``scaled``). A zero is no measurement: its value is None."""
    value = scaled(printed, times, over) or None
    return RunValue(test, metric, value, line, params, error="" if value else error)


@dataclass
class ToolRun:
    """One run of a tool: its facts and numbers, its first ``line``, and whether it ``ended`` as the tool ends a run.

    ``failure`` is the reason why the run lacks numbers that other runs have, if possible in the tool's words. ``place``
    is the path of the file, device or, with a slash behind it, directory of the run, as far as the text names it.
    """

    line: int
    facts: dict[str, Param] = field(default_factory=dict)
    cells: list[RunValue] = field(default_factory=list)
    ended: bool = False
    failure: str = "this run has no such number"
    place: str = ""


def keep(collector: Collector, runs: Sequence[ToolRun]) -> dict[str, Param]:
    """Hand all values to the collector and return the facts that all runs share.

    Runs with the same facts stay in step: a number that one of them lacks is None there. If the facts that differ would
    not fit into params, ``{"run": number}`` replaces them, counted from 1.
    """
    for run in runs:
        _check(run)
    facts = [_facts(run) for run in runs]
    shared = _shared(facts)
    apart, by_number = _facts_apart(collector, runs, facts, shared)
    numbers: dict[ResultKey, int] = {}  # of each key, which take less time and memory than many equal keys
    keys = [
        [numbers.setdefault(key, len(numbers)) for key in _keys(run, params, None if by_number else shared)]
        for run, params in zip(runs, apart)
    ]
    lacking = _lacking(collector, [params_key(params) for params in apart], keys)
    gathered = list(map(collector.cells_at, numbers))
    for run, of_run, missing in zip(runs, keys, lacking):
        for number, value in zip(of_run, run.cells):
            _take(gathered[number], value)
        for number in missing:
            gathered[number].add_none(run.line, run.failure, FAILED)
    return shared


def _check(run: ToolRun) -> None:
    """Clean the texts among the facts for the database. Raises FormatError for threads that no machine has."""
    for cell in run.cells:
        if cell.threads is not None and cell.threads > _MOST_THREADS:
            raise FormatError(f"{cell.threads} threads are more than any machine starts", cell.line)
    run.facts.update(_cleaned(run.facts))
    shared = {id(cell.params): cell.params for cell in run.cells}  # by many cells
    shared |= {id(cell.facts): cell.facts for cell in run.cells if cell.more and cell.facts}
    changed = {number: {**texts, **clean} for number, texts in shared.items() if (clean := _cleaned(texts))}
    for cell in run.cells if changed else ():
        cell.params = changed.get(id(cell.params), cell.params)
        if cell.facts:
            cell.facts = changed.get(id(cell.facts), cell.facts)


def _cleaned(facts: Mapping[str, Param]) -> dict[str, Param]:
    """The texts that are not clean, after cleaning."""
    texts = ((name, value) for name, value in facts.items() if isinstance(value, str))
    return {name: clean for name, value in texts if (clean := _clean(value)) != value}


@lru_cache(maxsize=4096)
def _clean(words: str) -> str:
    return _CONTROL.sub(" ", words)[:_LONGEST_FACT].strip() or "-"


def _facts_apart(
    collector: Collector,
    runs: Sequence[ToolRun],
    facts: Sequence[Mapping[str, Param]],
    shared: Mapping[str, Param],
) -> tuple[list[dict[str, Param]], bool]:
    """The params that all results of each run get, and whether these are only the run's number.

    ``facts`` has all facts of each run.
    """
    works = [_work(run, shared) for run in runs]
    others = [_without(of_run, shared) for of_run in facts]
    lengths = [_length_of_own_params(run) for run in runs]
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


def shortened(name: str) -> str:
    """The name of a block or place; of a long one the beginning and its digest."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 9]} {digest(name)}"


def _are_too_long(
    facts: Iterable[Mapping[str, Param]], works: Iterable[Mapping[str, Param]], lengths: Iterable[int]
) -> bool:
    """Whether the params of any run's results would be longer than the contract takes."""
    return any(
        _may_be_longer(params := {**of_run, **work}, _LONGEST_PARAMS - longest)
        and _length_of(params_key(params)) + longest > _LONGEST_PARAMS
        for of_run, work, longest in zip(facts, works, lengths)
    )


def _may_be_longer(params: Mapping[str, Param], than: int) -> bool:
    """False if the JSON of params, which have no control characters, is surely not longer; it takes a while to make."""
    printed = str(params)
    return not printed.isascii() or 2 * len(printed) > than


@lru_cache(maxsize=4096)
def _length_of(params: tuple[tuple[str, Param], ...]) -> int:
    return len(json.dumps(dict(params)))


def _length_of_own_params(run: ToolRun) -> int:
    """The greatest length of the params of a run's cells, as JSON; 0 if it has no cells."""
    distinct = {id(cell.params): cell.params for cell in run.cells if cell.params}  # cells of a row share them
    own = max((_length_of(params_key(params)) for params in distinct.values()), default=0)
    return own or len("{}") * bool(run.cells)


def _lacking(
    collector: Collector, groups: Sequence[tuple[tuple[str, Param], ...]], keys: Sequence[Sequence[int]]
) -> list[list[int]]:
    """For each run, the keys that other runs of its group have and this one lacks."""
    of_group: dict[tuple[tuple[str, Param], ...], dict[int, None]] = {}
    for group, of_run in zip(groups, keys):
        of_group.setdefault(group, {}).update(dict.fromkeys(of_run))
    count = sum(len(of_group[group]) for group in groups)
    if count > _MOST_LACKING * (sum(map(len, keys)) + 100):  # else a text of many odd runs would take all the memory
        collector.warn("the runs have so different numbers of values that these cannot be matched")
        return [[] for _ in groups]
    return [_missing(of_group[group], frozenset(of_run)) for group, of_run in zip(groups, keys)]


def _missing(wanted: Collection[int], present: frozenset[int]) -> list[int]:
    """Those that are wanted and not present; all that are present are wanted."""
    return [] if len(wanted) == len(present) else [number for number in wanted if number not in present]


def _facts(run: ToolRun) -> Mapping[str, Param]:
    of_cells = [cell.facts for cell in run.cells if cell.more and cell.facts]
    if not of_cells:
        return run.facts  # itself: a text may have 100,000 runs
    facts = dict(run.facts)
    for of_cell in of_cells:
        facts.update(of_cell)
    return facts


def _shared(facts: Sequence[Mapping[str, Param]]) -> dict[str, Param]:
    shared = dict(facts[0]) if facts else {}
    for others in facts[1:]:
        for name in [name for name, value in shared.items() if others.get(name) != value]:
            del shared[name]
    return shared


def _without(facts: Mapping[str, Param], shared: Mapping[str, Param]) -> dict[str, Param]:
    return {name: value for name, value in facts.items() if name not in shared}


def _keys(run: ToolRun, apart: Mapping[str, Param], shared: Mapping[str, Param] | None) -> Iterator[ResultKey]:
    """The key of each value of a run. Without ``shared``, the facts of single values are not in their params."""
    is_plain = apart.keys().isdisjoint(_DIMENSIONS)
    plain = {id(NOTHING): params_key(apart)}  # by the identity of a cell's own params, which cells of a row share
    for cell in run.cells:
        sizes = cell.file_size, cell.record_size, cell.threads
        own = _without(cell.facts or {}, shared) if cell.more and shared is not None else None
        if is_plain and not own:
            params = plain.get(id(cell.params)) or plain.setdefault(
                id(cell.params), params_key({**apart, **cell.params})
            )
        else:
            params = params_key({**_not_repeated({**apart, **(own or {})}, sizes), **cell.params})
        yield ResultKey(cell.test, cell.metric, *sizes, params)


def _not_repeated(facts: dict[str, Param], sizes: tuple[int | None, int | None, int | None]) -> dict[str, Param]:
    """The facts without those that repeat a value's file size, record size or threads."""
    for name, size in zip(_DIMENSIONS, sizes):
        if size is not None and facts.get(name) == size:
            del facts[name]
    return facts


def _take(cells: GatheredValues, cell: RunValue) -> None:
    if cell.value is None:
        cells.add_none(cell.line, cell.error, cell.status)
        return
    cells.add(cell.value, cell.line)
    if cell.more:
        if cell.evidence:
            cells.add_evidence(cell.evidence)
        if cell.histogram:
            cells.histograms[cell.line] = cell.histogram
