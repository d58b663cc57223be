"""Merges the results of a run's rounds, for the agent and for the server.

``values[i]``, ``artifacts[i]`` and ``lines[i]`` belong to round i. A failed round gives no values, not even those that
its tool printed before the failure (docs/result-format.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

from .model import FAILED, OK, UNMEASURABLE, Param, Parsed, Result
from .uniqueness import Identity, identity

LONGEST_ERROR = 4000  # characters; the contract takes 4096

Evidence = Mapping[str, Union[float, bool]]


@dataclass(frozen=True)
class RoundOutput:
    """The parsed text of one artifact, for one round.

    ``round`` counts from 0. ``value_index`` is the index of the round's value in each result. ``emptied`` has the
    indexes of the results that were measured right after the caches were emptied.
    """

    round: int
    artifact: str
    parsed: Parsed
    value_index: int = 0
    emptied: frozenset[int] = frozenset()


@dataclass(frozen=True)
class MergedResult:
    """One measured quantity of a run.

    ``values``, ``artifacts`` and ``lines`` have one entry for each round; None if the round has no value, or if its
    value is not in raw output. Without raw output ``artifacts`` and ``lines`` are empty. ``histograms`` has the
    distribution of each round, None if the round has none; empty if no round has. ``evidence`` is empty if nothing was
    counted. The other fields are those of ``Result``.
    """

    test: str
    metric: str
    unit: str
    values: Sequence[float | None]
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    params: Mapping[str, Param] = field(default_factory=dict)
    status: str = OK
    error: str | None = None
    evidence: Evidence = field(default_factory=dict)
    artifacts: Sequence[str | None] = ()
    lines: Sequence[int | None] = ()
    histograms: Sequence[str | None] = ()

    @property
    def identity(self) -> Identity:
        """The identity of the result in its run."""
        return identity(self.test, self.metric, self.file_size, self.record_size, self.threads, self.params)


def merged(outputs: Iterable[RoundOutput], rounds: int, failed: Mapping[int, str]) -> list[MergedResult]:
    """The results of a run. ``outputs`` are in order of the rounds; ``failed`` has the error of each failed round."""
    merging: dict[Identity, _Merging] = {}
    for output in outputs:
        for index, result in enumerate(output.parsed.results):
            key = identity(
                result.test, result.metric, result.file_size, result.record_size, result.threads, result.params
            )
            merging_result = merging.setdefault(key, _Merging.of(result, rounds))
            if output.round not in failed:
                merging_result.add(output, result, index in output.emptied)
    for round_, error in sorted(failed.items()):
        for merging_result in merging.values():
            merging_result.statuses.add(FAILED)
            merging_result.add_error(round_, error)
    return [merging_result.merged() for merging_result in merging.values()]


@dataclass
class _Merging:
    result: Result
    values: list[float | None]
    artifacts: list[str | None]
    lines: list[int | None]
    histograms: list[str | None]
    statuses: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    evidence: Counter[str] = field(default_factory=Counter)
    emptied: set[bool] = field(default_factory=set)  # whether caches were emptied before, in the rounds that count

    @classmethod
    def of(cls, result: Result, rounds: int) -> _Merging:
        return cls(result, [None] * rounds, [None] * rounds, [None] * rounds, [None] * rounds)

    def add(self, output: RoundOutput, result: Result, emptied: bool) -> None:
        self.statuses.add(result.status)
        self.emptied.add(emptied)
        if output.value_index < len(result.lines):
            self.artifacts[output.round], self.lines[output.round] = output.artifact, result.lines[output.value_index]
        if output.value_index < len(result.values):
            self.values[output.round] = result.values[output.value_index]
        if output.value_index < len(result.histograms):
            self.histograms[output.round] = result.histograms[output.value_index]
        if output.value_index == 0:  # evidence and error belong to all values of the text
            self.evidence.update(result.evidence)
            if result.error:
                self.add_error(output.round, result.error)

    def add_error(self, round_: int, error: str) -> None:
        """Keep the reason why a round has no value."""
        self.errors.append(f"round {round_ + 1}: {error}" if len(self.values) > 1 else error)

    def merged(self) -> MergedResult:
        measured = any(value is not None for value in self.values)
        status = OK if measured else UNMEASURABLE if self.statuses == {UNMEASURABLE} else FAILED
        from_output = any(self.artifacts)
        return MergedResult(
            test=self.result.test,
            metric=self.result.metric,
            unit=self.result.unit,
            values=self.values,
            file_size=self.result.file_size,
            record_size=self.result.record_size,
            threads=self.result.threads,
            params=dict(self.result.params),
            status=status,
            error="\n".join(self.errors)[:LONGEST_ERROR] or (None if status != FAILED else "no round gave a value"),
            evidence={**self.evidence, **({"cache_emptied": True} if self.emptied == {True} else {})},
            artifacts=self.artifacts if from_output else [],
            lines=self.lines if from_output else [],
            histograms=self.histograms if any(self.histograms) else [],
        )
