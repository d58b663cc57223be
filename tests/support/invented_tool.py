"""An invented tool: one new file in the folder of the tools, a format for its output, and a script as its program."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchagent import formats, tools
from benchagent.cli import main
from benchagent.formats.model import FormatError, Parsed, Result
from benchagent.system.discovery import discovered

NAME = "scatter"
MODULE = '''\
"""scatter: writes one file."""

from benchagent.system.programs import find_program
from benchagent.toml.converters import flag
from benchagent.toml.quantities import parse_size
from benchagent.tools.declaration import Switches, Tool, reader

PARAMETERS = {"file_size": parse_size, "around_cache": flag}


def check(table, parameters):
    if parameters.get("file_size", 0) % 4096:
        table.fault("file_size", "a multiple of 4 KiB, scatter's block")


def arguments(parameters, context):
    return ["--size", str(parameters["file_size"]), *(["--direct"] if parameters.get("around_cache") else [])]


TOOL = Tool(
    name="scatter",
    program="scatter",
    artifact="scatter.txt",
    read=reader(PARAMETERS, check),
    arguments=arguments,
    find=lambda: find_program("scatter"),
    packages=("scatter-utils",),
    bytes_written=lambda parameters, memory: parameters["file_size"],
    clock_resolution=1e-3,
    preferred=True,
    headline_tests=("settle",),
    switches=lambda command, parameters, test: Switches(direct="--direct" in command),
)
'''
# 50 ticks of its clock.
PROGRAM = '#!/bin/sh\nhead -c "$2" /dev/zero > file\necho "scatter 1.0"\necho "write $2 0.05"\n'
_LINE = re.compile(r"write ([0-9]{1,12}) ([0-9.]{1,12})")
PLAN = """
name = "test"
rounds = 2
[[targets]]
kind = "directory"
[[workloads]]
tool = "scatter"
file_size = "1 MiB"
around_cache = true
"""


def parse(text: str, parser_version: str) -> Parsed:
    """The one result of scatter's output, on its second line."""
    match = _LINE.fullmatch(text.partition("\n")[2].rstrip("\n"))
    if match is None:
        raise FormatError("scatter prints one result", 2)
    size, seconds = int(match[1]), float(match[2])
    result = Result("write", "throughput", "B/s", (size / seconds,), file_size=size, lines=(2,))
    return Parsed(NAME, "1.0", None, (result,), (), parser_version)


FORMAT = SimpleNamespace(TOOL=NAME, recognises=lambda text: text.startswith("scatter "), parse=parse)


@contextmanager
def invented_tool(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[tools.Tool]:
    """The tool and its format while the block runs; the program is installed."""
    (folder / "tools").mkdir()
    (folder / "tools" / f"{NAME}.py").write_text(MODULE)
    (folder / "bin").mkdir()
    (folder / "bin" / NAME).write_text(PROGRAM)
    (folder / "bin" / NAME).chmod(0o755)
    patch.setenv("PATH", str(folder / "bin"), prepend=":")
    importlib.invalidate_caches()
    patch.setattr(tools, "__path__", [*tools.__path__, str(folder / "tools")])
    try:
        tool = discovered(tools.__path__, tools.__name__, tools.Tool, "TOOL")[NAME]
        patch.setitem(tools.TOOLS, NAME, tool)
        known = formats.all_formats()
        patch.setattr(formats, "all_formats", lambda: known._replace(text=(FORMAT, *known.text)))
        yield tool
    finally:
        sys.modules.pop(f"{tools.__name__}.{NAME}", None)


def run_plan(folder: Path, patch: pytest.MonkeyPatch, text: str = PLAN) -> tuple[int, list[dict[str, Any]]]:
    """The agent's exit code, and the documents in its spool."""
    patch.setenv("BENCHAGENT_STATE", str(folder / "state"))
    for name in ("BENCHAGENT_SERVER", "BENCHAGENT_TOKEN", "BENCHAGENT_SPOOL"):
        patch.delenv(name, raising=False)
    (folder / "target").mkdir()
    (folder / "plan.toml").write_text(text)
    code = main(["run", str(folder / "plan.toml"), "--directory", str(folder / "target")])
    pending = (folder / "state" / "spool" / "pending").iterdir()
    return code, [json.loads(path.read_bytes()) for path in pending if ".answer." not in path.name]
