"""Results and raw output go into the database with COPY: one round trip each for a whole run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from uuid import UUID

from django.db import connection
from psycopg.types.json import Jsonb
from pydantic import BaseModel

from .contract.crosscheck import decode
from .contract.document import Artifact, Result

_RESULT = (
    "run_id, parse, ordinal, test, metric, unit, file_size, record_size, threads, params, values, given, status, error,"
    " evidence, source"
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


def copy_results(run_id: UUID, parse: int, results: Iterable[Result]) -> None:
    """Write the results of one parse, in the document's order, inside the caller's transaction."""
    with connection.cursor() as cursor, cursor.copy(f"COPY runs_result ({_RESULT}) FROM STDIN") as copy:
        for ordinal, result in enumerate(results):
            copy.write_row(
                (
                    run_id,
                    parse,
                    ordinal,
                    result.test,
                    result.metric,
                    result.unit,
                    result.file_size,
                    result.record_size,
                    result.threads,
                    Jsonb(result.params),
                    result.values,
                    _json(result.summary),
                    result.status,
                    result.error,
                    _json(result.evidence),
                    Jsonb([place and place.model_dump() for place in result.source]) if result.source else None,
                )
            )


def copy_artifacts(run_id: UUID, artifacts: Iterable[Artifact]) -> None:
    """Write raw output, in the document's order, inside the caller's transaction.

    Binary, because text would hold every byte as two digits; one artifact at a time is decoded.
    """
    statement = f"COPY runs_artifact ({', '.join(_ARTIFACT)}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(list(_ARTIFACT.values()))
        for ordinal, artifact in enumerate(artifacts):
            content = decode(artifact.encoding, artifact.data)
            sha256 = hashlib.sha256(content).digest()
            copy.write_row((run_id, ordinal, artifact.name, artifact.media_type, sha256, len(content), content))


def _json(section: BaseModel | None) -> Jsonb | None:
    return None if section is None else Jsonb(section.model_dump(mode="json"))
