"""Rules that hold between fields, which a schema of single fields cannot say.

These functions read the raw JSON, not the checked document, so that their faults are found together with those of the
schema; whatever has the wrong type is passed over here, because the schema already reports it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from benchagent.formats.vocabulary import METRICS

from .faults import Fault, pointer, shown

Raw = dict[str, Any]


def crosscheck(raw: Raw) -> Iterator[Fault]:
    """All faults between fields, in the document's order."""
    yield from _identity(raw)
    yield from _results(raw)
    yield from _artifacts(raw)
    yield from _text(raw)


def _objects(raw: Raw, key: str) -> list[tuple[int, Raw]]:
    items = raw.get(key)
    return [(i, item) for i, item in enumerate(items) if isinstance(item, dict)] if isinstance(items, list) else []


def _identity(raw: Raw) -> Iterator[Fault]:
    try:
        run_id = UUID(raw["run_id"])
    except (KeyError, ValueError, TypeError, AttributeError):
        pass  # the schema reports it
    else:
        if run_id.version != 7:
            yield Fault("/run_id", raw["run_id"], "a UUID of version 7 (RFC 9562), made by the agent")
    try:
        started, finished = (datetime.fromisoformat(raw[key]) for key in ("started_at", "finished_at"))
        backwards = finished < started
    except (KeyError, ValueError, TypeError):
        return  # the schema reports it
    if backwards:
        yield Fault("/finished_at", raw["finished_at"], f"a time not before started_at, {raw['started_at']}")


def _results(raw: Raw) -> Iterator[Fault]:
    rounds = raw.get("rounds")
    names = {name for _, item in _objects(raw, "artifacts") if isinstance(name := item.get("name"), str)}
    seen: dict[str, int] = {}
    for i, result in _objects(raw, "results"):
        yield from _unit(i, result)
        yield from _status(i, result)
        yield from _values(i, result, len(rounds) if isinstance(rounds, list) else None)
        yield from _source(i, result, names)
        key = json.dumps(
            [result.get(k) for k in ("test", "metric", "file_size", "record_size", "threads")]
            + [result.get("params", {})],
            sort_keys=True,
        )
        first = seen.setdefault(key, i)
        if first != i:
            expected = f"a result measured once; /results/{first} has the same test, metric, sizes, threads and params"
            yield Fault(pointer("results", i), shown(result.get("test")), expected)


def _unit(i: int, result: Raw) -> Iterator[Fault]:
    metric, unit = result.get("metric"), result.get("unit")
    if not isinstance(metric, str):
        return
    if metric not in METRICS:
        yield Fault(pointer("results", i, "metric"), shown(metric), "one of " + ", ".join(METRICS))
    elif unit != METRICS[metric].unit:
        expected = f"{METRICS[metric].unit}, the base unit of {metric}"
        yield Fault(pointer("results", i, "unit"), shown(unit), expected)


def _status(i: int, result: Raw) -> Iterator[Fault]:
    status, values, summary = result.get("status", "ok"), result.get("values"), result.get("summary")
    measured = isinstance(values, list) and any(value is not None for value in values)
    if values is not None and summary is not None:
        yield Fault(pointer("results", i, "summary"), shown(summary), "values or a summary, not both")
    if status == "ok" and summary is None and not measured:
        yield Fault(pointer("results", i, "values"), shown(values), "at least one value where the status is ok")
    if status == "failed" and not result.get("error"):
        yield Fault(pointer("results", i, "error"), None, "the tool's own words where the status is failed")
    if status == "unmeasurable" and (measured or summary is not None):
        place = pointer("results", i, "values" if measured else "summary")
        yield Fault(place, shown(values if measured else summary), "no value where the status is unmeasurable")


def _values(i: int, result: Raw, rounds: int | None) -> Iterator[Fault]:
    values = result.get("values")
    if isinstance(values, list) and rounds is not None and len(values) != rounds:
        expected = f"{rounds} values, one a round (null where the round has none), not {len(values)}"
        yield Fault(pointer("results", i, "values"), shown(values), expected)


def _source(i: int, result: Raw, names: set[str]) -> Iterator[Fault]:
    source, values = result.get("source"), result.get("values")
    if not isinstance(source, list):
        return
    if isinstance(values, list) and len(values) != len(source):
        expected = f"{len(values)} places, one a value, not {len(source)}"
        yield Fault(pointer("results", i, "source"), shown(source), expected)
    for j, place in enumerate(source):
        if isinstance(place, dict) and isinstance(place.get("artifact"), str) and place["artifact"] not in names:
            yield Fault(pointer("results", i, "source", j, "artifact"), shown(place["artifact"]), "an artifact's name")


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
    """The bytes of an artifact. Raises ValueError for what is not valid in its encoding."""
    if encoding == "base64":
        try:
            return base64.b64decode(data, validate=True)
        except binascii.Error as error:
            raise ValueError(str(error)) from None
    return data.encode()


def _text(raw: Raw) -> Iterator[Fault]:
    """PostgreSQL's text and jsonb hold no NUL and no lone surrogate; free-form parts are searched for both."""
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), {k: v for k, v in raw.items() if k != "artifacts"})]
    while stack:
        place, here = stack.pop()
        if isinstance(here, dict):
            for key, value in here.items():
                if _unstorable(key):
                    yield Fault(pointer(*place, key), shown(key), "a name without NUL and lone surrogates")
                stack.append(((*place, key), value))
        elif isinstance(here, list) and place[-1:] != ("values",):
            stack.extend(((*place, i), value) for i, value in enumerate(here))
        elif isinstance(here, str) and _unstorable(here):
            yield Fault(pointer(*place), shown(here), "text without NUL and lone surrogates")
        elif isinstance(here, float) and not abs(here) < float("inf"):
            yield Fault(pointer(*place), shown(here), "a finite number")


def _unstorable(text: str) -> bool:
    return (
        "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text) if not text.isascii() else "\x00" in text
    )
