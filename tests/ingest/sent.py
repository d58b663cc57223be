"""Documents as agents send them, checked by the server's contract, with their results one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchagent.formats.rounds import MergedResult
from benchdb.ingest.contract import validate
from benchdb.ingest.contract.document import Frame
from benchdb.ingest.contract.result import Result
from benchdb.runs.store.results import merged_results

DEFAULTS = {"params": {}, "status": "ok"}
FIELDS = [name for name in Result.model_fields if name not in ("values", "source")]


class SentRun(Frame):
    """A valid document; `results` are its columns, taken apart."""

    results: list[MergedResult]


def sent_run(body: bytes) -> SentRun:
    """The document in this body. Raises FaultyDocument."""
    checked = validate(body)
    return SentRun.model_construct(**vars(checked.frame), results=merged_results(checked.results))


def values_by_result(document: Mapping[str, Any]) -> list[list[float | None]]:
    """The values of each result of a document with results in either form."""
    results = document["results"]
    if isinstance(results, list):
        return [result["values"] for result in results]
    ends = zip(results["offsets"], results["offsets"][1:], strict=False)
    return [results["values"][start:end] for start, end in ends]


def columns_of(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The columns of these results."""
    columns: dict[str, Any] = {name: [result.get(name, DEFAULTS.get(name)) for result in results] for name in FIELDS}
    artifacts: list[Any] = []
    columns |= {"values": [], "offsets": [0], "lines": [], "source": [], "artifacts": artifacts}
    for result in results:
        source = result.get("source")
        columns["values"] += result["values"]
        columns["offsets"].append(len(columns["values"]))
        columns["lines"] += source["lines"] if source else [None] * len(result["values"])
        if source and source["artifacts"] not in artifacts:
            artifacts.append(source["artifacts"])
        columns["source"].append(artifacts.index(source["artifacts"]) if source else None)
    return columns


def as_columns(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its list of results as columns, as agents send them."""
    return {**document, "results": columns_of(document["results"])}
