"""fsload, BenchDB's own C engine (agents/engine)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from benchagent.parameters import Parameters

from .base import Context, Tool, names, sizes

VARIABLE = "BENCHAGENT_FSLOAD"
BUILT = Path(__file__).parents[2] / "engine" / "build" / "fsload"


def find() -> str | None:
    """The binary named by the environment, the one built beside this source tree, or the one that is installed."""
    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    return shutil.which(BUILT) or shutil.which("fsload")


def arguments(parameters: Parameters, context: Context) -> list[str]:
    """One repetition: rounds repeat it, each on a target that was prepared anew. The same seed in each round."""
    found = ["--directory", ".", "--repetitions", "1", "--seed", str(context.seed)]
    for key in ("file_sizes", "record_sizes"):
        found += [f"--{key.replace('_', '-')}", ",".join(str(size) for size in sizes(parameters, key))]
    if "tests" in parameters:
        found += ["--tests", ",".join(names(parameters, "tests"))]
    if "threads" in parameters:
        found += ["--threads", str(parameters["threads"])]
    return found + [f"--{key}" for key in ("fsync", "direct") if parameters.get(key)]


TOOL = Tool(
    name="fsload",
    program="fsload",
    source="build it with `make -C agents/engine`",
    artifact="fsload.jsonl",
    arguments=arguments,
    find=find,
    partial=frozenset({1}),
    progress=True,
)
