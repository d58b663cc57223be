"""What the API answers."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.http import HttpResponse

STORED = (
    "catalog.Machine",
    "catalog.Environment",
    "catalog.Target",
    "runs.Run",
    "runs.RunState",
    "runs.Parse",
    "runs.Result",
    "runs.Artifact",
    "runs.Summary",
    "runs.Tombstone",
)


def error_of(answer: HttpResponse, status: int) -> dict[str, Any]:
    """The error in an answer that must have this status and the one shape all errors have."""
    assert answer.status_code == status, answer.content[:2000]
    assert answer["Content-Type"].startswith("application/json")
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "faults"}
    for fault in body["error"]["faults"]:
        assert set(fault) == {"pointer", "value", "expected"}
    return body["error"]


def table_sizes() -> dict[str, int]:
    """How many rows every table has that an upload writes to."""
    return {name: apps.get_model(name).objects.count() for name in STORED}
