"""Several runs in one text: what they share, and what tells them apart, so that apples never merge with oranges.

For tools that print how a run was set up: facts that all runs share are the text's parameters, and those that differ go
into the params of every result of the run. Runs with the same facts are repetitions: values of the same results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from benchagent.formats.collect import Collector, Key, params_key
from benchagent.formats.model import FAILED, UNMEASURABLE, Param

NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,9})?"
_NUMBER = re.compile(NUMBER)
_LONGEST_FACTS = 400  # characters of JSON; all of a result's params are at most 500


def scaled(printed: str, times: int = 1, over: int = 1) -> float:
    """Printed digits in another unit, rounded once: ``scaled("1.1", 10**6)`` is 1100000.0."""
    return float(Fraction(printed) * times / over)


def is_number(printed: str) -> bool:
    return bool(_NUMBER.fullmatch(printed))


@dataclass
class Cell:
    """One number of a run, in base units; ``value`` is None where ``error`` tells why, with ``status``."""

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
    facts: dict[str, Param] = field(default_factory=dict)  # of this number alone, else as those of its run


@dataclass
class Run:
    """One run: its facts and numbers, the ``line`` it begins in, and whether it ``ended`` as the tool ends one.

    ``failure`` is why it lacks numbers that other runs have, in the tool's words where it gave some.
    """

    line: int
    facts: dict[str, Param] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)
    ended: bool = False
    failure: str = "this run has no such number"


def keep(collector: Collector, runs: Sequence[Run]) -> dict[str, Param]:
    """Hand all cells to the collector and give back the facts that all runs share.

    Runs whose facts are the same stay in step: what one of them lacks is None there. Where the facts that differ would
    not fit into params, ``{"run": place}`` stands for them, counted from 1.
    """
    shared = _shared([_facts(run) for run in runs])
    apart = [{name: value for name, value in _facts(run).items() if name not in shared} for run in runs]
    by_place = any(len(json.dumps(facts)) > _LONGEST_FACTS for facts in apart)
    if by_place:
        collector.warn("the runs differ in so much that their results are told apart by their place only")
    told = [{"run": place} if by_place else _without(run.facts, shared) for place, run in enumerate(runs, start=1)]
    cells = [
        [(_key(cell, own if by_place else {**own, **_without(cell.facts, shared)}), cell) for cell in run.cells]
        for run, own in zip(runs, told)
    ]
    alike: dict[tuple[tuple[str, Param], ...], dict[Key, None]] = {}
    for own, keyed in zip(told, cells):
        alike.setdefault(params_key(own), {}).update(dict.fromkeys(key for key, _ in keyed))
    for run, own, keyed in zip(runs, told, cells):
        for key, cell in keyed:
            _take(collector, key, cell)
        present = {key for key, _ in keyed}
        for key in [key for key in alike[params_key(own)] if key not in present]:
            collector.no_value(key, run.line, run.failure, FAILED)
    return shared


def _facts(run: Run) -> dict[str, Param]:
    facts = dict(run.facts)
    for cell in run.cells:
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


def _key(cell: Cell, apart: Mapping[str, Param]) -> Key:
    params = params_key({**apart, **cell.params})
    return Key(cell.test, cell.metric, cell.file_size, cell.record_size, cell.threads, params)


def _take(collector: Collector, key: Key, cell: Cell) -> None:
    if cell.value is None:
        collector.no_value(key, cell.line, cell.error, cell.status)
    else:
        collector.value(key, cell.value, cell.line, cell.evidence)
