"""What an agent may leave on a machine: compared before its first start and after its last one."""

from __future__ import annotations

from pathlib import Path

from benchagent.inventory import Source
from benchagent.system.orphans import orphans
from benchagent.system.owned_directory import LOCK
from benchagent.targets import loop
from benchagent.targets.control_group import find_parent

TUNABLES = ("read_ahead_kb", "scheduler", "nr_requests")

# What the plan (agent.py) asks of its loop devices and nobody else does.
SET_BY_THE_PLAN = frozenset({("read_ahead_kb", "76"), ("scheduler", "mq-deadline")})

Snapshot = dict[str, list[str]]


def snapshot(base: Path) -> Snapshot:
    """Everything that agents make or change whose directories are all in `base`."""
    return {
        "mounts": list(map(str, loop.mounts_under(base))),
        "loop devices": list(map(str, loop.loops_under(base))),
        "files": [str(path) for name in ("state/work", "target") for path in (base / name).rglob("*")],
        "processes": list(map(str, orphans(base))),
        "control groups": control_groups(),
        "tunables": tunables(),
    }


def left(base: Path, before: Snapshot) -> Snapshot:
    """What is there now and was not before; empty where all is well. The lock of the work directory may stay."""
    lock = str(base / "state/work" / LOCK)
    now = {kind: [each for each in found if each not in before[kind]] for kind, found in snapshot(base).items()}
    now["files"] = [path for path in now["files"] if path != lock]
    now["tunables"] = [line for line in now["tunables"] if not _of_the_kernel(line)]
    return {kind: found for kind, found in now.items() if found}


def _of_the_kernel(line: str) -> bool:
    """The kernel sets a loop device's read-ahead when anybody attaches an image; ours is one that it never sets."""
    path, _, value = line.partition(" ")
    return "/loop" in path and (Path(path).name, value) not in SET_BY_THE_PLAN


def tunables() -> list[str]:
    """Of all block devices: a loop device keeps its own when its image is detached."""
    files = (file for name in TUNABLES for file in Path("/sys/block").glob(f"*/queue/{name}"))
    return [f"{file} {_active(file.read_text())}" for file in files]


def control_groups() -> list[str]:
    parent = find_parent(Source())
    return sorted(map(str, parent.directory.glob("benchagent*"))) if parent else []


def _active(text: str) -> str:
    """`[none] mq-deadline` is `none`; the others come with modules that anybody loads."""
    return text.partition("[")[2].partition("]")[0] or text.strip()
