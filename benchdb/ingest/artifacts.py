"""Writes the raw output of a run with COPY."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from uuid import UUID

from benchdb.ingest.contract.crosscheck import decode
from benchdb.ingest.contract.document import Artifact
from benchdb.runs.store import binary_copy as fields
from benchdb.runs.store.copy_in import copy_in

_COLUMNS = ("run_id", "ordinal", "name", "media_type", "sha256", "size", "content")


def copy_artifacts(run_id: UUID, artifacts: Iterable[Artifact]) -> None:
    """Write raw output, in the document's order, inside the caller's transaction.

    Binary, because text would hold every byte as two digits. Only one artifact at a time is decoded, and psycopg sends
    it in pieces: a row of `write_row` would be another copy.
    """
    with copy_in(f"COPY runs_artifact ({', '.join(_COLUMNS)}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.write(fields.HEADER)
        for ordinal, artifact in enumerate(artifacts):
            content = decode(artifact.encoding, artifact.data)
            copy.write(_before(run_id, ordinal, artifact, content))
            copy.write(content)
        copy.write(fields.TRAILER)


def _before(run_id: UUID, ordinal: int, artifact: Artifact, content: bytes) -> bytes:
    """The text of the COPY before a content."""
    columns = (
        run_id.bytes,
        ordinal.to_bytes(4),
        artifact.name.encode(),
        artifact.media_type.encode(),
        hashlib.sha256(content).digest(),
        len(content).to_bytes(8),
    )
    return len(_COLUMNS).to_bytes(2) + b"".join(map(fields.field, columns)) + len(content).to_bytes(4)
