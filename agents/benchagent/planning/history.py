"""Reads the durations of points in earlier runs of this machine from the documents in its spool."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

from benchagent.documents.run import RunDocument
from benchagent.errors import UnknownRun
from benchagent.plan.maintenance import MAINTENANCE
from benchagent.plan.model import PREPARATION, Point
from benchagent.spool.store import PENDING, SENT, Spool
from benchagent.toml.tables import Parameters

MOST_READ = 300  # documents, the newest; reading one takes some milliseconds
PointKey = tuple[str, str, str]


def seconds_by_point(spool: Spool) -> dict[PointKey, float]:
    """The mean seconds of a round by point, tool and parameters; later documents take precedence."""
    by_point: dict[PointKey, float] = {}
    for document in _newest(spool):
        key, seconds = _key_of(document), _seconds(document)
        if key is not None and seconds is not None:
            by_point.setdefault(key, seconds)
    return by_point


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
