"""The results of a document as they were sent: columns, or a list of objects, which becomes columns here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from .arrays import IntArray, are_integers
from .faults import MISSING, MOST_LISTED, REQUIRED_FIELD, Fault, JsonPath, pointer, shown
from .result import MOST_RESULTS, Result, ResultsAsColumns, TextColumns

REQUIRED = ("test", "metric", "unit")
TEXTS = tuple(TextColumns.model_fields)
SIZES = ("file_size", "record_size", "threads")
UNKNOWN = "no such field in benchdb.run/1; put what it does not know under /extra"
# Represents an entry of the list that is no object, so that the others keep their numbers; it has no other fault.
PLACEHOLDER = {"test": "none", "metric": "elapsed", "unit": "s", "status": "unmeasurable"}
_FIELDS = frozenset(Result.model_fields)
_SOURCE = ("artifacts", "lines")
_DEFAULTS: dict[str, object] = {**dict.fromkeys(REQUIRED, MISSING), "params": {}, "status": "ok"}


@dataclass(frozen=True, slots=True)
class SentResults:
    """R results and their V values, as columns of equal lengths; single entries are not checked yet.

    `columns` has `TEXTS`, `SIZES` and `source`, each of R entries. `lines` has an entry for each value.
    """

    columns: Mapping[str, list[object]]
    offsets: IntArray
    values: list[object]
    lines: list[object]
    artifacts: list[object]
    as_objects: bool

    def __len__(self) -> int:
        return len(self.columns["test"])

    def pointer(self, column: str, i: int, *inner: str | int) -> str:
        """The JSON Pointer of an entry of result i."""
        return pointer("results", i, column, *inner) if self.as_objects else pointer("results", column, i, *inner)

    def locate(self, path: JsonPath) -> str:
        """The JSON Pointer of a path that begins with a column and an entry."""
        column, *inner = path
        return self.pointer(str(column), int(inner[0]), *inner[1:]) if inner else pointer("results", column)

    def pointer_of_value(self, j: int) -> str:
        """The JSON Pointer of `values[j]`."""
        return self._pointer_of(j, "values")

    def pointer_of_line(self, j: int) -> str:
        """The JSON Pointer of `lines[j]`."""
        return self._pointer_of(j, "source", "lines") if self.as_objects else pointer("results", "lines", j)

    def pointer_of_artifact(self, k: int, i: int, round_: int) -> str:
        """The JSON Pointer of the artifact of a round in the list `artifacts[k]`, which is that of result i."""
        if not self.as_objects:
            return pointer("results", "artifacts", k, round_)
        return pointer("results", i, "source", "artifacts", round_)

    def pointer_of_result(self, i: int) -> str:
        """The JSON Pointer of result i, or of its test if the results are columns."""
        return pointer("results", i) if self.as_objects else pointer("results", "test", i)

    def pointer_of_values(self, i: int) -> str:
        """The JSON Pointer of all values of result i; in columns, of their end."""
        return pointer("results", i, "values") if self.as_objects else pointer("results", "offsets", i + 1)

    def _pointer_of(self, j: int, *names: str) -> str:
        if not self.as_objects:
            return pointer("results", *names, j)
        i = int(np.searchsorted(self.offsets, j, side="right")) - 1
        return pointer("results", i, *names, j - int(self.offsets[i]))


def sent_results(raw: object) -> tuple[SentResults | None, list[Fault]]:
    """The results in either form, and the faults of the form. None if entries and results cannot be told apart."""
    if isinstance(raw, list):
        return _from_objects(raw)
    if isinstance(raw, dict):
        return _from_columns(raw)
    return None, [Fault("/results", shown(raw), "an object of columns, or a list of results")]


def _from_objects(raw: list[object]) -> tuple[SentResults | None, list[Fault]]:
    if not 1 <= len(raw) <= MOST_RESULTS:
        return None, [Fault("/results", shown(raw), f"1 to {MOST_RESULTS:,} results")]
    objects = _Objects()
    return objects.take(raw), objects.faults


@dataclass
class _Objects:
    """Turns a list of objects into columns."""

    columns: dict[str, list[object]] = field(default_factory=lambda: {name: [] for name in (*TEXTS, *SIZES, "source")})
    ends: list[int] = field(default_factory=lambda: [0])
    values: list[object] = field(default_factory=list)
    lines: list[object] = field(default_factory=list)
    artifacts: list[object] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)  # indices in `artifacts` by the text of the list
    faults: list[Fault] = field(default_factory=list)

    def take(self, results: list[object]) -> SentResults:
        for i, result in enumerate(results):
            if len(self.faults) > MOST_LISTED:
                break
            if isinstance(result, dict):
                self._take(i, result)
            else:
                self.faults.append(Fault(pointer("results", i), shown(result), "an object"))
                self._take(i, {**PLACEHOLDER, "file_size": i + 1})
        offsets = np.array(self.ends, dtype=np.int64)
        return SentResults(self.columns, offsets, self.values, self.lines, self.artifacts, as_objects=True)

    def _take(self, i: int, result: Mapping[str, object]) -> None:
        self.faults += _unknown(result, _FIELDS, i)
        for name in (*TEXTS, *SIZES):
            self.columns[name].append(result.get(name, _DEFAULTS.get(name)))
        values = result.get("values")
        if not isinstance(values, list | None):
            self.faults.append(Fault(pointer("results", i, "values"), shown(values), "a list of numbers and null"))
        taken = values if isinstance(values, list) else []
        self.values += taken
        self.ends.append(len(self.values))
        source = result.get("source")
        faults = [] if source is None else list(_faults_of_source(i, source, len(taken)))
        self.faults += faults
        self._take_source(None if faults else source, len(taken))

    def _take_source(self, source: object, count: int) -> None:
        if not isinstance(source, dict) or not count:
            self.lines += [None] * count
            self.columns["source"].append(None)
            return
        self.lines += source["lines"]
        number = self.numbers.setdefault(repr(source["artifacts"]), len(self.artifacts))
        if number == len(self.artifacts):
            self.artifacts.append(source["artifacts"])
        self.columns["source"].append(number)


def _unknown(of: Mapping[str, object], known: Collection[str], *path: str | int) -> Iterator[Fault]:
    """Faults of the fields that are not known, as many as a document lists."""
    unknown = (name for name in of if name not in known)
    for name in islice(unknown, MOST_LISTED + 1):
        yield Fault(pointer("results", *path, name), shown(of[name]), UNKNOWN)


def _faults_of_source(i: int, source: object, count: int) -> Iterator[Fault]:
    if not isinstance(source, dict):
        yield Fault(pointer("results", i, "source"), shown(source), "an object")
        return
    yield from _unknown(source, _SOURCE, i, "source")
    for name in _SOURCE:
        column = source.get(name)
        if name not in source:
            yield Fault(pointer("results", i, "source", name), None, REQUIRED_FIELD)
        elif not isinstance(column, list):
            yield Fault(pointer("results", i, "source", name), shown(column), "a list")
        elif len(column) != count:
            expected = f"{count} items, one a value, not {len(column)}"
            yield Fault(pointer("results", i, "source", name), shown(column), expected)


def _from_columns(raw: Mapping[str, object]) -> tuple[SentResults | None, list[Fault]]:
    known = ResultsAsColumns.model_fields
    faults = [*_unknown(raw, known)]
    required = (*REQUIRED, "offsets", "values")
    faults += [Fault(pointer("results", name), None, REQUIRED_FIELD) for name in required if name not in raw]
    lists: dict[str, list[object]] = {}
    for name, column in raw.items():
        if isinstance(column, list):
            lists[name] = column
        elif name in known:
            faults.append(Fault(pointer("results", name), shown(column), "a list"))
    if faults:
        return None, faults
    count, values, starts = len(lists["test"]), lists["values"], lists["offsets"]
    columns = {name: lists.get(name, [_DEFAULTS.get(name)] * count) for name in (*TEXTS, *SIZES, "source")}
    lines = lists.get("lines", [None] * len(values))
    faults = list(_faults_of_lengths(columns, lines, starts, len(values)))
    if faults:
        return None, faults
    offsets, artifacts = np.array(starts, dtype=np.int64), lists.get("artifacts", [])
    return SentResults(columns, offsets, values, lines, artifacts, as_objects=False), []


def _faults_of_lengths(
    columns: Mapping[str, list[object]], lines: list[object], offsets: list[object], values: int
) -> Iterator[Fault]:
    """Faults that keep entries from being told apart: lengths, and offsets that do not cut the values into pieces."""
    count = len(columns["test"])
    if not 1 <= count <= MOST_RESULTS:
        yield Fault("/results/test", shown(columns["test"]), f"1 to {MOST_RESULTS:,} results")
    for name, column in columns.items():
        if len(column) != count:
            expected = f"{count} entries, as many as /results/test has, not {len(column)}"
            yield Fault(pointer("results", name), shown(column), expected)
    if len(lines) != values:
        yield Fault("/results/lines", shown(lines), f"{values} entries, one a value, not {len(lines)}")
    if not are_integers(offsets) or len(offsets) != count + 1:
        yield Fault("/results/offsets", shown(offsets), f"{count + 1} whole numbers, one more than results")
    elif offsets[0] != 0 or offsets[-1] != values or sorted(offsets) != offsets:
        yield Fault("/results/offsets", shown(offsets), f"numbers from 0 to {values}, the number of values, rising")
