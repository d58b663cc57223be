"""The document of a stored run, made from the store again, so that another server can store an equal run."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import suppress

from benchagent.formats.columns import ResultColumns as SentColumns
from benchagent.formats.sampled import SAMPLED
from benchdb.http.requests import Reader
from benchdb.ingest.contract.json_text import Raw, canonical_json
from benchdb.runs.models import Artifact, Parse, RoundSeries, Run, in_hidden_campaign
from benchdb.runs.store.archive import pieces_of
from benchdb.runs.store.results import merged_results, stored_results

_FIRST = 1  # the parse with the results of the upload


def stored_document(run: Run, reader: Reader) -> Iterator[bytes]:
    """A document of `benchdb.run/1` in pieces of JSON; the run needs its context.

    Labels and visibility are those of now, runs and campaigns that `reader` may not list are not named, and everything
    else is as it was uploaded, with absent fields filled in. Only one artifact is in memory at a time. Raises
    ArchiveFailed.
    """
    yield canonical_json(_frame(run, reader))[:-1]
    yield b',"results":' + canonical_json(_results(run))
    yield b',"artifacts":['
    for number, artifact in enumerate(run.artifacts.defer("content").order_by("ordinal")):
        yield b"," * bool(number) + canonical_json(_artifact(artifact))
    yield b"]}"


def _frame(run: Run, reader: Reader) -> Raw:
    """Everything but results and raw output."""
    named = Run.objects.filter(pk=run.pk).exclude(in_hidden_campaign(reader)).values_list("campaign_id", flat=True)
    campaign = named.first()
    parser_version = Parse.objects.filter(run=run, number=_FIRST).values_list("parser_version", flat=True).get()
    return {
        "run_id": str(run.pk),
        "schema": run.schema,
        "started_at": run.started_at.isoformat(),
        "finished_at": run.finished_at.isoformat(),
        "agent": {"version": run.agent_version},
        "campaign": {"id": str(campaign), "point": run.campaign_point} if campaign else None,
        "continues": _continues(run, reader),
        "labels": run.runstate.labels,
        "visibility": run.runstate.visibility,
        "machine": {"name": run.machine.name, "machine_id": run.machine.machine_id},
        "environment": run.environment.facts,
        "target": run.target.facts,
        "state_before": run.state_before,
        "workload": {
            "tool": run.tool,
            "tool_version": run.tool_version,
            "command": run.command,
            "parser_version": parser_version,
            "clock_resolution": run.clock_resolution,
            "parameters": run.parameters,
        },
        "protocol": run.protocol,
        "rounds": run.rounds,
        "series": list(_series(run)),
        "extra": run.extra,
    }


def _continues(run: Run, reader: Reader) -> Raw | None:
    """The run that this one extends; None if `reader` may not know it, or its number of rounds was deleted with it."""
    if run.continues is None:
        return None
    rounds = Run.objects.named_to(reader).filter(pk=run.continues).values_list("round_count", flat=True).first()
    return None if rounds is None else {"run_id": str(run.continues), "look": run.look, "rounds": rounds}


def _series(run: Run) -> Iterator[Raw]:
    for row in RoundSeries.objects.filter(run=run).order_by("round"):
        columns = {
            "name": row.names,
            "unit": [SAMPLED[name].unit for name in row.names],
            "source": row.sources,
            "test": row.tests,
            "device": row.devices or [None] * len(row.names),
            "start": row.starts,
            "step": row.steps,
            "scale": row.scales,
            "packed": [base64.b64encode(packed).decode() for packed in row.packed],
        }
        for values in zip(*columns.values(), strict=True):
            yield {"round": row.round, **dict(zip(columns, values, strict=True))}


def _results(run: Run) -> Raw:
    _, results = stored_results(run.pk, _FIRST)
    columns = SentColumns.of(merged_results(results)).as_json()
    given = {"summary": list(results.given)} if any(results.given) else {}
    return {**columns, **given}


def _artifact(artifact: Artifact) -> Raw:
    """As text if it is text: JSON writes a NUL as six characters."""
    content = b"".join(pieces_of(artifact))
    encoding, data = "base64", ""
    if b"\0" not in content:
        with suppress(UnicodeDecodeError):
            encoding, data = "utf-8", content.decode()
    return {
        "name": artifact.name,
        "media_type": artifact.media_type,
        "encoding": encoding,
        "data": data if encoding == "utf-8" else base64.b64encode(content).decode(),
        "sha256": bytes(artifact.sha256).hex(),
    }
