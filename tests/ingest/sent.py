"""Documents as agents send them, checked by the server's contract, with their results one by one."""

from collections.abc import Mapping
from typing import Any

from benchagent.formats.rounds import MergedResult
from benchdb.ingest.contract import validate
from benchdb.ingest.contract.document import Frame
from benchdb.runs.store.results import merged_results


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
