"""Writes the raw output of a run with COPY."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from uuid import UUID

from benchdb.ingest.contract.crosscheck import decode
from benchdb.ingest.contract.document import Artifact
from benchdb.runs.store.copy_in import copy_in

_ARTIFACT = {
    "run_id": "uuid",
    "ordinal": "int4",
    "name": "varchar",
    "media_type": "varchar",
    "sha256": "bytea",
    "size": "int8",
    "content": "bytea",
}


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
