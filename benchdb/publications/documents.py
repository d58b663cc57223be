"""The runs of an article as documents of `benchdb.run/1`: each figure a result with a summary and no values.

A run's id depends on its content, so that loading twice sends the same runs and a corrected figure makes a new run.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from uuid import UUID

from benchagent import formats
from benchdb import __version__
from benchdb.ingest.contract.unknown import unknown_environment, unknown_target

from .data_files import Article, ArticleFigure, FaultyArticle, merged
from .places import SECTIONS, Facts, provenance_of_run
from .printed_numbers import UNITS

# A document needs these facts, even if the article does not give them.
_WORKLOAD: Facts = {"tool_version": None, "command": [], "parameters": {}}
_PROTOCOL: Facts = {"cache": None, "warmup_discarded": None, "order": None, "prepare": None}


def documents(article: Article) -> dict[str, Facts]:
    """The document of each run by its key, in the order of the file. Raises FaultyArticle for a run without figures."""
    return {key: _document(article, key, run) for key, run in article.facts["runs"].items()}


def _document(article: Article, key: str, run: Facts) -> Facts:
    results = [_result(figure) for figure in article.of_run(key)]
    if output := run.get("output"):
        results += _read_results(article.slug, key, output)
    if not results:
        raise FaultyArticle(f"{article.slug}.toml: the run {key} has no figure.")
    facts = article.facts
    day = facts["date"]
    at = datetime(day.year, day.month, day.day, tzinfo=UTC)
    machine = run.get("machine", facts.get("machine", article.slug))
    labels = {"publication": article.slug, "source": facts.get("source", ""), **run.get("labels", {})}
    how = {name: provenance_of_run(article.sourced, key, run.get("like", []), name) for name in SECTIONS}
    # Only these two sections have a provenance in the contract.
    inferred = [
        f"/{name}{pointer}"
        for name in SECTIONS
        if name not in ("environment", "target")
        for pointer, provenance in how[name].items()
        if provenance == "inferred"
    ]
    document = {
        "schema": "benchdb.run/1",
        "started_at": at.isoformat(),
        "finished_at": at.isoformat(),
        "agent": {"version": __version__},
        "labels": labels,
        "visibility": "public",
        "machine": {"name": machine, "machine_id": _sha256(["publication", article.slug, machine])},
        "environment": {**_section("environment", unknown_environment(), facts, run), "provenance": how["environment"]},
        "target": {**_section("target", unknown_target(), facts, run), "provenance": how["target"]},
        "workload": _section("workload", _WORKLOAD, facts, run),
        "protocol": _section("protocol", _PROTOCOL, facts, run),
        "state_before": _section("state_before", {}, facts, run),
        "rounds": [],
        "results": results,
        "artifacts": [_artifact(output)] if output else [],
        "extra": {"publication": {"slug": article.slug, "run": key, "inferred": inferred, **run.get("extra", {})}},
    }
    return {"run_id": str(_run_id(article.slug, at, document)), **document}


def _section(name: str, unknown: Facts, facts: Facts, run: Facts) -> Facts:
    """The facts of a run over those of its article."""
    return merged(unknown, merged(facts.get(name, {}), run.get(name, {})))


def _result(figure: ArticleFigure) -> dict[str, object]:
    summary = {"mean": float(figure.printed.mean), "step": float(figure.printed.step)}
    if figure.printed.sd is not None:
        summary["sd"] = float(figure.printed.sd)
    if figure.n is not None:
        summary["n"] = figure.n
    return {**_measured(figure, UNITS[figure.unit][0]), "summary": summary}


def _measured(measured: ArticleFigure | formats.Result, unit: str) -> dict[str, object]:
    """A result without its figures; it has only known sizes."""
    result: dict[str, object] = {
        "test": measured.test,
        "metric": measured.metric,
        "unit": unit,
        "params": dict(measured.params),
    }
    if measured.file_size is not None:
        result["file_size"] = measured.file_size
    if measured.record_size is not None:
        result["record_size"] = measured.record_size
    if measured.threads is not None:
        result["threads"] = measured.threads
    return result


def _read_results(slug: str, key: str, output: str) -> list[dict[str, object]]:
    """The results in a tool's output that the article prints, each with n and mean of its values.

    They are stored like the figures of tables. Raises FaultyArticle if no format reads the output.
    """
    try:
        parsed = formats.parse(output)
    except formats.FormatError as error:
        raise FaultyArticle(f"{slug}.toml: the output of {key}: {error}") from None
    return [_read_result(result) for result in parsed.results]


def _read_result(result: formats.Result) -> dict[str, object]:
    values = [value for value in result.values if value is not None]
    fields = {**_measured(result, result.unit), "status": result.status}
    if not values:
        return {**fields, "error": result.error}
    return {**fields, "summary": {"n": len(values), "mean": sum(values) / len(values)}}


def _artifact(output: str) -> dict[str, str]:
    sha256 = hashlib.sha256(output.encode()).hexdigest()
    return {"name": "output.txt", "media_type": "text/plain", "encoding": "utf-8", "data": output, "sha256": sha256}


def _run_id(slug: str, at: datetime, document: Facts) -> UUID:
    """A version 7 UUID from the article's date and the digest of the document without BenchDB's version."""
    digest = int(_sha256([slug, {name: part for name, part in document.items() if name != "agent"}]), 16)
    milliseconds = int(at.timestamp() * 1000)
    return UUID(int=milliseconds << 80 | 7 << 76 | (digest >> 64 & 0xFFF) << 64 | 2 << 62 | digest & (2**62 - 1))


def _sha256(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
