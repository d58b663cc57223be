"""Joins the document of further rounds to that of the run which they continue (docs/result-format.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from benchagent.formats.columns import PLAIN, ResultColumns, ResultsJson
from benchagent.formats.model import FAILED, OK
from benchagent.formats.rounds import LONGEST_ERROR, Evidence, MergedResult

from .series import joined_series
from .shape import RunDocument

T = TypeVar("T")
# Parts of a document that must be equal in both; the settings that end a plan may differ.
WORKLOAD = ("tool", "tool_version", "command", "parameters")
PROTOCOL = ("cache", "order", "prepare", "seed", "warmup_discarded")
_ROUND = re.compile(r"^round (\d+):", re.MULTILINE)


def differences(earlier: RunDocument, later: RunDocument) -> list[str]:
    """The parts that differ, so that the rounds are not those of one sequence; empty if they can be joined."""
    names = []
    if earlier["machine"]["machine_id"] != later["machine"]["machine_id"]:
        names.append("machine")
    for part in ("environment", "target"):
        names += [f"{part}.{key}" for key in _differing(_mapping(earlier.get(part)), _mapping(later.get(part)))]
    for part, keys in (("workload", WORKLOAD), ("protocol", PROTOCOL)):
        first, second = _mapping(earlier.get(part)), _mapping(later.get(part))
        names += [f"{part}.{key}" for key in _differing(first, second) if key in keys]
    return names


def joined(earlier: RunDocument, later: RunDocument) -> RunDocument:
    """The document of all rounds of both, under the id of `later`, which names the run that it continues."""
    before = len(earlier["rounds"])
    first, second = (list(_results(each["results"])) for each in (earlier, later))
    results = ResultColumns.of(_joined_results(first, second, before, len(later["rounds"])))
    document = cast("RunDocument", {**earlier, "results": results.as_json()})
    for name in ("run_id", "schema", "agent", "finished_at"):
        document[name] = later[name]
    if "visibility" in later:
        document["visibility"] = later["visibility"]
    document["continues"] = {
        "run_id": earlier["run_id"],
        "look": earlier.get("continues", {"look": 1})["look"] + 1,
        "rounds": before,
    }
    document["rounds"] = [*earlier["rounds"], *later["rounds"]]
    document["protocol"] = {**earlier["protocol"], "ended_by": later["protocol"].get("ended_by")}
    if series := joined_series(earlier.get("series", []), later.get("series", []), before):
        document["series"] = series
    names = {each["name"] for each in earlier["artifacts"]}
    document["artifacts"] = [*earlier["artifacts"], *(each for each in later["artifacts"] if each["name"] not in names)]
    warnings = [*_list(earlier["extra"].get("parser_warnings")), *_list(later["extra"].get("parser_warnings"))]
    document["extra"] = {**earlier["extra"], **({"parser_warnings": warnings} if warnings else {})}
    return document


def _joined_results(
    first: Iterable[MergedResult], second: Iterable[MergedResult], before: int, after: int
) -> Iterator[MergedResult]:
    """The results of both; rounds in which one was not measured have no value."""
    later = {result.identity: result for result in second}
    for result in first:
        other = later.pop(result.identity, None) or _not_measured(result, after)
        yield _joined_result(result, other, before)
    for result in later.values():
        yield _joined_result(_not_measured(result, before), result, before)


def _not_measured(result: MergedResult, rounds: int) -> MergedResult:
    """The result without a value in so many rounds."""
    return replace(result, values=[None] * rounds, error=None, evidence={}, artifacts=(), lines=(), histograms=())


def _joined_result(first: MergedResult, second: MergedResult, before: int) -> MergedResult:
    values = [*first.values, *second.values]
    measured = any(value is not None for value in values)
    statuses = {first.status, second.status}
    later = _ROUND.sub(lambda match: f"round {int(match[1]) + before}:", second.error or "")
    with_lines = bool(first.artifacts or second.artifacts)
    with_histograms = bool(first.histograms or second.histograms)
    return replace(
        first,
        values=values,
        status=OK if measured else first.status if len(statuses) == 1 else FAILED,
        error="\n".join(filter(None, [first.error, later]))[:LONGEST_ERROR] or None,
        evidence=_evidence(first, second),
        artifacts=[*_padded(first.artifacts, first), *_padded(second.artifacts, second)] if with_lines else [],
        lines=[*_padded(first.lines, first), *_padded(second.lines, second)] if with_lines else [],
        histograms=[*_padded(first.histograms, first), *_padded(second.histograms, second)] if with_histograms else [],
    )


def _padded(column: Sequence[T | None], result: MergedResult) -> Sequence[T | None]:
    return column or [None] * len(result.values)


def _evidence(first: MergedResult, second: MergedResult) -> Evidence:
    """The counts of both. The caches were emptied if they were emptied before every round that counts."""
    counts: Counter[str] = Counter()
    for result in (first, second):
        counts.update({name: value for name, value in result.evidence.items() if not isinstance(value, bool)})
    measured = [result for result in (first, second) if any(value is not None for value in result.values)]
    emptied = measured and all(result.evidence.get("cache_emptied") for result in measured)
    return {**counts, "cache_emptied": True} if emptied else dict(counts)


def _results(columns: ResultsJson) -> Iterator[MergedResult]:
    """The results in the columns of a document."""
    offsets, values, lines = columns["offsets"], columns["values"], columns.get("lines")
    for i, (start, end) in enumerate(zip(offsets, offsets[1:])):
        plain = {name: columns[name][i] for name in PLAIN if name in columns}  # type: ignore[literal-required]
        source = columns["source"][i] if "source" in columns else None
        yield MergedResult(
            **plain,
            params=columns["params"][i] if "params" in columns else {},
            values=values[start:end],
            evidence=(columns["evidence"][i] or {}) if "evidence" in columns else {},
            artifacts=columns["artifacts"][source] if source is not None else [],
            lines=(lines[start:end] if lines else []) if source is not None else [],
            histograms=(columns["histograms"][i] or []) if "histograms" in columns else [],
        )


def _differing(first: Mapping[str, object], second: Mapping[str, object]) -> list[str]:
    return [key for key in dict.fromkeys([*first, *second]) if first.get(key) != second.get(key)]


def _mapping(part: object) -> Mapping[str, object]:
    return part if isinstance(part, Mapping) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
