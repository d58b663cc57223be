"""Results go into the database with COPY: one round trip for a whole run."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import connection
from psycopg.types.json import Jsonb
from pydantic import BaseModel

from .contract.document import Result

COLUMNS = (
    "run_id, parse, ordinal, test, metric, unit, file_size, record_size, threads, params, values, given, status, error,"
    " evidence, source"
)


def copy_results(run_id: UUID, parse: int, results: Iterable[Result]) -> None:
    """Write the results of one parse, in the document's order, inside the caller's transaction."""
    with connection.cursor() as cursor, cursor.copy(f"COPY runs_result ({COLUMNS}) FROM STDIN") as copy:
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


def _json(section: BaseModel | None) -> Jsonb | None:
    return None if section is None else Jsonb(section.model_dump(mode="json"))
