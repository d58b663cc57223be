"""Checks the bytes of a document and collects all faults before it reports any."""

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

# With more errors, only the beginnings of the long lists are examined: each fault takes half a kilobyte.
MOST_EXAMINED = 10 * MOST_LISTED
D = TypeVar("D", bound=Section)


def validate(body: bytes, run_id: UUID | None = None) -> tuple[Document, bytes]:
    """Check one result document, and its id if `run_id` is given.

    Returns the document and the SHA-256 of its canonical JSON (sorted keys, no white space), by which equal uploads are
    recognised. Raises FaultyDocument with all faults, or with the first thousand of very many.
    """
    return _quickly(body, run_id) or _carefully(body, run_id)


def _quickly(body: bytes, run_id: UUID | None) -> tuple[Document, bytes] | None:
    """The result of `validate` for a document without faults; None if there may be one.

    Takes a third of the time of `_carefully`, and nearly all uploads are without faults.
    """
    if (parsed := parse_plain(body)) is None:
        return None
    raw, canonical = parsed
    places = take_places(raw)
    try:
        document = Document.model_validate(raw)
    except ValidationError:
        return None
    for result, taken in zip(document.results, places or (), strict=places is not None):
        object.__setattr__(result, "source", taken)  # as the schema would have done, which freezes it
    # For results and artifacts the schema checks the types, and `parse_plain` that the texts can be stored.
    rest = {name: part for name, part in raw.items() if name not in ("results", "artifacts")}
    if any(crosscheck(raw, run_id)) or any(check_text(rest)):
        return None
    return document, hashlib.sha256(canonical).digest()


def _carefully(body: bytes, run_id: UUID | None) -> tuple[Document, bytes]:
    raw = parse(body)
    return _checked(raw, Document, SCHEMA, crosscheck(raw, run_id)), digest(raw)


def validate_campaign(body: bytes, campaign_id: UUID | None = None) -> tuple[CampaignDocument, bytes]:
    """Check the document of a campaign. The digest excludes `ended`, which is sent later."""
    raw = parse(body)
    document = _checked(raw, CampaignDocument, CAMPAIGN_SCHEMA, crosscheck_campaign(raw, campaign_id))
    return document, digest({name: part for name, part in raw.items() if name != "ended"})


def _checked(raw: Raw, model: type[D], schema: str, between: Iterable[Fault]) -> D:
    """`between` are the faults between fields. Raises FaultyDocument."""
    document, faults = _check_schema(raw, model, schema)
    by_pointer = {fault.pointer: fault for fault in faults}
    # For one pointer, a fault of the cross check is more precise than one of the schema, and that than one of texts.
    by_pointer.update((fault.pointer, fault) for fault in islice(between, MOST_LISTED + 1))
    for fault in islice(check_text(raw), MOST_LISTED + 1):
        by_pointer.setdefault(fault.pointer, fault)
    if document is None or by_pointer:
        raise FaultyDocument(list(by_pointer.values()))
    return document


def digest(raw: Raw) -> bytes:
    """SHA-256 of the canonical JSON of `raw`, 32 bytes."""
    return hashlib.sha256(canonical_json(raw)).digest()


def _check_schema(raw: Raw, model: type[D], schema: str) -> tuple[D | None, list[Fault]]:
    # Checks the parsed data instead of the text: pydantic's own parser takes 600 times the size of a hostile text.
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
