"""Bytes in, a checked document out; every fault is found before any is reported."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from uuid import UUID

from pydantic import ValidationError

from .crosscheck import crosscheck
from .document import Document
from .faults import MOST_LISTED, Fault, FaultyDocument, from_pydantic
from .parse import Raw, parse
from .text import check_text

# Of a document with more, only the beginnings of the long lists are examined: each fault takes half a kilobyte.
MOST_EXAMINED = 10 * MOST_LISTED


def validate(body: bytes, run_id: UUID | None = None) -> tuple[Document, bytes]:
    """Check one result document, and that its id is `run_id` where that is given.

    Returns the document and the SHA-256 of its canonical JSON (sorted keys, no white space), which tells whether two
    uploads are the same document. Raises FaultyDocument with all faults, or with the first thousand of very many.
    """
    raw = parse(body)
    document, faults = _check_schema(raw)
    found = {fault.pointer: fault for fault in faults}
    # Of one place, the cross check knows more than the schema does, and the schema more than the check of texts.
    found.update((fault.pointer, fault) for fault in islice(crosscheck(raw, run_id), MOST_LISTED + 1))
    for fault in islice(check_text(raw), MOST_LISTED + 1):
        found.setdefault(fault.pointer, fault)
    if document is None or found:
        raise FaultyDocument(list(found.values()))
    return document, digest(raw)


def digest(raw: Raw) -> bytes:
    """SHA-256 of the canonical JSON of `raw`, 32 bytes."""
    canonical = json.dumps(raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(canonical.encode()).digest()


def _check_schema(raw: Raw) -> tuple[Document | None, list[Fault]]:
    # The parsed data are checked, not the text once more: pydantic's own reader takes 600 times a hostile text's size.
    try:
        return Document.model_validate(raw), []
    except ValidationError as error:
        if error.error_count() <= MOST_EXAMINED:
            return None, from_pydantic(error, raw)
        count = error.error_count()
    beginning = {name: part[:MOST_LISTED] if isinstance(part, list) else part for name, part in raw.items()}
    try:
        Document.model_validate(beginning)
    except ValidationError as error:
        if error.error_count() <= MOST_EXAMINED:
            return None, from_pydantic(error, raw)
    return None, [Fault("", None, f"a document of benchdb.run/1; this one has {count:,} faults, too many to list")]
