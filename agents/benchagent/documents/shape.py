"""The shape of a run's document, schema `benchdb.run/1` (docs/result-format.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from benchagent.formats.columns import ResultsJson
from benchagent.inventory import Environment, MachineIdentity, TargetFacts, TargetState
from benchagent.toml.tables import Parameters


class CampaignOfRun(TypedDict, total=False):
    """The campaign of a run, and the id of the point that the run measured."""

    id: str
    point: str


class ContinuedRun(TypedDict):
    """The run that a document continues, the number of this look at the growing run, and the rounds of that run."""

    run_id: str
    look: int
    rounds: int


class WorkloadOfRun(TypedDict, total=False):
    """A run's workload; `clock_resolution` in seconds."""

    tool: str
    tool_version: str | None
    command: list[str]
    parameters: Parameters
    parser_version: str
    clock_resolution: float | None


class SeriesJson(TypedDict, total=False):
    """One series of a document; `round` counts from 0. The other fields are those of `records.SampledSeries`."""

    round: int
    name: str
    unit: str
    source: str
    test: str
    device: str
    start: float
    step: float
    scale: float
    packed: str


class RunDocument(TypedDict, total=False):
    """The document of a run. Documents that are read from a spool may lack any key."""

    run_id: str
    schema: str
    started_at: str
    finished_at: str
    agent: Mapping[str, str]
    campaign: CampaignOfRun
    continues: ContinuedRun
    labels: Mapping[str, str]
    machine: MachineIdentity
    environment: Environment
    target: TargetFacts
    state_before: TargetState
    workload: WorkloadOfRun
    protocol: Mapping[str, object]
    rounds: list[dict[str, object]]
    results: ResultsJson
    series: list[SeriesJson]
    artifacts: list[dict[str, str]]
    extra: Mapping[str, object]
    visibility: str
