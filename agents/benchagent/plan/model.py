"""The content of a plan: targets, workloads, their points, and the order of their measurement. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from benchagent.toml.tables import Parameters

from .rotation import drawn_order, order_of

ORDERS = ("rotated", "interleaved", "shuffled", "sequential")
DEFAULT_ORDER = ORDERS[0]
ORDER_OF_SIDES = "shuffled"
CACHES = ("uncontrolled", "cold", "warm")
KINDS = ("image", "device", "directory")
TUNABLES = ("read_ahead", "scheduler", "nr_requests")  # of the target's block device
PREPARATION = "mkfs"  # the tool of the point that holds the times of mkfs and mount
DEFAULT_ROUNDS = 8
MOST_PRECISE_ROUNDS = 30  # the limit if a precision ends the rounds and the plan has no other limit
MOST_TABLES = 1000  # targets, and likewise workloads, after the tables of a plan are expanded
MOST_POINTS = 10_000
TIMEOUT = 3600.0

Item = TypeVar("Item")


@dataclass(frozen=True)
class KernelModule:
    """A kernel module: of a file, or the installed one, loaded with these parameters."""

    name: str
    file: str | None = None
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True)
class GateSide:
    """One of the two sides of a gate: what is changed for each visit of its targets, and undone after it.

    `programs` are pairs of a name and the path of the program to use. `setup` and `undo` are commands for the shell.
    """

    name: str
    programs: tuple[tuple[str, str], ...] = ()
    modules: tuple[KernelModule, ...] = ()
    setup: str | None = None
    undo: str | None = None


@dataclass(frozen=True)
class Gate:
    """How sides are judged: the difference too small to matter, and the metrics; none: the main one of each test."""

    margin: float = 0.05
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True)
class Target:
    """Where workloads run. Sizes are bytes.

    A directory has a path (None until one is given) and tunables; the agent makes no file system in it. An image has a
    size, a device the path of its stable id, `/dev/disk/by-id/…`. The agent does not change a tunable that is None.
    """

    name: str
    kind: str  # "image", "device" or "directory"
    path: str | None = None
    size: int = 0
    file_system: str = ""
    mkfs_options: tuple[str, ...] = ()
    mount_options: tuple[str, ...] = ()
    sparse: bool = True  # whether the image takes up space only as it is written
    direct_io: bool = False  # whether the loop device bypasses the page cache of the file system below
    tune2fs: tuple[str, ...] = ()  # options for tune2fs after mkfs; ext2, ext3, ext4
    wipe: bool = False  # whether mkfs may destroy existing data on the device
    read_ahead: int | None = None  # bytes
    scheduler: str | None = None
    nr_requests: int | None = None
    # Parameters of `fsload age`; the target is aged once and restored before each round.
    age: Parameters | None = field(default=None, hash=False)
    notes: tuple[str, ...] = ()  # one for each setting of the plan that was replaced for this kernel
    refused: str | None = None  # why no file system can be made; the points are skipped with this reason
    side: GateSide | None = None

    @property
    def is_made(self) -> bool:
        """Whether the agent makes the file system, and can remount it."""
        return self.kind != "directory"

    @property
    def name_of_both_sides(self) -> str:
        """The name without that of its side."""
        return self.name if self.side is None else self.name[: -len(self.side.name) - 1]


@dataclass(frozen=True)
class PlanFile:
    """A file that a workload names, as it was when the plan was read: its name in the plan, and its path.

    `text` is its content, None for an archive.
    """

    name: str
    path: str
    sha256: str
    text: str | None


@dataclass(frozen=True)
class Workload:
    """A tool with its parameters; `timeout` in seconds limits one invocation.

    `files` are read from the plan's folder by `benchagent.planning.files.with_files`, not by `plan.reading.load`.
    """

    name: str
    tool: str
    parameters: Parameters = field(default_factory=dict, hash=False)
    timeout: float = TIMEOUT
    files: tuple[PlanFile, ...] = ()


@dataclass(frozen=True)
class Point:
    """One workload on one target. Its id is stable: `TARGET/WORKLOAD`."""

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
    """Targets, workloads and the order in which their points are measured.

    `rounds` is None if only the time budget ends the plan. `time_budget` is in seconds, `memory` in bytes. With a
    `precision`, rounds are added until the 95 % interval of the mean of every result is within ± this ratio of the
    mean; `rounds` is then the upper limit.
    """

    name: str
    targets: tuple[Target, ...]
    workloads: tuple[Workload, ...]
    rounds: int | None = DEFAULT_ROUNDS
    min_rounds: int = 1
    time_budget: float | None = None
    order: str = DEFAULT_ORDER
    seed: int = 0
    cache: str = "uncontrolled"
    labels: dict[str, str] = field(default_factory=dict, hash=False)
    precision: float | None = None
    memory: int | None = None  # the limit of the cgroup that tools run in
    done: int = 0  # rounds of the runs that this plan continues; its own rounds are numbered after them
    measured: int = 0  # likewise positions: those of its own rounds begin with this number
    only: frozenset[str] = frozenset()  # the ids of the points that are continued; empty: all
    sides: tuple[GateSide, ...] = ()  # two or none, the baseline first; each target has one of them
    gate: Gate | None = None

    def points_of(self, target: Target) -> tuple[Point, ...]:
        """The first point of an image or device is its own preparation: mkfs and mount, timed once a round."""
        first = (_preparation(target),) if target.is_made else ()
        points = tuple(Point(target, workload) for workload in first + self.workloads)
        return tuple(point for point in points if not self.only or point.id in self.only)

    @property
    def warm_ups(self) -> int:
        """The number of rounds before the first one that counts."""
        return 1 if self.cache == "warm" else 0

    def points(self) -> tuple[Point, ...]:
        return tuple(point for target in self.targets for point in self.points_of(target))

    def blocks(self) -> tuple[tuple[Target, ...], ...]:
        """Groups of targets that share their rounds: one group of all, or one for each target in sequential order.

        Each block ends independently of the others and has an equal share of the time budget.
        """
        return tuple((target,) for target in self.targets) if self.order == "sequential" else (self.targets,)

    def is_over(self, rounds: int, elapsed: float, *, precise: bool = False) -> bool:
        """Whether a block ends after `rounds` whole rounds that took `elapsed` seconds; checked after each round.

        `precise`: whether every result of the block has reached the plan's precision.
        """
        if rounds < self.min_rounds:
            return False
        if self.precision is not None and precise:
            return True
        if self.rounds is not None and rounds >= self.rounds:
            return True
        return self.time_budget is not None and elapsed >= self.time_budget / len(self.blocks())

    def visits(self, block: tuple[Target, ...], number: int) -> Iterator[Visit]:
        """Round `number` of a block: each of its targets once, with all workloads. Warm-ups have negative numbers."""
        number += self.done if number >= 0 else 0
        randomness = random.Random(f"{self.seed}:{number}")
        for target in self._targets_of_gate(block, number) if self.sides else self._ordered(block, number, randomness):
            points = self.points_of(target)
            first = points[: len(points) - len(self.workloads)]  # the preparation, which comes before any workload
            yield Visit(number, (*first, *self._ordered(points[len(first) :], number, randomness)))

    def _targets_of_gate(self, block: tuple[Target, ...], number: int) -> list[Target]:
        """The targets of both sides in round `number`; the sides of a target are neighbours."""
        sides: dict[str, list[Target]] = {}
        for target in block:
            sides.setdefault(target.name_of_both_sides, []).append(target)
        return drawn_order([*sides.values()], self.seed, number)

    def _ordered(self, items: tuple[Item, ...], number: int, randomness: random.Random) -> list[Item]:
        """Targets, or the points of one target, in the order of round `number`; that of a gate for both sides alike."""
        if self.order == "rotated" or self.sides:
            return [items[index] for index in order_of(len(items), number)]
        ordered = list(items)
        if self.order == "shuffled":
            randomness.shuffle(ordered)
        return ordered


def _preparation(target: Target) -> Workload:
    parameters: Parameters = {"size": target.size} if target.kind == "image" else {}
    parameters.update(mkfs_options=list(target.mkfs_options), mount_options=list(target.mount_options))
    if target.tune2fs:
        parameters["tune2fs"] = list(target.tune2fs)
    for key in TUNABLES:
        if getattr(target, key) is not None:
            parameters[key] = getattr(target, key)
    parameters.update({f"age_{key}": value for key, value in (target.age or {}).items()})
    return Workload(PREPARATION, PREPARATION, parameters)
