"""Checks the results of a document as columns, and gives the columns for the store.

Every rule is a mask over results or values, and the faults are listed from the same masks.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from benchagent.formats.model import Param
from benchagent.formats.uniqueness import Identity, identity, repeated
from benchagent.formats.vocabulary import METRICS
from benchdb.runs.store.result_arrays import ResultArrays

from .arrays import BoolArray, IntArray, integers, quantities
from .columns import SIZES, TEXTS, SentResults
from .faults import MOST_LISTED, Fault
from .field_types import MAX_INTEGER, MAX_QUANTITY
from .histograms import check_histograms
from .result import MAX_INT, MOST_THREADS, TextColumns
from .schema import check_schema

# Params are part of the name of a result, in heads of rows and in addresses.
LONGEST_PARAMS = 500
# Tables have a column for each test, and lists search the main test of every run: thousands slow down other readers.
MOST_TESTS = 1_000
_MOST = {"file_size": MAX_INTEGER, "record_size": MAX_INTEGER, "threads": MOST_THREADS}


def check_results(
    sent: SentResults, rounds: int | None, artifacts: Collection[str]
) -> tuple[ResultArrays | None, list[Fault]]:
    """The columns for the store, None if there are faults, and the faults.

    `rounds` is the number of rounds of the document, `artifacts` are the names of its artifacts; entries of unknown
    artifacts and wrong numbers of values are faults.
    """
    texts, faults = check_schema(
        {name: sent.columns[name] for name in TEXTS}, TextColumns, "benchdb.run/1", sent.locate
    )
    sizes, wrong_sizes = {}, {}
    for name in SIZES:
        sizes[name], wrong_sizes[name] = integers(sent.columns[name], _MOST[name])
    values, wrong_values = quantities(sent.values)
    lines, wrong_lines = integers(sent.lines, MAX_INT)
    source, wrong_source = _sources(sent.columns["source"], len(sent.artifacts))
    for name, wrong in wrong_sizes.items():
        faults += _entries(sent, name, wrong, f"a whole number from 1 to {_MOST[name]}, or null")
    for j in _first(wrong_values):
        expected = f"a finite number from 0 to {MAX_QUANTITY:g}, or null"
        faults.append(Fault(sent.pointer_of_value(j), None, expected))
    for j in _first(wrong_lines):
        expected = f"a line number from 1 to {MAX_INT}, or null"
        faults.append(Fault(sent.pointer_of_line(j), None, expected))
    faults += _entries(sent, "source", wrong_source, "the index of a list in /results/artifacts, or null")
    faults += _between_texts(sent, sizes)
    measured = _any_per_result(~np.isnan(values) | wrong_values, sent.offsets)
    faults += _between_values(sent, measured, rounds)
    histograms, faults_of_histograms = check_histograms(sent, values)
    faults += faults_of_histograms
    if not any(wrong_source):
        faults += islice(_places(sent, source, lines, artifacts, rounds), MOST_LISTED + 1)
    if texts is None or faults:
        return None, faults
    columns = ResultArrays(
        test=texts.test,
        metric=texts.metric,
        unit=texts.unit,
        file_size=sizes["file_size"],
        record_size=sizes["record_size"],
        threads=sizes["threads"],
        params=_shared(sent.columns["params"]),
        status=texts.status,
        error=texts.error,
        evidence=_as_sent(sent.columns["evidence"]),
        given=_as_sent(sent.columns["summary"]),
        source=source,
        offsets=sent.offsets,
        values=values,
        lines=lines,
        artifacts=_artifact_names(sent.artifacts),
        histograms=histograms,
    )
    return columns, faults


def _shared(entries: Sequence[object]) -> list[Mapping[str, Param]]:
    """The objects of a checked column, one object for all entries that are equal: each is encoded once."""
    known: dict[str, Mapping[str, Param]] = {}
    return [known.setdefault(repr(entry), entry) if isinstance(entry, dict) else {} for entry in entries]


def _as_sent(entries: Sequence[object]) -> list[Mapping[str, float] | None]:
    """The objects of a checked column with the numbers as they were sent: a checked `5` would become `5.0`."""
    return [entry if isinstance(entry, dict) else None for entry in entries]


def _artifact_names(lists: Sequence[object]) -> list[list[str | None]]:
    """The checked lists of names."""
    checked = [names for names in lists if isinstance(names, list)]
    return [[name if isinstance(name, str) else None for name in names] for names in checked]


def _first(mask: BoolArray) -> Iterable[int]:
    """The indices of the first set entries: a document lists at most so many faults."""
    return map(int, np.flatnonzero(mask)[: MOST_LISTED + 1])


def _entries(sent: SentResults, column: str, wrong: BoolArray, expected: str) -> Iterator[Fault]:
    for i in _first(wrong):
        yield Fault(sent.pointer(column, i), None, expected)


def _any_per_result(mask: BoolArray, offsets: IntArray) -> BoolArray:
    """Whether any of the values of each result is set in this mask of all values."""
    totals = np.concatenate(([0], np.cumsum(mask)))
    return totals[offsets[1:]] > totals[offsets[:-1]]


def _sources(entries: Sequence[object], lists: int) -> tuple[IntArray, BoolArray]:
    """The numbers from 0 to `lists` - 1, -1 for null; and a mask of all other entries."""
    taken = (-1 if x is None else x if type(x) is int and 0 <= x < lists else -2 for x in entries)
    numbers = np.fromiter(taken, np.int64, len(entries))
    return np.maximum(numbers, -1), numbers == -2


def _mask(entries: Sequence[object], wanted: Collection[object]) -> BoolArray:
    return np.fromiter(map(wanted.__contains__, entries), bool, len(entries))


def _between_texts(sent: SentResults, sizes: Mapping[str, IntArray]) -> Iterator[Fault]:
    """Metric and unit, lengths of params, the number of tests, and results that are there twice."""
    columns = sent.columns
    pairs = [
        (metric, unit) if isinstance(metric, str) and isinstance(unit, str) else None
        for metric, unit in zip(columns["metric"], columns["unit"], strict=True)
    ]
    wrong = {pair for pair in set(pairs) if pair and (pair[0] not in METRICS or METRICS[pair[0]].unit != pair[1])}
    for i in _first(_mask(pairs, wrong)):
        metric = str(columns["metric"][i])
        if metric not in METRICS:
            yield Fault(sent.pointer("metric", i), None, "one of " + ", ".join(METRICS))
        else:
            yield Fault(sent.pointer("unit", i), None, f"{METRICS[metric].unit}, the base unit of {metric}")
    for i, params in enumerate(columns["params"]):
        if params and isinstance(params, dict) and len(json.dumps(params, ensure_ascii=False)) > LONGEST_PARAMS:
            expected = f"at most {LONGEST_PARAMS} characters of JSON; long texts belong into workload or extra"
            yield Fault(sent.pointer("params", i), None, expected)
    if (tests := len({test for test in columns["test"] if isinstance(test, str)})) > MOST_TESTS:
        yield Fault("/results", None, f"results of at most {MOST_TESTS:,} tests, not {tests:,}")
    for i, first in repeated(_identities(sent, sizes)).items():
        same = "has the same test, metric, sizes, threads and params"
        expected = f"a result measured once; {sent.pointer_of_result(first)} {same}"
        yield Fault(sent.pointer_of_result(i), None, expected)


def _identities(sent: SentResults, sizes: Mapping[str, IntArray]) -> Iterator[Identity]:
    """The identity of each result; one of its own for a result with a wrong test, metric or param."""
    texts = zip(*(sent.columns[name] for name in ("test", "metric", "params")), strict=True)
    numbers = zip(*(sizes[name].tolist() for name in SIZES), strict=True)
    for i, ((test, metric, params), of_result) in enumerate(zip(texts, numbers, strict=True)):
        plain = isinstance(test, str) and isinstance(metric, str) and isinstance(params, dict)
        if plain and not (params and any(isinstance(value, dict | list) for value in params.values())):
            file_size, record_size, threads = of_result
            yield identity(test, metric, file_size, record_size, threads, params)
        else:
            yield (i,)


def _between_values(sent: SentResults, measured: BoolArray, rounds: int | None) -> Iterator[Fault]:
    """Status, error, values and summary of each result, and the number of its values."""
    columns, counts = sent.columns, np.diff(sent.offsets)
    ok, failed = _mask(columns["status"], ("ok",)), _mask(columns["status"], ("failed",))
    summarised, unexplained = ~_mask(columns["summary"], (None,)), _mask(columns["error"], (None,))
    for i in _first((counts > 0) & summarised):
        yield Fault(sent.pointer("summary", i), None, "values or a summary, not both")
    for i in _first(ok & ~summarised & ~measured):
        yield Fault(sent.pointer_of_values(i), None, "at least one value where the status is ok")
    for i in _first(failed & unexplained):
        yield Fault(sent.pointer("error", i), None, "the tool's own words where the status is failed")
    for i in _first(_mask(columns["status"], ("failed", "unmeasurable")) & (measured | summarised)):
        place = sent.pointer_of_values(i) if measured[i] else sent.pointer("summary", i)
        yield Fault(place, None, f"no value where the status is {columns['status'][i]}")
    for i in _first((counts > 0) & (counts != rounds)) if rounds is not None else ():
        expected = f"{rounds} values, one a round (null where the round has none), not {counts[i]}"
        yield Fault(sent.pointer_of_values(i), None, expected)


def _places(
    sent: SentResults, source: IntArray, lines: IntArray, artifacts: Collection[str], rounds: int | None
) -> Iterator[Fault]:
    """Artifacts that the document does not have, and lines without an artifact, or artifacts without a line."""
    length = rounds if rounds is not None else -1
    lists: list[list[object]] = []
    for k, names in enumerate(sent.artifacts):
        if not isinstance(names, list) or (len(names) != length and not sent.as_objects):
            expected = f"a list of {length} names, one a round (null where the round has none)"
            yield Fault(f"/results/artifacts/{k}", None, expected)
            return
        for round_, name in enumerate(names):
            if name is not None and (not isinstance(name, str) or name not in artifacts):
                place = sent.pointer_of_artifact(k, int(np.argmax(source == k)), round_)
                yield Fault(place, None, "an artifact's name")
        if len(names) != length:
            return  # the number of values is wrong as well, and that fault is listed
        lists.append(names)
    named = np.zeros((len(lists) + 1, max(length, 0)), dtype=bool)  # the last row: no raw output
    for k, names in enumerate(lists):
        named[k] = [name is not None for name in names]
    whole = np.flatnonzero(np.diff(sent.offsets) == length)
    if length <= 0 or not len(whole):
        return
    columns = sent.offsets[whole][:, None] + np.arange(length)
    wrong = named[source[whole]] != (lines[columns] > 0)
    for j in map(int, columns[wrong][: MOST_LISTED + 1]):
        if sent.lines[j] is None or lines[j] > 0:  # other entries are no line numbers, which is listed
            yield Fault(sent.pointer_of_line(j), None, "null where the artifact is null, and only there")
