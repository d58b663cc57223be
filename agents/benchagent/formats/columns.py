"""The results of a run as columns, the form that documents carry (docs/result-format.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Optional, TypedDict, cast

from .model import OK, Param
from .rounds import Evidence, MergedResult

# The columns that a merged result has under the same names, with the same values.
PLAIN = ("test", "metric", "unit", "file_size", "record_size", "threads", "status", "error")


class ResultsJson(TypedDict, total=False):
    """The `results` of a document: the columns of `ResultColumns`, without those that hold nothing."""

    test: list[str]
    metric: list[str]
    unit: list[str]
    file_size: list[int | None]
    record_size: list[int | None]
    threads: list[int | None]
    params: list[dict[str, Param]]
    status: list[str]
    error: list[str | None]
    evidence: list[Evidence | None]
    histograms: list[list[str | None] | None]
    source: list[int | None]
    offsets: list[int]
    values: list[float | None]
    lines: list[int | None]
    artifacts: list[list[str | None]]


@dataclass
class ResultColumns:
    """R results as lists with one entry each, and their V values in two long lists.

    The values of result i are ``values[offsets[i]:offsets[i + 1]]``, one for each round, None if the round has none.
    ``histograms[i]`` has the distribution of each round, None if no round has one.
    ``lines`` has a line number for each value, counted from 1. ``artifacts`` are lists with the name of one artifact
    for each round; ``source[i]`` is the index of the list that the lines of result i refer to, None if its values come
    from no raw output. Sizes are bytes; values are in ``unit``.
    """

    test: list[str] = field(default_factory=list)
    metric: list[str] = field(default_factory=list)
    unit: list[str] = field(default_factory=list)
    file_size: list[int | None] = field(default_factory=list)
    record_size: list[int | None] = field(default_factory=list)
    threads: list[int | None] = field(default_factory=list)
    params: list[dict[str, Param]] = field(default_factory=list)
    status: list[str] = field(default_factory=list)
    error: list[str | None] = field(default_factory=list)
    evidence: list[Evidence | None] = field(default_factory=list)
    histograms: list[list[str | None] | None] = field(default_factory=list)
    source: list[int | None] = field(default_factory=list)
    offsets: list[int] = field(default_factory=lambda: [0])
    values: list[float | None] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)
    artifacts: list[list[str | None]] = field(default_factory=list)

    @classmethod
    def of(cls, results: Iterable[MergedResult]) -> ResultColumns:
        """The columns of these results, in order."""
        columns, numbers = cls(), dict[tuple[Optional[str], ...], int]()
        for result in results:
            columns._add(result, numbers)
        columns.artifacts = [list(names) for names in numbers]
        return columns

    def _add(self, result: MergedResult, numbers: dict[tuple[str | None, ...], int]) -> None:
        for name in PLAIN:
            getattr(self, name).append(getattr(result, name))
        self.params.append(dict(result.params))
        self.evidence.append(dict(result.evidence) or None)
        self.histograms.append(list(result.histograms) or None)
        names = tuple(result.artifacts)
        self.source.append(numbers.setdefault(names, len(numbers)) if names else None)
        self.values += result.values
        self.lines += result.lines or [None] * len(result.values)
        self.offsets.append(len(self.values))

    def as_json(self) -> ResultsJson:
        """The ``results`` of a document, without columns that hold nothing but their default."""
        defaults = {"params": {}, "status": OK}
        columns = {
            name: column
            for name, column in vars(self).items()
            if name in ("offsets", "values") or any(entry != defaults.get(name) for entry in column)
        }
        return cast("ResultsJson", columns)
