"""The plans that come with the agent, by name: `benchagent run demo`."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from benchagent.system.state_directory import state_directory

if TYPE_CHECKING:
    from importlib.abc import Traversable

CLONE = Path(__file__).parents[2] / "plans"  # the folder in a clone; an installed package contains the plans
SUFFIX = ".toml"


def plan_argument(name: str) -> Path:
    """The file for the command line's PLAN: the file with this path, else the shipped plan with this name.

    Raises ArgumentTypeError with the names of the shipped plans if there is neither, or if access is denied.
    """
    path = Path(name)
    try:
        if path.exists() and not path.is_dir():
            return path
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot read {name}: {error.strerror}") from None
    try:
        folder = shipped_plans()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot unpack the shipped plans: {error}; set BENCHAGENT_STATE") from None
    plans = {file.relative_to(folder).with_suffix("").as_posix(): file for file in folder.rglob(f"*{SUFFIX}")}
    if name not in plans:
        raise argparse.ArgumentTypeError(
            f"there is no file {name}, nor a shipped plan of that name; those are {', '.join(sorted(plans))}"
        )
    return plans[name]


def shipped_plans() -> Path:
    """The folder of the shipped plans, unpacked into the state directory if they are in a .pyz. Raises OSError."""
    root = resources.files("benchagent").joinpath("plans")
    if not root.is_dir():
        return CLONE
    return root if isinstance(root, Path) else _unpacked(dict(_files(root, "")), state_directory() / "plans")


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()


def _unpacked(files: dict[str, bytes], parent: Path) -> Path:
    """A folder with these files, named after a digest of them. It gets its name when complete and never changes."""
    folder = parent / hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]
    if folder.is_dir():
        return folder
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=parent))
    try:
        for name, content in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_bytes(content)
        os.rename(work, folder)
    except OSError:
        shutil.rmtree(work)
        if not folder.is_dir():  # else another agent was quicker
            raise
    return folder
