"""Results and raw output go into the database with COPY: one round trip each for a whole run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from benchdb.runs.copying import copy_in

from .contract.crosscheck import decode
from .contract.document import Artifact, Result

_JSON = ("params", "given", "evidence", "source")
RESULT_COLUMNS = (
    *("test", "metric", "unit", "file_size", "record_size", "threads", "params", "values", "given", "status", "error"),
    *("evidence", "source"),
)
_ARTIFACT = {
    "run_id": "uuid",
    "ordinal": "int4",
    "name": "varchar",
    "media_type": "varchar",
    "sha256": "bytea",
    "size": "int8",
    "content": "bytea",
}


def as_stored(result: Result) -> dict[str, Any]:
    """A result as the columns of the store, in plain Python."""
    return {
        "test": result.test,
        "metric": result.metric,
        "unit": result.unit,
        "file_size": result.file_size,
        "record_size": result.record_size,
        "threads": result.threads,
        "params": result.params,
        "values": result.values,
        "given": _plain(result.summary),
        "status": result.status,
        "error": result.error,
        "evidence": _plain(result.evidence),
        "source": result.source or None,
    }


def copy_results(run_id: UUID, parse: int, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Write the results of one parse, each with its ordinal, inside the caller's transaction."""
    columns = ", ".join(("run_id", "parse", "ordinal", *RESULT_COLUMNS))
    with copy_in(f"COPY runs_result ({columns}) FROM STDIN") as copy:
        for ordinal, row in rows:
            copy.write_row((run_id, parse, ordinal, *(_text(name, row[name]) for name in RESULT_COLUMNS)))


def _text(name: str, value: Any) -> Any:
    """A value as COPY takes it. Arrays and JSON are text already: psycopg takes them a number at a time."""
    if value is None:
        return None
    if name == "values":
        return "{" + ",".join(map(str, value)).replace("None", "NULL") + "}"
    return json.dumps(value, ensure_ascii=False) if name in _JSON else value


def copy_artifacts(run_id: UUID, artifacts: Iterable[Artifact]) -> None:
    """Write raw output, in the document's order, inside the caller's transaction.

    Binary, because text would hold every byte as two digits; one artifact at a time is decoded.
    """
    statement = f"COPY runs_artifact ({', '.join(_ARTIFACT)}) FROM STDIN (FORMAT BINARY)"
    with copy_in(statement) as copy:
        copy.set_types(list(_ARTIFACT.values()))
        for ordinal, artifact in enumerate(artifacts):
            content = decode(artifact.encoding, artifact.data)
            sha256 = hashlib.sha256(content).digest()
            copy.write_row((run_id, ordinal, artifact.name, artifact.media_type, sha256, len(content), content))


def _plain(section: BaseModel | None) -> dict[str, Any] | None:
    return None if section is None else section.model_dump(mode="json")
