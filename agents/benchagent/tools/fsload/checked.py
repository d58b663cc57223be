"""Asks fsload itself whether it accepts the profile of a `mix` or `wml`, and what it would do with it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchagent.system.process import run
from benchagent.toml.quantities import format_duration, format_size
from benchagent.toml.tables import Parameters
from benchagent.tools.declaration import CommandContext

from .command_line import arguments
from .options import COMMANDS, command_of
from .program import find

WRONG_USAGE, HINT = 2, "shows what is understood"
SIZES = ("io_size", "working_set")


def text_faults(parameters: Parameters, text: str) -> list[str]:
    """The faults of a profile with this text, each with its line; none for other files, or without fsload."""
    return _asked(parameters, text)[0]


def described_text(parameters: Parameters, text: str) -> list[str]:
    """The files that a faultless profile with this text makes, and the work of its threads."""
    header = _asked(parameters, text)[1]
    return [*_of_mix(header, parameters), *_of_model(header)]


def _asked(parameters: Parameters, text: str) -> tuple[list[str], Mapping[str, Any]]:
    """fsload's faults, or the parameters that it prints, which have the contents of the profile."""
    key, program = COMMANDS[command_of(parameters)].argument, find()
    if key is None or program is None:
        return [], {}
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        words = arguments(parameters, CommandContext(0, root=False, files={str(parameters[key]): file.name}))
        outcome = run([program, "--check", *words], directory=Path(file.name).parent)
        if outcome.returncode == 0:
            return [], json.loads(outcome.stdout or "{}").get("parameters", {})
        lines = [line for line in outcome.stderr.splitlines() if not line.endswith(HINT)]
        accepted = outcome.returncode != WRONG_USAGE or "not a command" in outcome.stderr  # a program without --check
        return [] if accepted else [_fault(line, file.name) for line in lines], {}


def _fault(line: str, path: str) -> str:
    """`fsload: PATH:3: WORDS` is `line 3: WORDS`."""
    words = line.removeprefix("fsload: ")
    return words.replace(f"{path}:", "line ", 1) if words.startswith(path) else words.replace(f": {path}", "")


def _of_mix(header: Mapping[str, Any], parameters: Parameters) -> Iterator[str]:
    mix = header.get("mix", {"filesystems": [], "groups": []})
    for place in mix["filesystems"]:
        sizes = dict.fromkeys(format_size(place[key]) for key in ("min_filesize", "max_filesize") if key in place)
        files = f"files of {' to '.join(sizes)}" if sizes else "files of given sizes"
        yield f"{place['directory']}: {place['num_files']} files at first and {place['num_dirs']} directories, {files}"
    for group in mix["groups"]:
        weights = ", ".join(f"{kind} {weight}" for kind, weight in group["weights"].items())
        yield f"{group['threads']} threads: {weights}"
    if mix["groups"]:
        yield _time(header["seconds"] or mix["time"], parameters)


def _of_model(header: Mapping[str, Any]) -> Iterator[str]:
    for each in header.get("filesets", ()):
        size = format_size(each["size"]) if "size" in each else f"drawn sizes, {each['size_mean']:.0f} B on average"
        yield f"{each['name']}: {each['entries']} files of {size}, {each['prealloc_percent']} % of them at first"
    for loop in header.get("loops", ()):
        yield f"{loop['threads']} threads: {', '.join(map(_flowop, loop['flowops']))}"
    if "loops" in header:
        yield _time(header["run_seconds"], header)


def _time(seconds: float, bounds: Mapping[str, object]) -> str:
    return f"for {format_duration(seconds)}" if seconds else f"{bounds['operations']} operations a thread"


def _flowop(flowop: Mapping[str, Any]) -> str:
    sizes: Sequence[str] = [f"{key} {format_size(flowop[key])}" for key in SIZES if key in flowop]
    return " ".join([flowop["kind"], *([flowop["fileset"]] if "fileset" in flowop else []), *sizes])
