"""The shape of an explained plan, schema `benchagent.plan/1`, which `benchagent plan check --json` prints."""

from __future__ import annotations

from typing import TypedDict

from benchagent.toml.tables import Parameters


class ExplainedPlan(TypedDict):
    """The plan's own settings, as in `Plan`."""

    name: str
    rounds: int | None
    warm_ups: int
    min_rounds: int
    time_budget: float | None
    precision: float | None
    order: str
    seed: int
    cache: str
    memory: int | None
    labels: dict[str, str]


class ExplainedTarget(TypedDict):
    """A target with the commands that make and mount it; none if the agent does not make it."""

    name: str
    kind: str
    path: str | None
    size: int | None
    file_system: str | None
    commands: list[list[str]]
    tunables: dict[str, int | str]
    age: Parameters | None
    wipe: bool
    notes: list[str]
    refused: str | None


class ExplainedWorkload(TypedDict):
    """A workload with the commands of one round; none if the agent itself measures it.

    `work` says in lines for people what the workload's files make the tool do.
    """

    name: str
    tool: str
    commands: list[list[str]]
    parameters: Parameters
    files: list[str]
    work: list[str]
    timeout: float


class ExplainedPoint(TypedDict):
    """A point: why it is skipped, its seconds in one round and their basis, and the bytes of one round."""

    id: str
    skipped: str | None
    seconds: float | None
    rests_on: str
    bytes_written: int | None


class ExplainedTotals(TypedDict):
    """The cost of the plan; `rounds` is None if they are too many to count. `rests_on` counts points by basis."""

    points: int
    skipped: int
    rounds: int | None
    bytes_written: int
    points_of_unknown_bytes: int
    seconds: float
    rests_on: dict[str, int]


class ExplainedDetection(TypedDict):
    """What the plan can find: one true `difference` among so many `comparisons` is `found` in this share of cases.

    `spread` is the cv of the rounds: the median of so many earlier results of this machine, or a default for 0.
    `results_known`: whether the number of comparisons is from earlier runs. `rounds` and `found` are None if the rounds
    are too many to count. `rounds_wanted` find the difference in the share `wanted`; None if a thousand do not.
    """

    difference: float
    spread: float
    spread_of_results: int
    comparisons: int
    results_known: bool
    rounds: int | None
    found: float | None
    rounds_wanted: int | None
    wanted: float


class ExplainedDevice(TypedDict, total=False):
    """A device that the plan formats. With a `fault`, why it is not formatted, there is only its path besides."""

    path: str
    node: str
    model: str | None
    size: int
    signatures: list[str]
    fault: str | None


class _OfAnyMachine(TypedDict):
    schema: str
    plan: ExplainedPlan
    targets: list[ExplainedTarget]
    workloads: list[ExplainedWorkload]
    points: list[ExplainedPoint]
    totals: ExplainedTotals
    detection: ExplainedDetection


class Explanation(_OfAnyMachine, total=False):
    """The whole explanation. `machine_not_asked` is why it is unknown which points the machine would skip."""

    devices: list[ExplainedDevice]
    machine_not_asked: str | None
