"""What a plan asks for: targets, workloads, their points, and the order in which they are measured. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchagent.toml.tables import Parameters

FILE_SYSTEMS = (
    *("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "nilfs2", "hfsplus"),
    *("reiserfs", "reiser4", "ext4dev"),  # of the articles' years; see translation.py
)
ORDERS = ("interleaved", "sequential", "shuffled")
CACHES = ("uncontrolled", "cold", "warm")
KINDS = ("image", "device", "directory")
TUNABLES = ("read_ahead", "scheduler", "nr_requests")  # of the target's block device
PREPARATION = "mkfs"  # the tool of the point that holds the times of mkfs and mount
DEFAULT_ROUNDS = 5
MOST_PRECISE_ROUNDS = 30  # where a precision ends the rounds and nothing else is said
MOST_TABLES = 1000  # targets, and workloads, that the tables of a plan may stand for
MOST_POINTS = 10_000
TIMEOUT = 3600.0


@dataclass(frozen=True)
class Target:
    """Where workloads run. A directory has a path, or None until one is given, and tunables; no file system is made.

    An image has a size; a device the path of its stable id, `/dev/disk/by-id/…`. Sizes are bytes. A tunable that is
    None stays as the machine has it.
    """

    name: str
    kind: str  # "image", "device" or "directory"
    path: str | None = None
    size: int = 0
    file_system: str = ""
    mkfs_options: tuple[str, ...] = ()
    mount_options: tuple[str, ...] = ()
    sparse: bool = True  # whether the image's space is taken only as it is written
    direct_io: bool = False  # of the loop device: whether it goes around the page cache of the file system below
    tune2fs: tuple[str, ...] = ()  # given to tune2fs after mkfs; ext2, ext3, ext4
    wipe: bool = False  # whether the device may hold something that mkfs destroys
    read_ahead: int | None = None  # bytes
    scheduler: str | None = None
    nr_requests: int | None = None
    age: Parameters | None = field(default=None, hash=False)  # of `fsload age`: aged once, restored before each round
    notes: tuple[str, ...] = ()  # what the kernel is given in place of what the plan says
    refused: str | None = None  # why no file system is made: the points are skipped with these words

    @property
    def is_made(self) -> bool:
        """Whether the agent makes the file system, and can remount it."""
        return self.kind != "directory"


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
    """`rounds` is None where only the time budget ends the plan. `time_budget` is in seconds, `memory` in bytes.

    With a `precision` the rounds go on until the 95 % interval of the mean of every result is within ± this ratio of
    it; `rounds` is then the most.
    """

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
    precision: float | None = None
    memory: int | None = None  # the limit of the cgroup that tools run in

    def points_of(self, target: Target) -> tuple[Point, ...]:
        """The first point of an image or device is its own preparation: mkfs and mount, timed once a round."""
        first = (_preparation(target),) if target.is_made else ()
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

    def is_over(self, rounds: int, elapsed: float, *, precise: bool = False) -> bool:
        """Whether a block ends after `rounds` whole rounds that took `elapsed` seconds; asked after each round.

        `precise`: whether every result of the block is known within the plan's precision.
        """
        if rounds < self.min_rounds:
            return False
        if self.precision is not None and precise:
            return True
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
    parameters: Parameters = {"size": target.size} if target.kind == "image" else {}
    parameters.update(mkfs_options=list(target.mkfs_options), mount_options=list(target.mount_options))
    if target.tune2fs:
        parameters["tune2fs"] = list(target.tune2fs)
    for key in TUNABLES:
        if getattr(target, key) is not None:
            parameters[key] = getattr(target, key)
    parameters.update({f"age_{key}": value for key, value in (target.age or {}).items()})
    return Workload(PREPARATION, PREPARATION, parameters)
