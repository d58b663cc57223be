"""The tests of a gate with the values of both sides, from the rounds measured so far. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchagent.client.gate import GateTest
from benchagent.documents.records import PointRecord
from benchagent.documents.results import merge
from benchagent.formats.rounds import MergedResult
from benchagent.plan.model import PREPARATION, Plan
from benchagent.toml.quantities import format_size

MAIN = ("throughput", "rate", "elapsed", "latency_mean")  # the first of these that a test has is judged


@dataclass(frozen=True)
class SidePair:
    """The records of one workload on one target, on both sides."""

    place: str
    baseline: PointRecord
    candidate: PointRecord

    @property
    def records(self) -> tuple[PointRecord, PointRecord]:
        return self.baseline, self.candidate


def pairs_of(plan: Plan, records: Iterable[PointRecord]) -> list[SidePair]:
    """The pairs of a plan's records. Times of mkfs and mount are recorded, but not judged."""
    baseline = plan.sides[0].name
    found: dict[str, dict[bool, PointRecord]] = {}
    for record in records:
        side, workload = record.point.target.side, record.point.workload
        if side is not None and workload.tool != PREPARATION:
            place = f"{record.point.target.name_of_both_sides}/{workload.name}"
            found.setdefault(place, {})[side.name == baseline] = record
    return [SidePair(place, by_side[True], by_side[False]) for place, by_side in found.items()]


def tests_of(pairs: Iterable[SidePair], metrics: Sequence[str]) -> list[GateTest]:
    """Each test that a side has a value of, with its values; without `metrics`, its main metric."""
    return [test for pair in pairs for test in _tests(pair, metrics)]


def _tests(pair: SidePair, metrics: Sequence[str]) -> Iterator[GateTest]:
    rounds = max(len(record.rounds) for record in pair.records)
    baseline, candidate = (_results(record) for record in pair.records)
    for name in dict.fromkeys([*baseline, *candidate]):
        sides = baseline.get(name, {}), candidate.get(name, {})
        present = [metric for metric in (metrics or MAIN) if any(metric in side for side in sides)]
        for metric in present if metrics else present[:1]:
            values = [list(side[metric].values) if metric in side else [None] * rounds for side in sides]
            named = name if len(metrics) <= 1 else f"{name} {metric}"
            yield GateTest(pair.place, named, metric, *values)


def _results(record: PointRecord) -> Mapping[str, Mapping[str, MergedResult]]:
    """The results of a point by the name of their test and by metric."""
    found: dict[str, dict[str, MergedResult]] = {}
    for result in merge(list(record.rounds), whole=False):
        if any(value is not None for value in result.values):
            found.setdefault(_name(result), {})[result.metric] = result
    return found


def _name(result: MergedResult) -> str:
    """`write, 1 MiB file, 64 KiB records, 4 threads`."""
    sizes = ((result.file_size, "file"), (result.record_size, "records"))
    parts = [f"{format_size(size)} {what}" for size, what in sizes if size is not None]
    parts += [f"{result.threads} threads"] if result.threads is not None and result.threads > 1 else []
    parts += [key if value is True else f"{key} {value}" for key, value in sorted(result.params.items())]
    return ", ".join([result.test, *parts])
