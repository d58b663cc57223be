"""The command line: which commands there are, and what each of them imports."""

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
SPOOLED = 20  # those, and the spool's
FORMATS, MEASURING = {"benchagent.formats", "benchagent.tools"}, {"benchagent.measuring", "benchagent.targets"}
OFFLINE = SLOW - {"subprocess"}
# What a command does without.
UNUSED = {
    "show": {*SLOW, *FORMATS, *MEASURING, "benchagent.config", "benchagent.inventory"},
    "status": {*SLOW, *FORMATS, *MEASURING, "benchagent.config", "benchagent.inventory"},
    "detect": {*OFFLINE, *MEASURING, "benchagent.spool"},
    "config": {*OFFLINE, *MEASURING, "benchagent.spool"},
    "parse": {*SLOW, *MEASURING, "benchagent.config", "benchagent.inventory", "benchagent.tools"},
    "plan": OFFLINE,
    "service": OFFLINE | MEASURING,
    "compare": FORMATS | MEASURING,
    "mcp": FORMATS | MEASURING,
    "upload": {"benchagent.measuring", "benchagent.tools"},
    "clean": {"benchagent.measuring", "benchagent.tools"},
}


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


@pytest.mark.parametrize("command", UNUSED)
def test_a_command_imports_what_it_uses(command: str) -> None:
    assert imported(AGENTS, command, "--help") & UNUSED[command] == set()


@pytest.mark.parametrize("command", ["show", "status"])
def test_a_command_imports_no_more_when_it_works(command: str, place: Path, tmp_path: Path) -> None:
    modules = imported(place, command, "--spool", str(tmp_path / "spool"))
    assert modules & UNUSED[command] == set()
    assert len(own(modules)) <= SPOOLED


def test_every_command_is_listed() -> None:
    modules = (AGENTS / "benchagent" / "commands").glob("*.py")
    assert {path.stem for path in modules if "\ndef declare(" in path.read_text()} == set(COMMANDS)


def test_a_command_after_an_option_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["-x", "show", "--help"])
    assert ended.value.code == 0
    assert "usage: benchagent show" in capsys.readouterr().out
