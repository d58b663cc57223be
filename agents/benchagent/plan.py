"""A plan: TOML in, points out, and the order in which they are measured. Pure; the server reads plans with it too."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .errors import PlanError
from .parameters import TOOLS, read_parameters
from .quantities import parse_duration, parse_size
from .tables import (
    Parameters,
    Table,
    count,
    flag,
    list_of,
    name,
    one_of,
    one_or_more,
    option,
    seed,
    text,
    texts_by_name,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE_SYSTEMS = ("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs")
ORDERS = ("interleaved", "sequential", "shuffled")
CACHES = ("uncontrolled", "cold", "warm")
PREPARATION = "mkfs"  # the tool of the point that holds an image's mkfs and mount times
DEFAULT_ROUNDS = 5
MOST_POINTS = 10_000
TIMEOUT = 3600.0


@dataclass(frozen=True)
class Target:
    """Where workloads run. An image has a size and a file system; a directory a path, or None until one is given."""

    name: str
    kind: str
    path: str | None = None
    size: int = 0
    file_system: str = ""
    mkfs_options: tuple[str, ...] = ()
    mount_options: tuple[str, ...] = ()
    sparse: bool = True  # whether the image's space is taken only as it is written
    direct_io: bool = False  # of the loop device: whether it goes around the page cache of the file system below


@dataclass(frozen=True)
class PlanFile:
    """A file that a workload names, as it was when the plan was read: its name in the plan, and where it lies.

    `text` is its content, None where it is an archive.
    """

    name: str
    path: str
    sha256: str
    text: str | None


@dataclass(frozen=True)
class Workload:
    """A tool with its parameters; `timeout` in seconds bounds one invocation.

    `files` are read where the plan lies (`plan_files.with_files`); reading a plan alone leaves them out.
    """

    name: str
    tool: str
    parameters: Parameters = field(default_factory=dict, hash=False)
    timeout: float = TIMEOUT
    files: tuple[PlanFile, ...] = ()


@dataclass(frozen=True)
class Point:
    """One place in the matrix. Its id is stable: `TARGET/WORKLOAD`."""

    target: Target
    workload: Workload

    @property
    def id(self) -> str:
        return f"{self.target.name}/{self.workload.name}"


@dataclass(frozen=True)
class Visit:
    """One preparation of one target, and the points measured on it before it is prepared again."""

    round: int
    points: tuple[Point, ...]

    @property
    def target(self) -> Target:
        return self.points[0].target


@dataclass(frozen=True)
class Plan:
    """`rounds` is None where only the time budget ends the plan. `time_budget` is in seconds."""

    name: str
    targets: tuple[Target, ...]
    workloads: tuple[Workload, ...]
    rounds: int | None = DEFAULT_ROUNDS
    min_rounds: int = 1
    time_budget: float | None = None
    order: str = "interleaved"
    seed: int = 0
    cache: str = "uncontrolled"
    labels: dict[str, str] = field(default_factory=dict, hash=False)

    def points_of(self, target: Target) -> tuple[Point, ...]:
        """An image's first point is its own preparation: mkfs and mount, timed once a round."""
        first = (_preparation(target),) if target.kind == "image" else ()
        return tuple(Point(target, workload) for workload in first + self.workloads)

    @property
    def warm_ups(self) -> int:
        """Rounds before the first that counts."""
        return 1 if self.cache == "warm" else 0

    def points(self) -> tuple[Point, ...]:
        return tuple(point for target in self.targets for point in self.points_of(target))

    def blocks(self) -> tuple[tuple[Target, ...], ...]:
        """Targets whose rounds belong together: all of them, or one after the other where the order is sequential.

        Each block ends by itself, and has its even share of the time budget.
        """
        return tuple((target,) for target in self.targets) if self.order == "sequential" else (self.targets,)

    def is_over(self, rounds: int, elapsed: float) -> bool:
        """Whether a block ends after `rounds` whole rounds that took `elapsed` seconds; asked after each round."""
        if rounds < self.min_rounds:
            return False
        if self.rounds is not None and rounds >= self.rounds:
            return True
        return self.time_budget is not None and elapsed >= self.time_budget / len(self.blocks())

    def visits(self, block: tuple[Target, ...], number: int) -> Iterator[Visit]:
        """Round `number` of a block (from 0; a warm-up is below): each of its targets once, with all workloads."""
        order = random.Random(f"{self.seed}:{number}")
        targets = list(block)
        if self.order == "shuffled":
            order.shuffle(targets)
        for target in targets:
            points = list(self.points_of(target))
            if self.order == "shuffled":
                order.shuffle(points)
                points.sort(key=lambda point: point.workload.tool != PREPARATION)  # nothing comes before mkfs
            yield Visit(number, tuple(points))


def _preparation(target: Target) -> Workload:
    options = {"mkfs_options": list(target.mkfs_options), "mount_options": list(target.mount_options)}
    return Workload(PREPARATION, PREPARATION, {"size": target.size, **options})


def load(source: str) -> Plan:
    """Read a plan. Raises PlanError with every fault found."""
    try:
        document: dict[str, Any] = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"it is not TOML: {error}") from None
    faults: list[str] = []
    plan = _read_plan(Table(document, "", faults), faults)
    if faults:
        raise PlanError("\n".join(faults))
    return plan


def _read_plan(table: Table, faults: list[str]) -> Plan:
    table.require("name")
    rounds, budget = table.read("rounds", count), table.read("time_budget", parse_duration)
    if rounds is None and budget is None:
        rounds = DEFAULT_ROUNDS
    fewest = table.read("min_rounds", count)
    if fewest is not None and rounds is not None and fewest > rounds:
        table.fault("min_rounds", f"no more than rounds, {rounds}")
    targets = [target for each in table.tables("targets") for target in _read_targets(each)]
    workloads = [_read_workload(each) for each in table.tables("workloads")]
    _refuse_twins("targets", [target.name for target in targets], faults)
    _refuse_twins("workloads", [workload.name for workload in workloads] + [PREPARATION], faults)
    if len(targets) * (len(workloads) + 1) > MOST_POINTS:
        faults.append(f"the plan has more than {MOST_POINTS} points")
    plan = Plan(
        name=table.read("name", name) or "",
        targets=tuple(targets),
        workloads=tuple(workloads),
        rounds=rounds,
        min_rounds=fewest or min(2, rounds or 2),
        time_budget=budget,
        order=table.read("order", one_of(ORDERS)) or "interleaved",
        seed=table.read("seed", seed) or 0,
        cache=table.read("cache", one_of(CACHES)) or "uncontrolled",
        labels=table.read("labels", texts_by_name) or {},
    )
    if plan.cache == "cold" and any(target.kind == "directory" for target in targets):
        table.fault("cache", "warm or uncontrolled, because only an image can be remounted to empty its cache")
    table.refuse_others()
    return plan


def _read_targets(table: Table) -> Iterator[Target]:
    """The targets of one [[targets]] table: one for each file system it lists."""
    table.require("kind")
    kind = table.read("kind", one_of(("image", "directory")))
    given = table.read("name", name)
    if kind == "directory":
        yield Target(given or "directory", kind, path=table.read("path", text))
    elif kind == "image":
        table.require("file_system")
        table.require("size")
        types = table.read("file_system", one_or_more(one_of(FILE_SYSTEMS))) or []
        size = table.read("size", parse_size) or 0
        mkfs_options = tuple(table.read("mkfs_options", list_of(option)) or ())
        mount_options = tuple(table.read("mount_options", list_of(option)) or ())
        sparse = table.read("sparse", flag) is not False
        direct_io = table.read("direct_io", flag) is True
        for type_ in types:
            own = given if given is None or len(types) == 1 else f"{given}-{type_}"
            yield Target(own or type_, kind, None, size, type_, mkfs_options, mount_options, sparse, direct_io)
    if kind is not None:
        table.refuse_others()


def _read_workload(table: Table) -> Workload:
    table.require("tool")
    tool = table.read("tool", one_of(TOOLS))
    given = table.read("name", name)
    timeout = table.read("timeout", parse_duration) or TIMEOUT
    if tool is None:
        return Workload(given or "", "")
    parameters = read_parameters(table, tool)
    seconds = parameters.get("seconds", 0)
    if isinstance(seconds, (int, float)) and seconds >= timeout:
        table.fault("seconds", f"less than the timeout, {timeout:g} s")
    table.refuse_others()
    return Workload(given or tool, tool, parameters, timeout)


def _refuse_twins(key: str, names: list[str], faults: list[str]) -> None:
    for twin in sorted({each for each in names if each and names.count(each) > 1}):
        why = "; `mkfs` is taken by the preparation" if twin == PREPARATION else ""
        faults.append(f"{key}: two are named {twin!r}; give each its own name{why}")
