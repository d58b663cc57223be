"""Remains of an agent on a machine: compared before its first start and after its end."""

from pathlib import Path

from benchagent.inventory import Source
from benchagent.system.orphans import orphans
from benchagent.system.owned_directory import LOCK
from benchagent.targets import loop
from benchagent.targets.control_group import find_parent

TUNABLES = ("read_ahead_kb", "scheduler", "nr_requests")

# Settings that the plan (agent.py) makes on its loop devices and no other program makes.
SET_BY_THE_PLAN = frozenset({("read_ahead_kb", "76"), ("scheduler", "mq-deadline")})

Snapshot = dict[str, list[str]]


def snapshot(base: Path) -> Snapshot:
    """Everything that agents with their directories in `base` create or change."""
    return {
        "mounts": list(map(str, loop.mounts_under(base))),
        "loop devices": list(map(str, loop.loops_under(base))),
        "files": [str(path) for name in ("state/work", "target") for path in (base / name).rglob("*")],
        "processes": list(map(str, orphans(base))),
        "control groups": control_groups(),
        "tunables": tunables(),
    }


def left(base: Path, before: Snapshot) -> Snapshot:
    """The difference from an earlier snapshot; empty if nothing remains. The lock of the work directory may remain."""
    lock = str(base / "state/work" / LOCK)
    now = {kind: [entry for entry in entries if entry not in before[kind]] for kind, entries in snapshot(base).items()}
    now["files"] = [path for path in now["files"] if path != lock]
    now["tunables"] = [line for line in now["tunables"] if not _of_the_kernel(line)]
    return {kind: entries for kind, entries in now.items() if entries}


def _of_the_kernel(line: str) -> bool:
    """Whether the kernel set it: attaching an image changes a loop device's read-ahead, but never to the plan's."""
    path, _, value = line.partition(" ")
    return "/loop" in path and (Path(path).name, value) not in SET_BY_THE_PLAN


def tunables() -> list[str]:
    """The tunables of all block devices: a loop device keeps its own after its image is detached."""
    files = (file for name in TUNABLES for file in Path("/sys/block").glob(f"*/queue/{name}"))
    return [f"{file} {_active(file.read_text())}" for file in files]


def control_groups() -> list[str]:
    parent = find_parent(Source())
    return sorted(map(str, parent.directory.glob("benchagent*"))) if parent else []


def _active(text: str) -> str:
    """`[none] mq-deadline` is `none`; the others depend on the loaded modules."""
    return text.partition("[")[2].partition("]")[0] or text.strip()
