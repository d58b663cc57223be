"""Bytes in, a checked document out; every fault is found before any is reported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar
from uuid import UUID

from pydantic import ValidationError

from .campaign import CAMPAIGN_SCHEMA, CampaignDocument, crosscheck_campaign
from .crosscheck import crosscheck
from .document import SCHEMA, Document
from .faults import MOST_LISTED, Fault, FaultyDocument, from_pydantic
from .field_types import Section
from .json_text import Raw, canonical_json, parse, parse_plain
from .result_sources import take_places
from .storable_text import check_text

# Of a document with more, only the beginnings of the long lists are examined: each fault takes half a kilobyte.
MOST_EXAMINED = 10 * MOST_LISTED
D = TypeVar("D", bound=Section)


def validate(body: bytes, run_id: UUID | None = None) -> tuple[Document, bytes]:
    """Check one result document, and that its id is `run_id` where that is given.

    Returns the document and the SHA-256 of its canonical JSON (sorted keys, no white space), which tells whether two
    uploads are the same document. Raises FaultyDocument with all faults, or with the first thousand of very many.
    """
    return _quickly(body, run_id) or _carefully(body, run_id)


def _quickly(body: bytes, run_id: UUID | None) -> tuple[Document, bytes] | None:
    """The same for a document without a fault; None where there is one, or may be.

    A third of the time: nearly every upload is whole, so only one that is not has each of its values looked at.
    """
    if (found := parse_plain(body)) is None:
        return None
    raw, canonical = found
    places = take_places(raw)
    try:
        document = Document.model_validate(raw)
    except ValidationError:
        return None
    for result, taken in zip(document.results, places or (), strict=places is not None):
        object.__setattr__(result, "source", taken)  # as the schema would have done, which freezes it
    # The schema says of what kind the values of these are, and `parse_plain` that they can be stored.
    rest = {name: part for name, part in raw.items() if name not in ("results", "artifacts")}
    if any(crosscheck(raw, run_id)) or any(check_text(rest)):
        return None
    return document, hashlib.sha256(canonical).digest()


def _carefully(body: bytes, run_id: UUID | None) -> tuple[Document, bytes]:
    raw = parse(body)
    return _checked(raw, Document, SCHEMA, crosscheck(raw, run_id)), digest(raw)


def validate_campaign(body: bytes, campaign_id: UUID | None = None) -> tuple[CampaignDocument, bytes]:
    """The same for the document of a campaign. The digest leaves out how it ended, which comes later."""
    raw = parse(body)
    document = _checked(raw, CampaignDocument, CAMPAIGN_SCHEMA, crosscheck_campaign(raw, campaign_id))
    return document, digest({name: part for name, part in raw.items() if name != "ended"})


def _checked(raw: Raw, model: type[D], schema: str, between: Iterable[Fault]) -> D:
    """`between` are the faults between fields. Raises FaultyDocument."""
    document, faults = _check_schema(raw, model, schema)
    found = {fault.pointer: fault for fault in faults}
    # Of one place, the cross check knows more than the schema does, and the schema more than the check of texts.
    found.update((fault.pointer, fault) for fault in islice(between, MOST_LISTED + 1))
    for fault in islice(check_text(raw), MOST_LISTED + 1):
        found.setdefault(fault.pointer, fault)
    if document is None or found:
        raise FaultyDocument(list(found.values()))
    return document


def digest(raw: Raw) -> bytes:
    """SHA-256 of the canonical JSON of `raw`, 32 bytes."""
    return hashlib.sha256(canonical_json(raw)).digest()


def _check_schema(raw: Raw, model: type[D], schema: str) -> tuple[D | None, list[Fault]]:
    # The parsed data are checked, not the text once more: pydantic's own reader takes 600 times a hostile text's size.
    try:
        return model.model_validate(raw), []
    except ValidationError as error:
        if error.error_count() <= MOST_EXAMINED:
            return None, from_pydantic(error, raw, schema)
        count = error.error_count()
    beginning = {name: part[:MOST_LISTED] if isinstance(part, list) else part for name, part in raw.items()}
    try:
        model.model_validate(beginning)
    except ValidationError as error:
        if error.error_count() <= MOST_EXAMINED:
            return None, from_pydantic(error, raw, schema)
    return None, [Fault("", None, f"a document of {schema}; this one has {count:,} faults, too many to list")]
