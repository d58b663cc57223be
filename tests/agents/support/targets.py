"""Block devices for tests: loop devices with stable names, and an agent that is killed in the middle."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchagent.targets import loop
from benchagent.targets.devices import BY_ID
from benchagent.targets.loop import tool
from tests.support.signals import signalled

AGENTS = Path(__file__).parents[3] / "agents"
MIB = 2**20

# Prepares one target, prints a line, and waits.
PREPARE = """
import pathlib, sys
from benchagent.targets.devices import look_at
from benchagent.errors import Stopped
from benchagent.system.interrupts import raising
from benchagent.plan.model import Target
from benchagent.targets.prepare import prepared
from benchagent.system.process import run
from benchagent.targets.work_directory import WorkDirectory
work = WorkDirectory(pathlib.Path(sys.argv[1]), memory={memory})
target = Target({target})
try:
    with raising(), work.opened():
        if target.kind == "device":
            work.agreed = {{target.path: look_at(target.path, work.source)}}
        with prepared(target, work, lambda: None) as place:
            print("ready", flush=True)
            run(["sleep", "1000"], directory=place.directory, control_group=place.control_group)
except Stopped as stop:
    sys.exit(stop.exit_code)
"""


@contextmanager
def small_disk(mount: Path, size: str) -> Iterator[Path]:
    """A file system in memory of this size, as `mount` says it."""
    mount.mkdir()
    tool("mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(mount))
    yield mount
    tool("umount", str(mount))


@contextmanager
def block_device(directory: Path, size: int = 256 * MIB) -> Iterator[tuple[str, str]]:
    """An empty loop device: its path in /dev/disk/by-id, and its node."""
    image = directory / f"disk-{size}.img"
    with image.open("wb") as file:
        file.truncate(size)
    made = [folder for folder in (BY_ID.parent, BY_ID) if not folder.exists()]
    BY_ID.mkdir(parents=True, exist_ok=True)
    node = loop.attach(image)
    link = BY_ID / f"benchagent-test-{os.getpid()}-{node.name}"
    link.symlink_to(node)
    try:
        yield str(link), str(node)
    finally:
        link.unlink()
        for folder in reversed(made):
            with suppress(OSError):  # another process has added a device meanwhile
                folder.rmdir()
        loop.detach(node)
        image.unlink()


@contextmanager
def partition(node: str) -> Iterator[str]:
    """A partition of 64 MiB, known only to the kernel."""
    tool("addpart", node, "1", "2048", "131072")
    try:
        yield f"{node}p1"
    finally:
        tool("delpart", node, "1")


@contextmanager
def preparing(work: Path, target: str, memory: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """An agent that has prepared the target, given as arguments of `Target`, and runs a tool on it."""
    script = PREPARE.format(target=target, memory=memory)
    environment = {**signalled(), "PYTHONPATH": str(AGENTS)}
    with subprocess.Popen(
        [sys.executable, "-c", script, str(work)], env=environment, stdout=subprocess.PIPE, text=True
    ) as agent:
        assert agent.stdout is not None
        assert agent.stdout.readline() == "ready\n"
        yield agent


@contextmanager
def killed(work: Path, target: str, memory: int | None = None) -> Iterator[None]:
    """Kill an agent that has prepared the target and runs a tool on it."""
    with preparing(work, target, memory) as agent:
        agent.kill()
    yield


def settings(queue: Path) -> dict[str, str]:
    """The three tunables of a queue."""
    return {name: (queue / name).read_text().strip() for name in ("scheduler", "nr_requests", "read_ahead_kb")}


def queue(node: str) -> Path:
    return Path(f"/sys/block/{Path(node).name}/queue")
