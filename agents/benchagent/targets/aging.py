"""Ages a mounted file system with `fsload age`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Callable

from benchagent.errors import PreparationError
from benchagent.formats.fsload.result_line import JsonLine
from benchagent.system.process import run
from benchagent.toml.tables import Parameters
from benchagent.tools import CommandContext, fsload

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
