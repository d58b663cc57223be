"""The only door through which results enter. A document is stored whole in one transaction, or not at all."""

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

from .copy import as_stored, copy_artifacts, store_parse
from .models import Token

# In these parts of `extra` the server notes that it made a run from a file or an article (runs.facets.source_of).
OWN_NOTES = ("import", "publication")
ATTEMPTS = 5  # at storing a run beside others that store and delete; a sixth would be somebody's fault


class RunDeleted(Exception):
    """The run was deleted; its id takes no document again."""


class RunConflict(Exception):
    """Another document is stored under this id."""


@dataclass(frozen=True)
class Stored:
    """What became of an upload."""

    run_id: UUID
    state: str
    new: bool


def store_document(token: Token, run_id: UUID, body: bytes) -> Stored:
    """Check a document and store it under `run_id` for the token's owner.

    Raises FaultyDocument, RunConflict or RunDeleted; nothing is stored then. Sending the same document again is not an
    error: `new` is False.
    """
    return store_for(token.owner, Visibility(token.default_visibility), run_id, body, refused=OWN_NOTES)


def store_for(
    owner: User, visibility: Visibility, run_id: UUID, body: bytes, *, refused: Collection[str] = ()
) -> Stored:
    """The same for an owner without a token; `visibility` is that of a document that names none.

    `refused` are names that its `extra` must not have.
    """
    document, digest = validate(body, run_id)
    if own := [name for name in refused if name in document.extra]:
        expected = "absent: only the server says which runs it made from a file or an article"
        raise FaultyDocument([Fault(pointer("extra", name), shown(document.extra[name]), expected) for name in own])
    for attempt in range(1, ATTEMPTS + 1):
        if (stored := _stored_before(owner, run_id, body, digest)) is not None:
            return stored
        try:
            with transaction.atomic():
                _store(owner, visibility, document, digest)
                transaction.on_commit(lambda: after_answer(lambda: hand_over(summarise.name, str(run_id))))
        except IntegrityError:
            # Another upload of this id was first, or the last other run in this environment, or on this target, was
            # deleted, which are two moments: look again.
            if attempt == ATTEMPTS:
                raise
        else:
            break
    return Stored(run_id, State.RECEIVED.value, new=True)


# One statement sees the run and its tombstone at the same moment; it always gives a row.
_BEFORE = """
SELECT runs_run.digest, runs_runstate.owner_id, runs_runstate.state, runs_tombstone.run_id IS NOT NULL
FROM (VALUES (%s::uuid)) asked (id)
LEFT JOIN runs_run USING (id)
LEFT JOIN runs_runstate ON runs_runstate.run_id = asked.id
LEFT JOIN runs_tombstone ON runs_tombstone.run_id = asked.id
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
    told = document.machine
    machine, environment, target = catalog.known(
        owner, told.machine_id, told.name, facts["environment"], facts["target"]
    )
    run = Run.objects.create(
        id=document.run_id,
        digest=digest,
        schema=document.schema_,
        agent_version=document.agent.version,
        machine_id=machine or keep_machine(owner, told.machine_id, told.name, chosen).pk,
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
