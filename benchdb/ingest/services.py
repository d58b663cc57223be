"""Stores documents; no other code stores results. A document is stored whole in one transaction, or not at all."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from benchdb.catalog import services as catalog
from benchdb.celery import hand_over
from benchdb.http.after_response import after_answer
from benchdb.ingest.contract import Document, Fault, FaultyDocument, validate
from benchdb.ingest.contract.faults import pointer, shown
from benchdb.runs.machine_names import keep_machine
from benchdb.runs.models import Run, RunState, State, Visibility
from benchdb.runs.store.facets import keep_facets
from benchdb.runs.tasks import summarise

from .models import Token
from .stored_results import as_stored, copy_artifacts, store_parse

# The entries of `extra` in which the server records that a run comes from a file or an article (runs.models.source_of).
OWN_NOTES = ("import", "publication")
ATTEMPTS = 5  # to store a run while others store and delete; a sixth failure is an error


class RunDeleted(Exception):
    """The run was deleted; no document can be stored under its id again."""


class RunConflict(Exception):
    """Another document is stored under this id."""


@dataclass(frozen=True)
class Stored:
    """The outcome of an upload; `new` is False if the same document was stored before."""

    run_id: UUID
    state: str
    new: bool


def store_document(token: Token, run_id: UUID, body: bytes) -> Stored:
    """Check a document and store it under `run_id` for the token's owner.

    Raises FaultyDocument, RunConflict or RunDeleted, and stores nothing then. The same document may be sent again.
    """
    return store_for(token.owner, Visibility(token.default_visibility), run_id, body, refused=OWN_NOTES)


def store_for(
    owner: User, visibility: Visibility, run_id: UUID, body: bytes, *, refused: Collection[str] = ()
) -> Stored:
    """Check and store a document for an owner; `visibility` is the default for documents without one.

    `refused` are names that the document's `extra` must not contain.
    """
    document, digest = validate(body, run_id)
    if names := [name for name in refused if name in document.extra]:
        expected = "absent: only the server says which runs it made from a file or an article"
        raise FaultyDocument([Fault(pointer("extra", name), shown(document.extra[name]), expected) for name in names])
    for attempt in range(1, ATTEMPTS + 1):
        if (stored := _stored_before(owner, run_id, body, digest)) is not None:
            return stored
        try:
            with transaction.atomic():
                _store(owner, visibility, document, digest)
                transaction.on_commit(lambda: after_answer(lambda: hand_over(summarise.name, str(run_id))))
        except IntegrityError:
            # Another upload of this id was first, or a deletion removed the environment or the target meanwhile: try
            # again.
            if attempt == ATTEMPTS:
                raise
        else:
            break
    return Stored(run_id, State.RECEIVED.value, new=True)


# One statement, so that run and tombstone are read at the same moment; it always returns a row.
_BEFORE = """
SELECT runs_run.digest, runs_runstate.owner_id, runs_runstate.state, runs_tombstone.run_id IS NOT NULL
FROM (VALUES (%s::uuid)) requested (id)
LEFT JOIN runs_run USING (id)
LEFT JOIN runs_runstate ON runs_runstate.run_id = requested.id
LEFT JOIN runs_tombstone ON runs_tombstone.run_id = requested.id
"""


def _stored_before(owner: User, run_id: UUID, body: bytes, digest: bytes) -> Stored | None:
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, [run_id])
        kept, owner_id, state, deleted = cursor.fetchone()
    if deleted:
        raise RunDeleted
    if kept is None:
        return None
    if bytes(kept) != digest or owner_id != owner.pk:
        raise RunConflict
    return Stored(run_id, state, new=False)


def _store(owner: User, visibility: Visibility, document: Document, digest: bytes) -> None:
    chosen = Visibility(document.visibility or visibility)
    facts = document.model_dump(mode="json", include={"environment", "target", "protocol", "rounds", "state_before"})
    sent = document.machine
    machine, environment, target = catalog.known(
        owner, sent.machine_id, sent.name, facts["environment"], facts["target"]
    )
    run = Run.objects.create(
        id=document.run_id,
        digest=digest,
        schema=document.schema_,
        agent_version=document.agent.version,
        machine_id=machine or keep_machine(owner, sent.machine_id, sent.name, chosen).pk,
        environment_id=environment or catalog.keep_environment(owner, facts["environment"]).pk,
        target_id=target or catalog.keep_target(owner, facts["target"]).pk,
        tool=document.workload.tool,
        tool_version=document.workload.tool_version,
        command=document.workload.command,
        parameters=document.workload.parameters,
        clock_resolution=document.workload.clock_resolution,
        protocol=facts["protocol"],
        cache_regime=document.protocol.cache,
        rounds=facts["rounds"],
        round_count=len(document.rounds),
        state_before=facts["state_before"],
        campaign_id=document.campaign.id if document.campaign else None,
        campaign_point=document.campaign.point if document.campaign else None,
        extra=document.extra,
        started_at=document.started_at,
        finished_at=document.finished_at,
    )
    RunState.objects.create(run=run, owner=owner, visibility=chosen, labels=document.labels)
    parser_version = document.workload.parser_version or "unknown"
    store_parse(run.id, 1, parser_version, enumerate(map(as_stored, document.results)))
    copy_artifacts(run.id, document.artifacts)
    keep_facets(run.id)
