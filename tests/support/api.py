"""Checks of answers of the API."""

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
    """The error in an answer that must have this status and the shape of all errors."""
    assert answer.status_code == status, answer.content[:2000]
    assert answer["Content-Type"].startswith("application/json")
    body = answer.json()
    assert (set(body), set(body["error"])) == ({"error"}, {"code", "message", "faults"})
    for fault in body["error"]["faults"]:
        assert set(fault) == {"pointer", "value", "expected"}
    return body["error"]


def table_sizes() -> dict[str, int]:
    """The number of rows of each table that an upload writes to."""
    return {name: apps.get_model(name).objects.count() for name in STORED}


def contains(read: Any, sent: Any) -> bool:
    """Whether `read` contains everything in `sent`. Fields that were not sent may be null or empty.

    PostgreSQL's jsonb keeps the digits of numbers, so 1.0 may be read as 1, and 1e16 as a whole number, but True not.
    """
    if isinstance(sent, dict):
        return isinstance(read, dict) and all(name in read and contains(read[name], sent[name]) for name in sent)
    if isinstance(sent, list):
        return isinstance(read, list) and len(read) == len(sent) and all(map(contains, read, sent))
    if isinstance(sent, float):
        return type(read) in (int, float) and float(read) == sent
    return read == sent and isinstance(read, bool) == isinstance(sent, bool)
