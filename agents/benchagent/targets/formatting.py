"""Formats and mounts targets whose file system the agent creates: images on loop devices, and block devices."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Callable

from benchagent.errors import PreparationError
from benchagent.formats.fsload.result_line import JsonLine
from benchagent.inventory.storage.block import device_by_name
from benchagent.plan.model import Target
from benchagent.system.interrupts import held
from benchagent.system.process import run
from benchagent.system.undo import Undo
from benchagent.toml.tables import Parameters
from benchagent.tools import CommandContext, fsload

from . import devices, loop, tunables
from .file_systems import mkfs_command, tune_command
from .journal_undo import QUEUE
from .prepared_target import Mounted, PreparationStep, PreparedTarget, TickCallback, step
from .work_directory import Aged, WorkDirectory

BLKFLSBUF = 0x1261  # linux/fs.h: write back and drop the cached pages of a block device


@contextmanager
def formatted(target: Target, work: WorkDirectory, tick: TickCallback) -> Iterator[PreparedTarget]:
    """The mounted target, with a new file system or restored from its aged image. Everything is undone at the end."""
    image, point = work.path / f"{target.name}.img", work.path / f"{target.name}.mnt"
    aged = _aged(target, target.age, work, tick) if target.age is not None else None
    with Undo() as undo:
        if target.kind == "image":
            undo.add(_remove, image)
            node = _attached(image, target, aged, undo, tick)
        else:
            node = _wiped(target, work)
        with held:
            notes = _tuned(target, node, work, undo)
            point.mkdir()
            undo.add(point.rmdir)
        steps = () if aged else (_formatted(target, node, work, tick),)
        mounted = Mounted(target, node, point, work.source, tick, _cache_drop(target, image, node))
        with held:
            undo.add(mounted.unmount)
            mounting = mounted.mount()
        yield PreparedTarget(
            directory=point,
            steps=(*steps, mounting),
            empty_cache=mounted.empty_cache,
            mounted=mounted,
            control_group=work.control_group,
            notes=(*notes, *mounted.notes),
            aging=aged.facts if aged else None,
        )


def _attached(image: Path, target: Target, aged: Aged | None, undo: Undo, tick: TickCallback) -> str:
    """The node of a loop device for a new image, or for a copy of the aged image."""
    if aged is None:
        _allocate(image, target)
    else:
        _copy(aged.image, image, tick, sparse=target.sparse)
        loop.forget_cached(aged.image)
        loop.forget_cached(image)
    with held:
        device = loop.attach(image, direct_io=target.direct_io)
        undo.add(_detach, device, image)
    return str(device)


def _allocate(image: Path, target: Target) -> None:
    descriptor = os.open(image, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        if target.sparse:
            os.ftruncate(descriptor, target.size)
        else:
            os.posix_fallocate(descriptor, 0, target.size)
    except OSError as error:
        raise PreparationError(f"Cannot make an image of {target.size} bytes: {error.strerror}.") from None
    finally:
        os.close(descriptor)


def _copy(image: Path, copy: Path, tick: TickCallback, *, sparse: bool) -> None:
    how = ("--reflink=auto", "--sparse=always") if sparse else ("--reflink=never", "--sparse=never")
    step("restore", ("cp", *how, str(image), str(copy)), copy.parent, tick)


def _detach(device: Path, image: Path) -> None:
    """Detach the loop device, unless it no longer belongs to the image: others may use the device by now."""
    if device in loop.loops_under(image.parent):
        loop.detach(device)


def _remove(image: Path) -> None:
    image.unlink(missing_ok=True)


def _wiped(target: Target, work: WorkDirectory) -> str:
    """The node of a device, after a second check that it may be formatted and the removal of its old signatures."""
    path = target.path or ""
    device, agreed = devices.look_at(path, work.source), work.agreed.get(path)
    if agreed is None:
        raise PreparationError(f"formatting {path} was not confirmed")
    if (device.size, device.model) != (agreed.size, agreed.model):
        raise PreparationError(f"{path} is another device now than the one that was agreed to")
    why = devices.why_not_format(device, wipe=target.wipe, ours=work.ours.get(path))
    if why is not None:
        raise PreparationError(why)
    devices.wipe_signatures(device)
    return device.node


def _tuned(target: Target, node: str, work: WorkDirectory, undo: Undo) -> list[str]:
    sysfs = device_by_name(work.source, os.path.basename(node))
    return tune(target, [sysfs] if sysfs else [], work, undo)


def tune(target: Target, devices_below: list[str], work: WorkDirectory, undo: Undo) -> list[str]:
    """Set the tunables of the queues below a target. Returns a description of each value that the kernel rounded."""
    notes = []
    for queue, values in tunables.settings(target, devices_below, work.source).items():
        work.note(undo, QUEUE, path=str(queue), old=tunables.remember(queue))
        notes += tunables.write(queue, values)
    return notes


def _formatted(target: Target, node: str, work: WorkDirectory, tick: TickCallback) -> PreparationStep:
    formatting = step("mkfs", (*mkfs_command(target), node), work.path, tick)
    if target.tune2fs:
        step("tune2fs", (*tune_command(target), node), work.path, tick)
    if target.kind == "device":
        work.ours[target.path or ""] = devices.signatures(node)
    return formatting


def _cache_drop(target: Target, image: Path, node: str) -> Callable[[], None]:
    """A function that drops the cached pages below an unmounted file system."""

    def drop() -> None:
        if target.kind == "image":
            loop.forget_cached(image)
            return
        descriptor = os.open(node, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.ioctl(descriptor, BLKFLSBUF, 0)
        finally:
            os.close(descriptor)

    return drop


def _aged(target: Target, parameters: Parameters, work: WorkDirectory, tick: TickCallback) -> Aged:
    """The aged image of a target, created on its first visit and kept until the run ends."""
    aged = work.aged.get(target.name)
    if aged is None:
        with formatted(replace(target, age=None), work, tick) as prepared:
            facts = age(prepared.directory, parameters, work.seed, tick)
            image = work.path / f"{target.name}.aged"
            with held:
                (work.path / f"{target.name}.img").rename(image)
                aged = work.aged[target.name] = Aged(image, facts)
    return aged


TREE = "aged"  # the directory of the aged files, with the same name in every run
REACHED = ("fullness_asked", "fullness", "overwrites_asked", "overwrites", "files", "directories", "digest")
LAYOUT = ("layout_score", "extents_per_file", "free_fragments", "mean_free_bytes", "free_method")


def age(directory: Path, parameters: Parameters, seed: int, tick: Callable[[], None]) -> dict[str, object]:
    """Age the file system that is mounted at `directory`, and keep the files. Returns `state_before.aging`.

    Raises PreparationError with the error message of fsload.
    """
    command = fsload.TOOL.command({"command": "age", **parameters}, CommandContext(seed=seed, root=True))
    outcome = run([*command, "--keep"], executable=fsload.TOOL.find(), directory=directory, tick=tick)
    if not outcome.ok:
        raise PreparationError(f"fsload age: {outcome.error}")
    lines: list[JsonLine] = [json.loads(line) for line in outcome.stdout.splitlines()]
    kept_name = next((line["kept"] for line in lines if line.get("kept")), None)
    if not isinstance(kept_name, str):
        raise PreparationError("fsload age: it does not say where the files are")
    (directory / kept_name).rename(directory / TREE)
    return _facts(lines, seed)


def _facts(lines: Iterable[JsonLine], seed: int) -> dict[str, object]:
    facts: dict[str, object] = {"seed": seed}
    for line in lines:
        if line["type"] == "header":
            parameters = line["parameters"]
            facts["profile"] = parameters["profile"] if isinstance(parameters, dict) else None
        elif line["type"] == "aging":
            facts.update({key: line[key] for key in REACHED})
        elif line["type"] == "layout" and line["when"] == "after":
            facts.update({key: line[key] for key in LAYOUT})
    return {key: value for key, value in facts.items() if value is not None}
