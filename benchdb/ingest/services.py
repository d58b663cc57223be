"""Stores documents; no other code stores results. A document is stored whole in one transaction, or not at all."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

import numpy as np
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from benchdb.catalog import services as catalog
from benchdb.celery import hand_over
from benchdb.http.after_response import after_answer
from benchdb.http.work import expect
from benchdb.ingest.contract import CheckedDocument, Fault, FaultyDocument, validate
from benchdb.ingest.contract.crosscheck import decode
from benchdb.ingest.contract.document import Artifact
from benchdb.ingest.contract.faults import pointer, shown
from benchdb.ingest.contract.marks import most_values
from benchdb.ingest.contract.series import SentSeries
from benchdb.quotas import services as quotas
from benchdb.quotas.limits import Amount
from benchdb.runs.changes import record_change
from benchdb.runs.machine_names import keep_machine
from benchdb.runs.models import RoundSeries, Run, RunState, State, Visibility
from benchdb.runs.services import replace_continued
from benchdb.runs.store import binary_copy as fields
from benchdb.runs.store.copy_in import copy_in
from benchdb.runs.store.facets import keep_facets
from benchdb.runs.store.results import store_parse
from benchdb.runs.store.round_series import points_of
from benchdb.runs.tasks import OF_UPLOADS, summarise
from benchdb.runs.totals.of_round import total_of
from benchdb.signatures.services import CheckedSignature, check_signature, keep_signature

from .continuation import continued_run
from .models import Token

# The entries of `extra` in which the server records that a run comes from a file or an article (runs.models.source_of).
OWN_NOTES = ("import", "publication")
ATTEMPTS = 5  # to store a run while others store and delete; a sixth failure is an error
# Processor time to check and store a document, for each of its bytes and its values.
SECONDS_A_BYTE, SECONDS_A_VALUE = 8e-8, 1.5e-6


class RunDeleted(Exception):
    """The run was deleted; no document can be stored under its id again."""


class RunConflict(Exception):
    """Another document is stored under this id."""


@dataclass(frozen=True)
class Stored:
    """The outcome of an upload; `new` is False if the same document was stored before.

    `machine` is the name that the machine has now: that of the document, unless it must not be replaced by it.
    """

    run_id: UUID
    state: str
    new: bool
    machine: str


def store_document(token: Token, run_id: UUID, body: bytes, signature: str | None = None) -> Stored:
    """Check a document, and its signature if there is one, and store it under `run_id` for the token's owner.

    Raises FaultyDocument, BadSignature, RunConflict or RunDeleted, and stores nothing then. The same document may be
    sent again; its first upload counts, with or without a signature.
    """
    checked = None if signature is None else check_signature(token.owner, signature, body)
    visibility = Visibility(token.default_visibility)
    return store_for(token.owner, visibility, run_id, body, refused=OWN_NOTES, sent_with=token.pk, signature=checked)


def store_for(
    owner: User,
    visibility: Visibility,
    run_id: UUID,
    body: bytes,
    *,
    refused: Collection[str] = (),
    sent_with: int | None = None,
    signature: CheckedSignature | None = None,
    charge: Callable[[User, Amount], None] = quotas.charge,
) -> Stored:
    """Check and store a document for an owner; `visibility` is the default for documents without one.

    `refused` are names that the document's `extra` must not contain. `sent_with` is the id of the token that may delete
    the run. `charge` counts a new run. Raises MustWait for a document that takes long, if other requests do too, and
    QuotaExceeded.
    """
    expect(max(SECONDS_A_BYTE * len(body), SECONDS_A_VALUE * most_values(body)))
    document = validate(body, run_id)
    frame = document.frame
    if names := [name for name in refused if name in frame.extra]:
        expected = "absent: only the server says which runs it made from a file or an article"
        raise FaultyDocument([Fault(pointer("extra", name), shown(frame.extra[name]), expected) for name in names])
    for attempt in range(1, ATTEMPTS + 1):
        if (stored := _stored_before(owner, run_id, document.digest)) is not None:
            return stored
        try:
            with transaction.atomic():
                state, machine, amount = _store(owner, visibility, document, sent_with)
                if signature is not None:
                    keep_signature(state.run, signature)
                transaction.on_commit(lambda: after_answer(_enqueue))
                charge(owner, amount)
        except IntegrityError:
            # Another upload of this id was first, or a deletion removed the environment or the target meanwhile: try
            # again.
            if attempt == ATTEMPTS:
                raise
        else:
            break
    return Stored(run_id, State(state.state).value, new=True, machine=machine)


def _enqueue() -> None:
    """Tell a worker that a run waits for its statistics."""
    hand_over(summarise.name, priority=OF_UPLOADS)


# One statement, so that run and tombstone are read at the same moment; it always returns a row.
_BEFORE = """
SELECT runs_run.digest, runs_runstate.owner_id, runs_runstate.state, runs_tombstone.run_id IS NOT NULL,
  catalog_machine.name
FROM (VALUES (%s::uuid)) requested (id)
LEFT JOIN runs_run USING (id)
LEFT JOIN catalog_machine ON catalog_machine.id = runs_run.machine_id
LEFT JOIN runs_runstate ON runs_runstate.run_id = requested.id
LEFT JOIN runs_tombstone ON runs_tombstone.run_id = requested.id
"""


def _stored_before(owner: User, run_id: UUID, digest: bytes) -> Stored | None:
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, [run_id])
        kept, owner_id, state, deleted, machine = cursor.fetchone()
    if deleted:
        raise RunDeleted
    if kept is None:
        return None
    if bytes(kept) != digest or owner_id != owner.pk:
        raise RunConflict
    return Stored(run_id, state, new=False, machine=machine)


def _store(
    owner: User, visibility: Visibility, document: CheckedDocument, sent_with: int | None
) -> tuple[RunState, str, Amount]:
    """Store the run, whose summaries a worker computes. Returns its state, its machine's name, and what it takes."""
    frame = document.frame
    chosen = Visibility(frame.visibility or visibility)
    facts = frame.model_dump(mode="json", include={"environment", "target", "protocol", "rounds", "state_before"})
    sent = frame.machine
    machine, environment, target = catalog.known(
        owner, sent.machine_id, sent.name, facts["environment"], facts["target"]
    )
    machine_name, machine_is_new = sent.name, False
    if machine is None:
        kept, machine_is_new = keep_machine(owner, sent.machine_id, sent.name, chosen)
        machine, machine_name = kept.pk, kept.name
    run = Run(
        id=frame.run_id,
        digest=document.digest,
        schema=frame.schema_,
        agent_version=frame.agent.version,
        machine_id=machine,
        environment_id=environment or catalog.keep_environment(owner, facts["environment"]).pk,
        target_id=target or catalog.keep_target(owner, facts["target"]).pk,
        tool=frame.workload.tool,
        tool_version=frame.workload.tool_version,
        command=frame.workload.command,
        parameters=frame.workload.parameters,
        clock_resolution=frame.workload.clock_resolution,
        protocol=facts["protocol"],
        cache_regime=frame.protocol.cache,
        rounds=facts["rounds"],
        round_count=len(frame.rounds),
        state_before=facts["state_before"],
        campaign_id=frame.campaign.id if frame.campaign else None,
        campaign_point=frame.campaign.point if frame.campaign else None,
        continues=frame.continues.run_id if frame.continues else None,
        look=frame.continues.look if frame.continues else 0 if frame.extra.keys() & set(OWN_NOTES) else 1,
        extra=frame.extra,
        started_at=frame.started_at,
        finished_at=frame.finished_at,
    )
    continued = continued_run(run, frame.continues, owner) if frame.continues else None
    run.save(force_insert=True)
    state = RunState(run=run, owner=owner, visibility=chosen, labels=frame.labels, sent_with=sent_with)
    if continued is not None:
        state.visibility = frame.visibility or continued.visibility
        replace_continued(run, Visibility(state.visibility))
    results = document.results
    state.result_count = len(results)
    store_parse(run.id, 1, frame.workload.parser_version or "unknown", np.arange(len(results)), results)
    copy_artifacts(run.id, frame.artifacts)
    store_series(run.id, frame.series)
    state.value_count, state.document_bytes = len(results.values), document.size
    state.save(force_insert=True)
    keep_facets(run.id)
    if state.visibility == Visibility.PUBLIC:
        record_change(run.id)
    return state, machine_name, Amount(1, state.value_count, state.document_bytes, machines=int(machine_is_new))


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


def store_series(run_id: UUID, series: Iterable[SentSeries]) -> None:
    """Write checked series, one row for each round, inside the caller's transaction."""
    rows = [
        _row(run_id, number, list(of_round)) for number, of_round in groupby(sorted(series, key=_round), key=_round)
    ]
    RoundSeries.objects.bulk_create(rows)


def _round(series: SentSeries) -> int:
    return series.round


def _row(run_id: UUID, number: int, series: list[SentSeries]) -> RoundSeries:
    packed = [b64decode(each.packed) for each in series]
    points = [points_of(content, each.scale) for content, each in zip(packed, series, strict=True)]
    return RoundSeries(
        run_id=run_id,
        round=number,
        names=[each.name for each in series],
        tests=[each.test for each in series],
        devices=[each.device for each in series],
        sources=[each.source for each in series],
        starts=[each.start for each in series],
        steps=[each.step for each in series],
        scales=[each.scale for each in series],
        packed=packed,
        totals=[total_of(each.name, of_series) for each, of_series in zip(series, points, strict=True)],
        seconds=max(each.start + each.step * len(of_series) for each, of_series in zip(series, points, strict=True)),
    )
