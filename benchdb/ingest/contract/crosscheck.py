"""Rules between several fields, which a schema of single fields cannot express.

These functions read the raw JSON, not the checked document, so that their faults are reported together with those of
the schema. They skip values of wrong types, which the schema reports.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from benchagent.formats.vocabulary import METRICS

from .faults import Fault, pointer, shown
from .json_text import Raw

# Params are part of the name of a result, in heads of rows and in addresses.
LONGEST_PARAMS = 500
# Tables have a column for each test, and lists search the main test of every run: thousands slow down other readers.
MOST_TESTS = 1_000
_SIZES = ("test", "metric", "file_size", "record_size", "threads")
_AS_THEY_ARE = frozenset((str, int, type(None)))


def crosscheck(raw: Raw, run_id: UUID | None = None) -> Iterator[Fault]:
    """All faults between fields, in the document's order, and between the document and the id it is sent under."""
    yield from _identity(raw, run_id)
    yield from _times(raw)
    yield from _tests(raw)
    yield from _results(raw)
    yield from _artifacts(raw)


def _objects(raw: Raw, key: str) -> list[tuple[int, Raw]]:
    items = raw.get(key)
    return [(i, item) for i, item in enumerate(items) if isinstance(item, dict)] if isinstance(items, list) else []


def _identity(raw: Raw, expected: UUID | None) -> Iterator[Fault]:
    try:
        run_id = UUID(raw["run_id"])
    except (KeyError, ValueError, TypeError, AttributeError):
        return  # the schema reports it
    if run_id.version != 7:
        yield Fault("/run_id", raw["run_id"], "a UUID of version 7 (RFC 9562), made by the agent")
    elif expected not in (None, run_id):
        yield Fault("/run_id", raw["run_id"], f"the id in the address, {expected}")


def _times(raw: Raw) -> Iterator[Fault]:
    try:
        started, finished = (datetime.fromisoformat(raw[key]) for key in ("started_at", "finished_at"))
        backwards = finished < started
    except (KeyError, ValueError, TypeError):
        return  # the schema reports it
    if backwards:
        yield Fault("/finished_at", raw["finished_at"], f"a time not before started_at, {raw['started_at']}")


def _tests(raw: Raw) -> Iterator[Fault]:
    tests = {test for _, result in _objects(raw, "results") if isinstance(test := result.get("test"), str)}
    if len(tests) > MOST_TESTS:
        expected = f"results of at most {MOST_TESTS:,} tests, not {len(tests):,}"
        yield Fault("/results", shown(raw["results"]), expected)


def _results(raw: Raw) -> Iterator[Fault]:
    rounds = raw.get("rounds")
    names = {name for _, item in _objects(raw, "artifacts") if isinstance(name := item.get("name"), str)}
    seen: dict[object, int] = {}
    number = len(rounds) if isinstance(rounds, list) else None
    for i, result in _objects(raw, "results"):
        if not _is_plain(result, number):
            yield from _unit(i, result)
            yield from _params(i, result)
            yield from _status(i, result)
            yield from _values(i, result, number)
            yield from _source(i, result, names)
        first = seen.setdefault(_key(result), i)
        if first != i:
            expected = f"a result measured once; /results/{first} has the same test, metric, sizes, threads and params"
            yield Fault(pointer("results", i), shown(result), expected)


def _is_plain(result: Raw, rounds: int | None) -> bool:
    """Whether the result is measured in every round and has neither params nor a source, as nearly all results.

    The functions below find no fault in such a result; they take ten times as long.
    """
    try:
        values = result["values"]
        return (
            METRICS[result["metric"]].unit == result["unit"]
            and not result.get("params")
            and result.get("status", "ok") == "ok"
            and result.get("summary") is None
            and len(values) == rounds
            and type(values) is list
            and None not in values
            and bool(values)
            and not result.get("source")
        )
    except (KeyError, TypeError):
        return False


def _key(result: Raw) -> tuple[object, ...]:
    """The identity of a result in its run. Numbers compare as in PostgreSQL's jsonb: 1 and 1.0 are equal."""
    params = result.get("params")
    sizes = tuple(map(result.get, _SIZES))
    if not _AS_THEY_ARE.issuperset(map(type, sizes)):
        sizes = tuple(map(_scalar, sizes))
    if not params or not isinstance(params, dict):
        return sizes
    return (*sizes, *((name, _scalar(value)) for name, value in sorted(params.items())))


def _scalar(value: Any) -> object:
    if type(value) in _AS_THEY_ARE:
        return value
    return Decimal(repr(value)) if type(value) is float else (json.dumps(value),)  # True == 1, but not here


def _unit(i: int, result: Raw) -> Iterator[Fault]:
    metric, unit = result.get("metric"), result.get("unit")
    if not isinstance(metric, str):
        return
    if metric not in METRICS:
        yield Fault(pointer("results", i, "metric"), shown(metric), "one of " + ", ".join(METRICS))
    elif unit != METRICS[metric].unit:
        expected = f"{METRICS[metric].unit}, the base unit of {metric}"
        yield Fault(pointer("results", i, "unit"), shown(unit), expected)


def _params(i: int, result: Raw) -> Iterator[Fault]:
    params = result.get("params")
    if isinstance(params, dict) and len(json.dumps(params, ensure_ascii=False)) > LONGEST_PARAMS:
        expected = f"at most {LONGEST_PARAMS} characters of JSON; long texts belong into workload or extra"
        yield Fault(pointer("results", i, "params"), shown(params), expected)


def _status(i: int, result: Raw) -> Iterator[Fault]:
    status, values, summary = result.get("status", "ok"), result.get("values"), result.get("summary")
    measured = isinstance(values, list) and any(value is not None for value in values)
    if values is not None and summary is not None:
        yield Fault(pointer("results", i, "summary"), shown(summary), "values or a summary, not both")
    if status == "ok" and summary is None and not measured and isinstance(values, list | None):
        yield Fault(pointer("results", i, "values"), shown(values), "at least one value where the status is ok")
    if status == "failed" and result.get("error") is None:
        yield Fault(pointer("results", i, "error"), None, "the tool's own words where the status is failed")
    if status in ("failed", "unmeasurable") and (measured or summary is not None):
        path = pointer("results", i, "values" if measured else "summary")
        yield Fault(path, shown(values if measured else summary), f"no value where the status is {status}")


def _values(i: int, result: Raw, rounds: int | None) -> Iterator[Fault]:
    values = result.get("values")
    if isinstance(values, list) and rounds is not None and len(values) != rounds:
        expected = f"{rounds} values, one a round (null where the round has none), not {len(values)}"
        yield Fault(pointer("results", i, "values"), shown(values), expected)


def _source(i: int, result: Raw, names: set[str]) -> Iterator[Fault]:
    source, values = result.get("source"), result.get("values")
    if not isinstance(source, dict):
        return
    artifacts, lines = source.get("artifacts"), source.get("lines")
    if not (isinstance(artifacts, list) and isinstance(lines, list)):
        return
    number = len(values) if isinstance(values, list) else len(artifacts)
    for name, column in (("artifacts", artifacts), ("lines", lines)):
        if len(column) != number:
            expected = f"{number} items, one a value, not {len(column)}"
            yield Fault(pointer("results", i, "source", name), shown(column), expected)
    for j, (artifact, line) in enumerate(zip(artifacts, lines, strict=False)):
        if isinstance(artifact, str) and artifact not in names:
            yield Fault(pointer("results", i, "source", "artifacts", j), shown(artifact), "an artifact's name")
        if (artifact is None) != (line is None):
            expected = "null where the artifact is null, and only there"
            yield Fault(pointer("results", i, "source", "lines", j), shown(line), expected)


def _artifacts(raw: Raw) -> Iterator[Fault]:
    seen: set[str] = set()
    for i, artifact in _objects(raw, "artifacts"):
        name, data = artifact.get("name"), artifact.get("data")
        if isinstance(name, str) and name in seen:
            yield Fault(pointer("artifacts", i, "name"), shown(name), "a name that no other artifact has")
        elif isinstance(name, str):
            seen.add(name)
        if not isinstance(data, str):
            continue
        try:
            content = decode(artifact.get("encoding", "utf-8"), data)
        except ValueError as error:
            yield Fault(pointer("artifacts", i, "data"), shown(data), f"{artifact.get('encoding')} text: {error}")
            continue
        actual = hashlib.sha256(content).hexdigest()
        if artifact.get("sha256") != actual:
            yield Fault(
                pointer("artifacts", i, "sha256"), shown(artifact.get("sha256")), f"the data's own digest, {actual}"
            )


def decode(encoding: str, data: str) -> bytes:
    """The bytes of an artifact. Raises ValueError if the data are not valid in this encoding."""
    if encoding == "base64":
        try:
            return base64.b64decode(data, validate=True)
        except binascii.Error as error:
            raise ValueError(str(error)) from None
    return data.encode()
