"""A document that is made from the store again describes an equal run."""

import base64
import dataclasses
import hashlib
import json
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser, User

from benchdb.ingest.contract import CheckedDocument, validate
from benchdb.ingest.stored_document import stored_document
from benchdb.runs.models import Run, Visibility
from benchdb.runs.services import edit
from tests.support.documents import (
    as_columns,
    bonnie_document,
    document,
    encoded,
    iozone_document,
    result,
    round_,
    series,
    uuid7,
)
from tests.support.store import store_run

BINARY = b"\x00\xff\x01"


def binary_artifact() -> dict[str, Any]:
    data, sha256 = base64.b64encode(BINARY).decode(), hashlib.sha256(BINARY).hexdigest()
    fields = {"media_type": "application/octet-stream", "encoding": "base64", "data": data, "sha256": sha256}
    return {"name": "round-1/core", **fields}


def control_characters() -> dict[str, Any]:
    text = "a\x00b\x1b\n"
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return {"name": "odd", "media_type": "text/plain", "encoding": "utf-8", "data": text, "sha256": sha256}


def published() -> dict[str, Any]:
    given = result(None, summary={"n": 3, "mean": 10.5, "sd": 0.25, "step": 0.01})
    return document(results=[given], artifacts=[], extra={"import": {"name": "x"}, "deep": [{"a": [1, 2.5, None]}]})


DOCUMENTS = {
    "three results": lambda: document(),
    "columns": lambda: as_columns(document()),
    "iozone": iozone_document,
    "bonnie": bonnie_document,
    "series": lambda: document(series=[series(round=2), series([1], name="device_write_bytes", scale=512)]),
    "other artifacts": lambda: document(
        results=[result([1.0, 2, 3])], artifacts=[control_characters(), binary_artifact()]
    ),
    "given figures": published,
    "a failed round": lambda: {
        **document(rounds=2, results=[result([0.1, None], evidence={"logical_bytes": 2**40})], artifacts=[]),
        "rounds": [round_(0), {**round_(1), "status": "failed", "error": "killed"}],
    },
    "campaign": lambda: document(campaign={"id": str(uuid7()), "point": "ext4"}),
    "a big number": lambda: document(extra={"big": 2**63 - 1}),
}


def arrays(checked: CheckedDocument) -> dict[str, Any]:
    """The columns of the results in a form that can be compared: NaN equals NaN."""
    columns = {field.name: getattr(checked.results, field.name) for field in dataclasses.fields(checked.results)}
    columns["values"] = [None if np.isnan(value) else value for value in columns["values"]]
    return {
        name: column.tolist() if isinstance(column, np.ndarray) else [each or None for each in column]
        for name, column in columns.items()
    }


def frame(checked: CheckedDocument) -> dict[str, Any]:
    dumped = checked.frame.model_dump(mode="json")
    for artifact in dumped["artifacts"]:
        encoding, data = artifact.pop("encoding"), artifact.pop("data")
        artifact["content"] = base64.b64decode(data) if encoding == "base64" else data.encode()
    dumped["series"].sort(key=lambda series: series["round"])  # as the store keeps them
    dumped["workload"]["parser_version"] = dumped["workload"]["parser_version"] or "unknown"
    return dumped


def again(run: Run) -> bytes:
    return b"".join(stored_document(Run.objects.with_context().get(pk=run.pk), AnonymousUser()))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_it_is_the_document_that_was_sent(owner: User, name: str) -> None:
    sent = {**DOCUMENTS[name](), "visibility": "public"}
    run = store_run(owner, sent)

    body = again(run)

    before, after = validate(encoded(sent)), validate(body, run.pk)
    assert (frame(after), arrays(after)) == (frame(before), arrays(before))
    # Made again of the same store, it is the same document.
    assert again(run) == body


def test_it_has_the_labels_and_the_visibility_of_now(owner: User) -> None:
    run = store_run(owner, labels={"plan": "old"}, visibility="private")
    edit(run, {"plan": "new"}, Visibility.PUBLIC)

    body = json.loads(again(run))

    assert (body["labels"], body["visibility"]) == ({"plan": "new"}, "public")


def test_a_run_that_continues_another_one_says_which(owner: User) -> None:
    first = store_run(owner, document(rounds=2, visibility="public"))
    continues = {"run_id": str(first.pk), "look": 2, "rounds": 2}
    run = store_run(owner, document(rounds=3, visibility="public", continues=continues))

    assert json.loads(again(run))["continues"] == continues

    first.delete()
    assert json.loads(again(run))["continues"] is None
