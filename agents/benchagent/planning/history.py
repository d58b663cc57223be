"""Reads the durations and the spread of points in earlier runs of this machine from the documents in its spool."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from benchagent.documents.results import WHOLE
from benchagent.documents.shape import RunDocument
from benchagent.errors import UnknownRun
from benchagent.plan.maintenance import MAINTENANCE
from benchagent.plan.model import PREPARATION, Point
from benchagent.planning.precision import FEWEST, METRICS
from benchagent.spool.store import PENDING, SENT, Spool
from benchagent.toml.tables import Parameters

MOST_READ = 300  # documents, the newest; reading one takes some milliseconds
PointKey = tuple[str, str, str]


@dataclass(frozen=True)
class PastRuns:
    """What earlier runs of this machine tell, by point, tool and parameters; the newest run of each counts.

    `seconds` is the mean time of a round; `spreads` the cv of each result with enough values, for the metrics that
    tests are run for.
    """

    seconds: Mapping[PointKey, float] = field(default_factory=dict)
    spreads: Mapping[PointKey, list[float]] = field(default_factory=dict)


def history(spool: Spool) -> PastRuns:
    """The history in the newest documents of a spool."""
    seconds: dict[PointKey, float] = {}
    spreads: dict[PointKey, list[float]] = {}
    for document in _newest(spool):
        key, elapsed, found = _key_of(document), _seconds(document), _spreads(document)
        if key is not None and elapsed is not None:
            seconds.setdefault(key, elapsed)
        if key is not None and found:
            spreads.setdefault(key, found)
    return PastRuns(seconds, spreads)


def key_of(point: Point) -> PointKey:
    """The key of a point: id, tool and parameters. The parameters of an image's preparation are its options."""
    return _key(point.id, point.workload.tool, point.workload.parameters)


def _key(point: str, tool: str, parameters: Parameters) -> PointKey:
    return point, tool, json.dumps(parameters, sort_keys=True)


def _newest(spool: Spool) -> Iterator[RunDocument]:
    ids = sorted(((run_id, state) for state in (PENDING, SENT) for run_id in spool.ids(state)), reverse=True)
    for run_id, state in itertools.islice(ids, MOST_READ):
        try:
            document: RunDocument = json.loads(spool.read(state, run_id))
        except (UnknownRun, ValueError):
            continue  # sent meanwhile, or not one of ours
        if isinstance(document, dict):
            yield document


def _key_of(document: RunDocument) -> PointKey | None:
    campaign, workload = document.get("campaign") or {}, document.get("workload") or {}
    if not (campaign.get("point") and workload.get("tool")):
        return None
    return _key(campaign["point"], workload["tool"], workload.get("parameters") or {})


def _seconds(document: RunDocument) -> float | None:
    """The time of the tool's test `run`; for steps that the agent times one by one, the sum of all steps."""
    times: dict[str, list[float]] = {}
    results = document["results"]
    for test, metric, start, end in zip(results["test"], results["metric"], results["offsets"], results["offsets"][1:]):
        values = [value for value in results["values"][start:end] if value is not None]
        if metric == "elapsed" and values:
            times[test] = values
    tool = document["workload"]["tool"]
    if tool not in (PREPARATION, MAINTENANCE):
        times = {"run": times["run"]} if "run" in times else {}
    return sum(sum(values) / len(values) for values in times.values()) if times else None


def _spreads(document: RunDocument) -> list[float]:
    """The cv of each result that has enough values and a positive mean."""
    results, found = document["results"], []
    for test, metric, start, end in zip(results["test"], results["metric"], results["offsets"], results["offsets"][1:]):
        values = [value for value in results["values"][start:end] if value is not None]
        mean = math.fsum(values) / len(values) if values else 0.0
        if test != WHOLE and metric in METRICS and len(values) >= FEWEST and mean > 0:
            squares = math.fsum((value - mean) ** 2 for value in values)
            found.append(math.sqrt(squares / (len(values) - 1)) / mean)
    return found
