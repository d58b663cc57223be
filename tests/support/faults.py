"""The contract's faults of a document."""

import json
from typing import Any

import pytest

from benchdb.ingest.contract import Fault, FaultyDocument, validate


def refusal(body: bytes) -> FaultyDocument | None:
    """The refusal of a body, or None if it is valid."""
    try:
        validate(body)
    except FaultyDocument as refused:
        return refused
    return None


def faults_of(document: dict[str, Any] | bytes) -> list[Fault]:
    """The faults of a document that must have some; NaN and infinities are encoded as in Python."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    with pytest.raises(FaultyDocument) as refused:
        validate(body)
    return refused.value.faults


def places_of(document: dict[str, Any] | bytes) -> dict[str, Any]:
    """The faulty values by JSON Pointer."""
    return {fault.pointer: fault.value for fault in faults_of(document)}
