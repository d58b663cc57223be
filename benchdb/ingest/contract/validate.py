"""Bytes in, a checked document out; every fault is found before any is reported."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from .crosscheck import crosscheck
from .document import Document
from .faults import Fault, FaultyDocument, from_pydantic, shown


def validate(body: bytes) -> tuple[Document, bytes]:
    """Check one result document.

    Returns the document and the SHA-256 of its canonical JSON (sorted keys, no white space), which tells whether two
    uploads are the same document. Raises FaultyDocument with all faults.
    """
    try:
        raw = from_json(body, allow_inf_nan=True)
    except ValueError as error:
        raise FaultyDocument([Fault("", None, f"JSON: {error}")]) from None
    if not isinstance(raw, dict):
        raise FaultyDocument([Fault("", shown(raw), "an object, the result document")])
    faults: list[Fault] = []
    document = None
    try:
        document = Document.model_validate_json(body)
    except ValidationError as error:
        faults = from_pydantic(error, raw)
    known = {fault.pointer for fault in faults}
    faults += [fault for fault in crosscheck(raw) if fault.pointer not in known]
    if document is None or faults:
        raise FaultyDocument(faults)
    return document, digest(raw)


def digest(raw: Any) -> bytes:
    """SHA-256 of the canonical JSON of `raw`, 32 bytes."""
    canonical = json.dumps(raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).digest()
