"""The command line: which commands there are, and what each of them imports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchagent.cli import COMMANDS, main
from benchdb.web.agent.file import agent_file

AGENTS = Path(__file__).parents[2] / "agents"
MODULES = """
import json, sys
sys.path.insert(0, sys.argv.pop(1))
from benchagent.cli import main
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
# Of Python: each is slow to import, or brings many others.
SLOW = {"asyncio", "concurrent.futures", "email", "http.client", "socket", "ssl", "subprocess", "urllib.request"}
FEW = 8  # modules of the agent: of errors, progress and the command line


def imported(place: Path, *arguments: str) -> set[str]:
    """The names of all modules in a new process that has run the agent in `place`, its folder or its one file."""
    command = [sys.executable, "-I", "-S", "-c", MODULES, str(place), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


def own(modules: set[str]) -> set[str]:
    return {name for name in modules if name.partition(".")[0] == "benchagent"}


@pytest.fixture(params=["folder", "pyz"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "folder":
        return AGENTS
    (tmp_path / "benchagent.pyz").write_bytes(agent_file().data)
    return tmp_path / "benchagent.pyz"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], [], ["fly"], ["fly", "show"]], ids=" ".join)
def test_what_is_about_no_command_imports_none(place: Path, arguments: list[str]) -> None:
    modules = imported(place, *arguments)
    assert "benchagent.cli" in modules
    assert modules & SLOW == set()
    assert not [name for name in modules if name.startswith("benchagent.commands")]
    assert len(own(modules)) <= FEW


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_imports_no_other_one(command: str) -> None:
    modules = imported(AGENTS, command, "--help")
    assert {name for name in COMMANDS if f"benchagent.commands.{name}" in modules} == {command}


def test_every_command_is_listed() -> None:
    modules = (AGENTS / "benchagent" / "commands").glob("*.py")
    assert {path.stem for path in modules if "\ndef declare(" in path.read_text()} == set(COMMANDS)


def test_a_command_after_an_option_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["-x", "show", "--help"])
    assert ended.value.code == 0
    assert "usage: benchagent show" in capsys.readouterr().out
