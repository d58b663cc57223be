"""Writes the results and the raw output of a run with COPY, one round trip each, and reads results back."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any
from uuid import UUID

import orjson
from pydantic import BaseModel

from benchdb.ingest.contract.crosscheck import decode
from benchdb.ingest.contract.document import Artifact, Result
from benchdb.runs.models import VALUES, Parse
from benchdb.runs.models import Result as StoredResult
from benchdb.runs.store import columns
from benchdb.runs.store.copy_in import copy_in
from benchdb.runs.store.value_places import Packer, Places, unpack

_plain_attributes = attrgetter(*columns.RESULT_PLAIN)
_plain_items, _json_items = itemgetter(*columns.RESULT_PLAIN), itemgetter(*columns.RESULT_JSON)
_COPY_RESULTS = ", ".join((*columns.KEY, *columns.RESULT_PLAIN, *columns.RESULT_JSON, *columns.RESULT_PACKED))
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
    """A result as a row of the store in plain Python, for `store_parse`."""
    return {
        **dict(zip(columns.RESULT_PLAIN, _plain_attributes(result), strict=True)),
        "params": result.params,
        "given": _dumped(result.summary),
        "evidence": _dumped(result.evidence),
        "values": result.values,
        "source": result.source,
    }


def store_parse(run_id: UUID, number: int, parser_version: str, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Write a parse of a run with its results, `rows` of ordinal and result, inside the caller's transaction."""
    packer = Packer()
    packed = [(ordinal, row, packer.pack(row["source"])) for ordinal, row in rows]
    Parse.objects.create(run_id=run_id, number=number, parser_version=parser_version, sources=packer.sources or None)
    run = str(run_id)
    with copy_in(f"COPY runs_result ({_COPY_RESULTS}) FROM STDIN") as copy:
        for ordinal, row, lines in packed:
            copy.write_row(
                (
                    run,
                    number,
                    ordinal,
                    *_plain_items(row),
                    *map(_json, _json_items(row)),
                    *_arrays(row["values"]),
                    lines,
                )
            )


def _json(value: Any) -> str | None:
    return "{}" if value == {} else value and json.dumps(value, ensure_ascii=False)


def _arrays(values: Sequence[float | None] | None) -> tuple[str | None, str | None]:
    """`values` and `singles`, one of them None, as PostgreSQL's array text; psycopg would convert number by number."""
    if values is None:
        return None, None
    text = "{" + orjson.dumps(values)[1:-1].decode() + "}"
    numbers = [value or 0.0 for value in values]
    return (None, text) if array("f", numbers).tolist() == numbers else (text, None)


def stored_results(run_id: UUID, number: int) -> list[dict[str, Any]]:
    """The rows of a parse as given to `store_parse`, each with its ordinal; two queries."""
    sources = Parse.objects.filter(run_id=run_id, number=number).values_list("sources", flat=True).get()
    stored = StoredResult.objects.filter(run_id=run_id, parse=number).order_by("ordinal")
    rows = []
    for row in stored.values("ordinal", *columns.RESULT_PLAIN, *columns.RESULT_JSON, "lines", measured=VALUES):
        lines, values = row.pop("lines"), row.pop("measured")
        source = None if lines is None else Places.of(unpack(lines, sources or ()))
        rows.append({**row, "values": values, "source": source})
    return rows


def copy_artifacts(run_id: UUID, artifacts: Iterable[Artifact]) -> None:
    """Write raw output, in the document's order, inside the caller's transaction.

    Binary, because text would hold every byte as two digits. Only one artifact at a time is decoded.
    """
    statement = f"COPY runs_artifact ({', '.join(_ARTIFACT)}) FROM STDIN (FORMAT BINARY)"
    with copy_in(statement) as copy:
        copy.set_types(list(_ARTIFACT.values()))
        for ordinal, artifact in enumerate(artifacts):
            content = decode(artifact.encoding, artifact.data)
            sha256 = hashlib.sha256(content).digest()
            copy.write_row((run_id, ordinal, artifact.name, artifact.media_type, sha256, len(content), content))


def _dumped(section: BaseModel | None) -> dict[str, Any] | None:
    return None if section is None else section.model_dump(mode="json")
