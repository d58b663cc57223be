"""The runs of an article as documents of `benchdb.run/1`: each figure a result with a summary and no values.

A run's id depends on its content, so that loading twice sends the same runs and a corrected figure makes a new run.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from benchagent import formats
from benchdb import __version__
from benchdb.ingest.contract.unknown import unknown_environment, unknown_target

from .data_files import Article, ArticleFigure, FaultyArticle, merged
from .printed_numbers import UNITS

Document = dict[str, Any]
# A document needs these facts, even if the article does not give them.
_WORKLOAD: Document = {"tool_version": None, "command": [], "parameters": {}}
_PROTOCOL: Document = {"cache": "uncontrolled", "order": "sequential", "prepare": "none"}


def documents(article: Article) -> dict[str, Document]:
    """The document of each run by its key, in the order of the file. Raises FaultyArticle for a run without figures."""
    return {key: _document(article, key, run) for key, run in article.facts["runs"].items()}


def _document(article: Article, key: str, run: Document) -> Document:
    results = [_result(figure) for figure in article.of_run(key)]
    if output := run.get("output"):
        results += _read_results(article.slug, key, output)
    if not results:
        raise FaultyArticle(f"{article.slug}.toml: the run {key} has no figure.")
    facts = article.facts
    day = facts["date"]
    at = datetime(day.year, day.month, day.day, tzinfo=UTC)
    machine = run.get("machine", facts.get("machine", article.slug))
    sections = {
        name: merged(base, merged(facts.get(name, {}), run.get(name, {})))
        for name, base in (
            ("environment", unknown_environment()),
            ("target", unknown_target()),
            ("workload", _WORKLOAD),
            ("protocol", _PROTOCOL),
            ("state_before", {}),
        )
    }
    for name in ("environment", "target"):
        sections[name]["provenance"] = {f"/{fact}": "published" for fact in sections[name] if fact != "extra"}
    labels = {"publication": article.slug, "source": facts.get("source", ""), **run.get("labels", {})}
    document: Document = {
        "schema": "benchdb.run/1",
        "started_at": at.isoformat(),
        "finished_at": at.isoformat(),
        "agent": {"version": __version__},
        "labels": labels,
        "visibility": "public",
        "machine": {"name": machine, "machine_id": _sha256(["publication", article.slug, machine])},
        **sections,
        "rounds": [],
        "results": results,
        "artifacts": [_artifact(output)] if output else [],
        "extra": {"publication": {"slug": article.slug, "run": key, **run.get("extra", {})}},
    }
    return {"run_id": str(_run_id(article.slug, at, document)), **document}


def _result(figure: ArticleFigure) -> Document:
    summary: Document = {"mean": float(figure.printed.mean), "step": float(figure.printed.step)}
    if figure.printed.sd is not None:
        summary["sd"] = float(figure.printed.sd)
    if figure.n is not None:
        summary["n"] = figure.n
    sizes = {"file_size": figure.file_size, "record_size": figure.record_size, "threads": figure.threads}
    return {
        "test": figure.test,
        "metric": figure.metric,
        "unit": UNITS[figure.unit][0],
        **{name: size for name, size in sizes.items() if size is not None},
        "params": dict(figure.params),
        "summary": summary,
    }


def _read_results(slug: str, key: str, output: str) -> list[Document]:
    """The results in a tool's output that the article prints, each with n and mean of its values.

    They are stored like the figures of tables. Raises FaultyArticle if no format reads the output.
    """
    try:
        parsed = formats.parse(output)
    except formats.FormatError as error:
        raise FaultyArticle(f"{slug}.toml: the output of {key}: {error}") from None
    return [_read_result(result) for result in parsed.results]


def _read_result(result: formats.Result) -> Document:
    values = [value for value in result.values if value is not None]
    sizes = {"file_size": result.file_size, "record_size": result.record_size, "threads": result.threads}
    fields: Document = {
        "test": result.test,
        "metric": result.metric,
        "unit": result.unit,
        **{name: size for name, size in sizes.items() if size is not None},
        "params": dict(result.params),
        "status": result.status,
    }
    if not values:
        return {**fields, "error": result.error}
    return {**fields, "summary": {"n": len(values), "mean": sum(values) / len(values)}}


def _artifact(output: str) -> Document:
    sha256 = hashlib.sha256(output.encode()).hexdigest()
    return {"name": "output.txt", "media_type": "text/plain", "encoding": "utf-8", "data": output, "sha256": sha256}


def _run_id(slug: str, at: datetime, document: Document) -> UUID:
    """A version 7 UUID from the article's date and the digest of the document without BenchDB's version."""
    content = {name: part for name, part in document.items() if name != "agent"}
    digest = int(_sha256([slug, content]), 16)
    milliseconds = int(at.timestamp() * 1000)
    return UUID(int=milliseconds << 80 | 7 << 76 | (digest >> 64 & 0xFFF) << 64 | 2 << 62 | digest & (2**62 - 1))


def _sha256(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
