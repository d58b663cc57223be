"""Checks privileges, Python, loop devices, memory limits, disk space, the clock, and the agent's config file."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from benchagent import config
from benchagent.errors import ConfigError
from benchagent.inventory import Source
from benchagent.system.other_users import why_unsafe
from benchagent.targets.control_group import find_parent
from benchagent.toml.quantities import format_rough_size

from .finding import DiagnosisFinding, lacking, present

LOOP_CONTROL = Path("/dev/loop-control")
ENOUGH = 1024**3  # free bytes, for one small image
TIME_ERROR = 5  # adjtimex(2): the clock is not synchronized
TIMEX = 512  # bytes; larger than the structure on any machine


def machine(work: Path) -> Iterator[DiagnosisFinding]:
    """All checks of the machine; `work` is the directory for images."""
    yield present("Python", "the agent", f"{sys.version.split()[0]}, {sys.executable}")
    yield root()
    yield loop_devices()
    yield memory_limit()
    yield space(work)
    yield config_file()


def root() -> DiagnosisFinding:
    purpose = "format, mount, drop caches"
    if os.geteuid() == 0:
        return present("root", purpose, "user id 0")
    return lacking("root", purpose, "run it with sudo, or measure a directory only")


def loop_devices() -> DiagnosisFinding:
    if LOOP_CONTROL.exists():
        return present("loop devices", "images", str(LOOP_CONTROL))
    return lacking("loop devices", "images", "modprobe loop; to a container, pass /dev/loop-control and /dev/loop*")


def memory_limit() -> DiagnosisFinding:
    """Whether the agent can create a control group that limits the memory of tools."""
    what, purpose = "memory limit", "plans with `memory`"
    parent = find_parent(Source())
    if parent is None:
        return lacking(
            what, purpose, "no control group here limits memory; boot with cgroup_enable=memory", optional=True
        )
    if not os.access(parent.directory, os.W_OK):
        return lacking(what, purpose, f"may not make a group in {parent.directory}; root may", optional=True)
    return present(what, purpose, str(parent.directory))


def space(work: Path) -> DiagnosisFinding:
    """Free space for images in the work directory, or in the nearest parent that this user can see."""
    why = why_unsafe(work.absolute().parent)
    if why is not None:
        return lacking("free space", "images", f"root makes none there, because {why}; name another with --work-dir")
    directory = work.absolute()
    while not os.path.exists(directory):
        directory = directory.parent
    free = shutil.disk_usage(directory).free
    if free >= ENOUGH:
        return present("free space", "images", f"{format_rough_size(free)} in {directory}")
    says = f"only {format_rough_size(free)} in {directory}; name another directory with --work-dir"
    return lacking("free space", "images", says)


def config_file() -> DiagnosisFinding:
    try:
        settings = config.load()
    except ConfigError as error:
        return lacking("config file", "declared facts, `serve`", str(error))
    unsafe = next(filter(None, (why_unsafe(Path(directory)) for directory in settings.directories)), None)
    if unsafe is not None:
        says = f"root does not measure in a directory that it allows, because {unsafe}"
        return lacking("config file", "declared facts, `serve`", says)
    return present("config file", "declared facts, `serve`", str(settings.path or "none, not needed"))


def clock() -> DiagnosisFinding:
    """Whether the machine's clock is synchronized, according to the kernel."""
    what, purpose = "clock", "when runs were measured"
    state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX))  # all zero: read only
    if state < 0:
        return present(what, purpose, "unknown on this system")
    if state == TIME_ERROR:
        return lacking(what, purpose, "nothing synchronizes it", "chrony")
    return present(what, purpose, "synchronized")
