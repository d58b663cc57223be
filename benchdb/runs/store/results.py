"""Writes the results of a parse with binary COPY, in one round trip, and reads them back as columns."""

from __future__ import annotations

from base64 import b64encode
from itertools import chain
from uuid import UUID

import numpy as np

from benchagent.formats.rounds import MergedResult
from benchdb.runs.models import VALUES, Histogram, Parse, Result
from benchdb.stats import optional

from . import binary_copy as fields
from .copy_in import copy_in
from .packed_quantities import packed
from .result_arrays import FloatArray, IntArray, ResultArrays

_TEXTS = ("test", "metric", "unit", "status", "error")
_SIZES = {"file_size": ">i8", "record_size": ">i8", "threads": ">i4"}
_OBJECTS = ("params", "evidence", "given")


def store_parse(run_id: UUID, number: int, parser_version: str, ordinals: IntArray, results: ResultArrays) -> None:
    """Write a parse of a run with its results inside the caller's transaction; `ordinals` (R,) are their places."""
    sources = [list(names) for names in results.artifacts]
    dimensions, codes = packed(ordinals, results)
    Parse.objects.create(
        run_id=run_id,
        number=number,
        parser_version=parser_version,
        sources=sources or None,
        dimensions=dimensions,
        codes=codes,
    )
    names, text = copy_text(run_id, number, ordinals, results)
    with copy_in(f"COPY runs_result ({', '.join(names)}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.write(text)
    Histogram.objects.bulk_create(
        Histogram(run_id=run_id, parse=number, ordinal=ordinal, packed=list(packed))
        for ordinal, packed in zip(ordinals.tolist(), results.histograms, strict=True)
        if packed
    )


def copy_text(run_id: UUID, number: int, ordinals: IntArray, results: ResultArrays) -> tuple[list[str], bytes]:
    """The names of the columns, and the whole text of the COPY."""
    columns = _columns(run_id, number, ordinals, results)
    return list(columns), fields.rows(list(columns.values()))


def _columns(
    run_id: UUID, number: int, ordinals: IntArray, results: ResultArrays
) -> dict[str, fields.Fields | tuple[fields.Fields, ...]]:
    rows, offsets = len(results), results.offsets
    measured = np.diff(offsets) > 0
    single = _per_result(_is_single(results.values), offsets)
    no_value, no_line = np.isnan(results.values), results.lines == 0
    line, differ = _lines(results)
    return {
        "run_id": fields.constant(run_id.bytes, rows),
        "parse": fields.constant(number.to_bytes(2), rows),
        "ordinal": fields.numbers(ordinals, ">i4"),
        **{name: fields.texts(getattr(results, name)) for name in _TEXTS},
        **{
            name: fields.numbers(column := getattr(results, name), dtype, column == 0) for name, dtype in _SIZES.items()
        },
        **{name: fields.objects(getattr(results, name)) for name in _OBJECTS},
        "values": fields.arrays(results.values, offsets, ">f8", measured & ~single, no_value),
        "singles": fields.arrays(results.values, offsets, ">f4", measured & single, no_value),
        "source": fields.numbers(results.source, ">i4", results.source < 0),
        "line": fields.numbers(line, ">i4", line == 0),
        "lines": fields.arrays(results.lines, offsets, ">i4", differ, no_line),
    }


def _is_single(values: FloatArray) -> fields.BoolArray:
    """Whether four bytes hold each value exactly."""
    with np.errstate(over="ignore"):
        return np.asarray((values.astype(np.float32).astype(np.float64) == values) | np.isnan(values))


def _per_result(mask: fields.BoolArray, offsets: IntArray) -> fields.BoolArray:
    """Whether this mask of values is set for all values of each result."""
    unset = np.concatenate(([0], np.cumsum(~mask)))
    return np.asarray(unset[offsets[1:]] == unset[offsets[:-1]])


def _lines(results: ResultArrays) -> tuple[IntArray, fields.BoolArray]:
    """The line that all values of a result with a line share (R,), else 0; and whether the lines of a result differ."""
    given = results.lines > 0
    counts = np.diff(results.offsets)
    owner = np.repeat(np.arange(len(counts)), counts)[given]
    least, most = np.full(len(counts), np.iinfo(np.int64).max), np.zeros(len(counts), dtype=np.int64)
    np.minimum.at(least, owner, results.lines[given])
    np.maximum.at(most, owner, results.lines[given])
    return np.where(least == most, most, 0), most > least


def stored_results(run_id: UUID, number: int) -> tuple[IntArray, ResultArrays]:
    """The ordinals and the columns of a parse, in order; three queries."""
    sources = Parse.objects.filter(run_id=run_id, number=number).values_list("sources", flat=True).get() or []
    names = (*_TEXTS, *_SIZES, *_OBJECTS, "source", "line", "lines")
    stored = Result.objects.filter(run_id=run_id, parse=number).order_by("ordinal")
    rows = list(stored.values("ordinal", *names, measured=VALUES))
    histograms = stored_histograms(run_id, number)
    values = [row["measured"] or [] for row in rows]
    lines = [_lines_of(row["source"], row["line"], row["lines"], sources, len(row["measured"] or [])) for row in rows]
    texts = {name: [row[name] for row in rows] for name in (*_TEXTS, *_OBJECTS)}
    sizes = {name: np.array([row[name] or 0 for row in rows], dtype=np.int64) for name in _SIZES}
    source = [-1 if row["source"] is None else row["source"] for row in rows]
    columns = ResultArrays(
        test=texts["test"],
        metric=texts["metric"],
        unit=texts["unit"],
        file_size=sizes["file_size"],
        record_size=sizes["record_size"],
        threads=sizes["threads"],
        params=texts["params"],
        status=texts["status"],
        error=texts["error"],
        evidence=texts["evidence"],
        given=texts["given"],
        source=np.array(source, dtype=np.int64),
        offsets=np.cumsum([0, *map(len, values)]),
        values=np.array(list(chain.from_iterable(values)), dtype=np.float64),
        lines=np.array(list(chain.from_iterable(lines)), dtype=np.int64),
        artifacts=sources,
        histograms=[histograms.get(row["ordinal"]) for row in rows],
    )
    return np.array([row["ordinal"] for row in rows], dtype=np.int64), columns


def stored_histograms(run_id: UUID, number: int) -> dict[int, list[bytes | None]]:
    """The distributions of a parse by the ordinal of their result; one query."""
    stored = Histogram.objects.filter(run_id=run_id, parse=number).order_by("ordinal").values_list("ordinal", "packed")
    return {ordinal: [None if each is None else bytes(each) for each in packed] for ordinal, packed in stored}


def _lines_of(
    source: int | None, line: int | None, lines: list[int | None] | None, sources: list[list[str | None]], count: int
) -> list[int]:
    if lines is not None:
        return [number or 0 for number in lines]
    if source is None:
        return [0] * count
    return [0 if name is None else line or 0 for name in sources[source]]


def merged_results(results: ResultArrays) -> list[MergedResult]:
    """The same results one by one, as the agent's code has them."""
    ends = zip(results.offsets.tolist(), results.offsets[1:].tolist(), strict=False)
    return [_merged(results, i, slice(*bounds)) for i, bounds in enumerate(ends)]


def _merged(results: ResultArrays, i: int, of_result: slice) -> MergedResult:
    names = results.artifacts[results.source[i]] if results.source[i] >= 0 else ()
    return MergedResult(
        test=results.test[i],
        metric=results.metric[i],
        unit=results.unit[i],
        values=optional(results.values[of_result]),
        file_size=int(results.file_size[i]) or None,
        record_size=int(results.record_size[i]) or None,
        threads=int(results.threads[i]) or None,
        params=dict(results.params[i]),
        status=results.status[i],
        error=results.error[i],
        evidence=dict(results.evidence[i] or {}),
        artifacts=list(names),
        lines=[line or None for line in results.lines[of_result].tolist()] if names else [],
        histograms=[None if packed is None else b64encode(packed).decode() for packed in results.histograms[i] or ()],
    )
