"""Rules between several fields, which a schema of single fields cannot express; `result_rules.py` has those of results.

These functions read the raw JSON, not the checked document, so that their faults are reported together with those of
the schema. They skip values of wrong types, which the schema reports.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from .faults import Fault, pointer, shown
from .json_text import Raw
from .series import check_series


def crosscheck(raw: Raw, run_id: UUID | None = None) -> Iterator[Fault]:
    """Faults between fields outside the results, and between the document and the id under which it is sent."""
    yield from check_id(raw, "run_id", run_id)
    yield from _times(raw)
    yield from _artifacts(raw)
    yield from _continuation(raw)
    yield from check_series(raw)


def objects(raw: Raw, key: str) -> list[tuple[int, Raw]]:
    """The objects in the list of this name with their indices; empty if there is no list."""
    items = raw.get(key)
    return [(i, item) for i, item in enumerate(items) if isinstance(item, dict)] if isinstance(items, list) else []


def check_id(raw: Raw, key: str, expected: UUID | None) -> Iterator[Fault]:
    """The fault of a document's own id; `expected` is the id in its address. The clock of its agent may be wrong."""
    try:
        document_id = UUID(str(raw.get(key)))
    except ValueError:
        return  # the schema reports it
    if document_id.version != 7:
        yield Fault(f"/{key}", shown(raw[key]), "a UUID of version 7 (RFC 9562), made by the agent")
    elif expected not in (None, document_id):
        yield Fault(f"/{key}", shown(raw[key]), f"the id in the address, {expected}")


def _times(raw: Raw) -> Iterator[Fault]:
    started, finished = raw.get("started_at"), raw.get("finished_at")
    if not isinstance(started, str) or not isinstance(finished, str):
        return  # the schema reports it
    try:
        backwards = datetime.fromisoformat(finished) < datetime.fromisoformat(started)
    except (ValueError, TypeError):
        return  # the schema reports it
    if backwards:
        yield Fault("/finished_at", finished, f"a time not before started_at, {started}")


def _continuation(raw: Raw) -> Iterator[Fault]:
    continues, rounds = raw.get("continues"), raw.get("rounds")
    if not isinstance(continues, dict) or not isinstance(rounds, list):
        return
    earlier = continues.get("rounds")
    if isinstance(earlier, int) and earlier >= len(rounds):
        yield Fault("/continues/rounds", shown(earlier), f"less than the {len(rounds)} rounds of this document")
    if continues.get("run_id") == raw.get("run_id"):
        yield Fault("/continues/run_id", shown(continues.get("run_id")), "another run")


def _artifacts(raw: Raw) -> Iterator[Fault]:
    seen: set[str] = set()
    for i, artifact in objects(raw, "artifacts"):
        name, data = artifact.get("name"), artifact.get("data")
        if isinstance(name, str) and name in seen:
            yield Fault(pointer("artifacts", i, "name"), shown(name), "a name that no other artifact has")
        elif isinstance(name, str):
            seen.add(name)
        if not isinstance(data, str):
            continue
        try:
            content = decode(str(artifact.get("encoding", "utf-8")), data)
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
