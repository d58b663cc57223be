"""`benchagent detect`: prints the facts about this machine and about the storage under a directory."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TypedDict

from benchagent.config import open_source
from benchagent.errors import UsageError
from benchagent.inventory import (
    Environment,
    MachineIdentity,
    Source,
    TargetFacts,
    TargetState,
    environment,
    machine,
    target,
)
from benchagent.inventory.machine_text import environment_lines, machine_lines
from benchagent.inventory.privacy.recording import record
from benchagent.inventory.target_text import target_lines
from benchagent.progress import json_text, one_line

SCHEMA = "benchagent.detect/1"
LEGEND = "Facts without a mark were detected. (declared): from the config file, see `benchagent config`."


class DetectedFacts(TypedDict):
    """Everything that was detected; the machine of a recorded tree is None."""

    schema: str
    machine: MachineIdentity | None
    environment: Environment
    target: TargetFacts
    state_before: TargetState


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Print the facts of this machine and of the storage below PATH. Nothing is changed or sent."
    parser.add_argument("path", metavar="PATH", nargs="?", default=".", help="a directory (default: the current one)")
    parser.add_argument("--json", action="store_true", help="print the facts as JSON, as in a result document")
    parser.add_argument("--root", metavar="DIR", default="/", help="read a recorded tree instead of this machine")
    parser.add_argument(
        "--record",
        metavar="DIR",
        type=Path,
        help="record the files that were read, without names and serial numbers, in DIR (new or empty) for --root",
    )


def run(args: argparse.Namespace) -> int:
    """Print or record the facts. Raises UsageError for a path, tree or output directory that cannot be used."""
    if not os.path.isdir(args.root):
        raise UsageError(f"There is no directory {args.root} to read a recorded tree from.")
    source = open_source(args.root)
    if args.record is not None:
        print(_record(args.path, source, args.record))
        return 0
    detected = facts(args.path, source)
    lines = map(one_line, text_lines(args.path, detected))
    print(json_text(detected, indent=2) if args.json else "\n".join(lines))
    return 0


def facts(path: str, source: Source) -> DetectedFacts:
    """The facts about this machine, and about the storage under `path`. Raises UsageError if there is no such path."""
    try:
        settings, state = target(path, source)
    except FileNotFoundError:
        where = "" if source.live else f" in the recorded tree {source.root}; its paths.json lists those it has"
        raise UsageError(f"There is no {path}{where}. Name an existing directory.") from None
    return {
        "schema": SCHEMA,
        "machine": machine(source=source) if source.live else None,
        "environment": environment(source),
        "target": settings,
        "state_before": state,
    }


def text_lines(path: str, detected: DetectedFacts) -> list[str]:
    """The facts as lines for people."""
    lines = list(machine_lines(detected["machine"])) if detected["machine"] else []
    lines += environment_lines(detected["environment"])
    lines += ["", f"Storage under {path}", *target_lines(detected["target"], detected["state_before"])]
    return [*lines, "", LEGEND]


def _record(path: str, source: Source, directory: Path) -> str:
    try:
        if directory.exists() and any(directory.iterdir()):
            raise UsageError(f"{directory} is not empty. Name a directory that is empty or does not exist.")
        names = record(source, [path], directory)
    except FileNotFoundError:
        raise UsageError(f"There is no {path}. Name an existing directory.") from None
    except OSError as error:
        raise UsageError(f"Cannot record into {directory}: {error.strerror}.") from None
    return (
        f"The machine is recorded in {directory}. Check it before you share it:\n"
        f"  benchagent detect --root {directory} {names[path]}\n"
        f"prints its facts, and\n  tar -czf machine.tar.gz -C {directory} .\nmakes one file of it."
    )
