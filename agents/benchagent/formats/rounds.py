"""Merges the results of a run's rounds into the rows of a result document, for the agent and for the server.

``values[i]`` and its entry in ``source`` belong to round i. A failed round gives no values, not even those that its
tool printed before the failure (docs/result-format.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .model import FAILED, KEY_COLUMNS, OK, RESULT_COLUMNS, UNMEASURABLE, Parsed, Result, ResultKey

LONGEST_ERROR = 4000  # characters; the contract takes 4096

ResultRow = dict[str, Any]


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


def key_of(row: Mapping[str, Any]) -> ResultKey:
    """The key of a row within its run. In params, 1 equals 1.0 and differs from true, as in the database."""
    return _normalised(*(row[name] for name in KEY_COLUMNS))


def _normalised(
    test: str,
    metric: str,
    file_size: int | None,
    record_size: int | None,
    threads: int | None,
    params: Mapping[str, Any],
) -> ResultKey:
    texts = sorted((name, repr(float(value) if type(value) is int else value)) for name, value in params.items())
    return ResultKey(test, metric, file_size, record_size, threads, tuple(texts))


def merged(outputs: Iterable[RoundOutput], rounds: int, failed: Mapping[int, str]) -> list[ResultRow]:
    """The rows of a run. ``outputs`` are in the order of the rounds; ``failed`` has the error of each failed round."""
    merging: dict[ResultKey, _MergedResult] = {}
    for output in outputs:
        for index, result in enumerate(output.parsed.results):
            key = _normalised(
                result.test, result.metric, result.file_size, result.record_size, result.threads, result.params
            )
            merged_result = merging.setdefault(
                key, _MergedResult(result, [None] * rounds, [None] * rounds, [None] * rounds)
            )
            if output.round not in failed:
                merged_result.add(output, result, index in output.emptied)
    for round_, error in sorted(failed.items()):
        for merged_result in merging.values():
            merged_result.statuses.add(FAILED)
            merged_result.add_error(round_, error)
    return [merged_result.as_row() for merged_result in merging.values()]


@dataclass
class _MergedResult:
    result: Result
    values: list[float | None]
    artifacts: list[str | None]
    lines: list[int | None]
    statuses: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    evidence: Counter[str] = field(default_factory=Counter)
    emptied: set[bool] = field(default_factory=set)  # whether caches were emptied before, in the rounds that count

    def add(self, output: RoundOutput, result: Result, emptied: bool) -> None:
        self.statuses.add(result.status)
        self.emptied.add(emptied)
        if output.value_index < len(result.lines):
            self.artifacts[output.round], self.lines[output.round] = output.artifact, result.lines[output.value_index]
        if output.value_index < len(result.values):
            self.values[output.round] = result.values[output.value_index]
        if output.value_index == 0:  # evidence and error belong to all values of the text
            self.evidence.update(result.evidence)
            if result.error:
                self.add_error(output.round, result.error)

    def add_error(self, round_: int, error: str) -> None:
        """Keep the reason why a round has no value."""
        self.errors.append(f"round {round_ + 1}: {error}" if len(self.values) > 1 else error)

    def as_row(self) -> ResultRow:
        """The columns of ``RESULT_COLUMNS``, and ``source``: the artifact and line of each value."""
        measured = any(value is not None for value in self.values)
        status = OK if measured else UNMEASURABLE if self.statuses == {UNMEASURABLE} else FAILED
        evidence: ResultRow = {**self.evidence, **({"cache_emptied": True} if self.emptied == {True} else {})}
        return {
            **{name: getattr(self.result, name) for name in RESULT_COLUMNS},
            "params": dict(self.result.params),
            "values": self.values,
            "status": status,
            "error": "\n".join(self.errors)[:LONGEST_ERROR] or (None if status != FAILED else "no round gave a value"),
            "evidence": evidence or None,
            "source": {"artifacts": self.artifacts, "lines": self.lines} if any(self.artifacts) else None,
        }
