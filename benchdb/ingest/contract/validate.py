"""Checks the bytes of a document and collects all faults before it reports any."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import chain, islice
from typing import NamedTuple
from uuid import UUID

from benchdb.runs.store.result_arrays import ResultArrays

from .amounts import (
    too_large_campaign,
    too_large_campaign_text,
    too_large_entries,
    too_large_parts,
    too_large_text,
)
from .campaign import CAMPAIGN_SCHEMA, CampaignDocument, crosscheck_campaign
from .columns import sent_results
from .crosscheck import crosscheck
from .document import SCHEMA, Frame
from .faults import MOST_LISTED, REQUIRED_FIELD, Fault, FaultyDocument, with_values
from .json_text import Raw, canonical_json, parse
from .result_rules import check_results
from .schema import check_schema
from .storable_text import check_repeated, check_text


class CheckedDocument(NamedTuple):
    """A document without faults: its frame, its results as columns, its digest, and its size in bytes.

    The digest is the SHA-256 of the canonical JSON (sorted keys, no white space), by which equal uploads are
    recognised.
    """

    frame: Frame
    results: ResultArrays
    digest: bytes
    size: int


def validate(body: bytes, run_id: UUID | None = None) -> CheckedDocument:
    """Check one result document, and its id if `run_id` is given.

    Raises FaultyDocument with all faults, or with the first thousand of very many.
    """
    if faults := [*too_large_text(body)]:
        raise FaultyDocument(faults)
    raw = parse(body)
    frame_of_raw = {name: part for name, part in raw.items() if name != "results"}
    if faults := [*too_large_parts(frame_of_raw)]:
        raise FaultyDocument(faults)
    frame, faults = check_schema(frame_of_raw, Frame, SCHEMA)
    results, faults_of_results = _check_results(raw)
    faults += faults_of_results
    by_pointer = _by_pointer(chain(check_repeated(raw), check_text(frame_of_raw)), faults, crosscheck(raw, run_id))
    if frame is None or results is None or by_pointer:
        raise FaultyDocument(by_pointer)
    return CheckedDocument(frame, results, digest(raw), len(body))


def _check_results(raw: Raw) -> tuple[ResultArrays | None, list[Fault]]:
    if "results" not in raw:
        return None, [Fault("/results", None, REQUIRED_FIELD)]
    sent, faults = sent_results(raw["results"])
    if sent is None:
        return None, faults
    rounds, artifacts = raw.get("rounds"), raw.get("artifacts")
    if too_large := [*too_large_entries(sent)]:
        return None, faults + too_large
    names = {name for name in map(_name, artifacts) if name} if isinstance(artifacts, list) else set()
    columns, faults_of_entries = check_results(sent, len(rounds) if isinstance(rounds, list) else None, names)
    return columns, with_values((faults + faults_of_entries)[: MOST_LISTED + 1], raw)


def _name(artifact: object) -> str | None:
    name = artifact.get("name") if isinstance(artifact, dict) else None
    return name if isinstance(name, str) else None


def _by_pointer(texts: Iterable[Fault], schema: Iterable[Fault], between: Iterable[Fault]) -> list[Fault]:
    """One fault for each pointer: that between fields, else that of the schema, else that of a single text."""
    by_pointer = {fault.pointer: fault for fault in schema}
    by_pointer.update((fault.pointer, fault) for fault in islice(between, MOST_LISTED + 1))
    for fault in islice(texts, max(0, MOST_LISTED + 1 - len(by_pointer))):
        by_pointer.setdefault(fault.pointer, fault)
    return list(by_pointer.values())


class CheckedCampaign(NamedTuple):
    """The document of a campaign without faults, its digest without `ended`, which is sent later, and its bytes."""

    document: CampaignDocument
    digest: bytes
    size: int


def validate_campaign(body: bytes, campaign_id: UUID | None = None) -> CheckedCampaign:
    """Check the document of a campaign, and its id if `campaign_id` is given. Raises FaultyDocument."""
    if too_large := [*too_large_campaign_text(body)]:
        raise FaultyDocument(too_large)
    raw = parse(body)
    if too_large := [*too_large_campaign(raw)]:
        raise FaultyDocument(too_large)
    document, faults = check_schema(raw, CampaignDocument, CAMPAIGN_SCHEMA)
    texts = chain(check_repeated(raw), check_text(raw))
    by_pointer = _by_pointer(texts, faults, crosscheck_campaign(raw, campaign_id))
    if document is None or by_pointer:
        raise FaultyDocument(by_pointer)
    without_end = {name: part for name, part in raw.items() if name != "ended"}
    return CheckedCampaign(document, digest(without_end), len(body))


def digest(raw: Raw) -> bytes:
    """SHA-256 of the canonical JSON of `raw`, 32 bytes."""
    return hashlib.sha256(canonical_json(raw)).digest()
