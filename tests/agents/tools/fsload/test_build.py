"""fsload is built from the agent's source: once, completely, by one agent, and again after a change."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchagent.tools import fsload
from benchagent.tools.fsload import build as engine
from benchagent.tools.fsload.build import EngineMissing, program, source, version_of
from tests.support.signals import signalled
from tests.support.waiting import wait_until

AGENTS = Path(__file__).parents[4] / "agents"
cc = pytest.mark.needs("cc", package="gcc")
make = pytest.mark.needs("make", package="make")
# A compiler that records its call, waits for the file `go`, and makes a program that prints its version.
COMPILER = """#!/bin/sh
echo called >> {folder}/calls
while [ ! -e {folder}/go ]; do sleep 0.01; done
for word; do case "$word" in -DFSLOAD_SOURCE=*) version=${{word#*=}};; esac; done
printf '#!/bin/sh\\necho "fsload 0%s"\\n' "$(echo "$version" | tr -d '"')" > fsload
chmod +x fsload
"""
PROGRAM = (
    "import sys; from pathlib import Path; from benchagent.tools.fsload.build import program; "
    "print(program(Path(sys.argv[1])))"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone whose fsload is not built, with that compiler on the PATH."""
    monkeypatch.setattr(engine, "MADE", tmp_path / "clone" / "fsload")
    script(tmp_path / "cc", COMPILER.format(folder=tmp_path))
    (tmp_path / "go").touch()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return tmp_path


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def calls(folder: Path) -> int:
    """The number of calls of the compiler."""
    path = folder / "calls"
    return len(path.read_text().splitlines()) if path.exists() else 0


def is_waited_for(inode: int) -> bool:
    """Whether a process waits for a lock on the file with this number."""
    return any("->" in line and f":{inode} " in line for line in Path("/proc/locks").read_text().splitlines())


def start(folder: Path) -> subprocess.Popen[str]:
    """Start an agent that needs fsload, as a copy, so that the clone's fsload is not beside it."""
    copy = folder / "agents"
    if not copy.exists():
        copy.mkdir()
        (copy / "benchagent").symlink_to(AGENTS / "benchagent")
        (copy / "engine").mkdir()
        (copy / "engine" / "src").symlink_to(AGENTS / "engine" / "src")
    environment = {**signalled(), "PYTHONPATH": str(copy)}
    command = [sys.executable, "-c", PROGRAM, str(folder / "state")]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@cc
def test_it_is_built_from_the_agents_source_and_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MADE", tmp_path / "fsload")
    built = program(tmp_path / "engine")
    shown = subprocess.run([built, "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.endswith(f"+{version_of(source())}\n")
    assert sorted(path.name for path in built.parent.iterdir()) == [built.name, "lock"]


@make
@cc
def test_make_and_the_agent_mean_the_same_version() -> None:
    shown = subprocess.run(
        ["make", "-C", AGENTS / "engine", "-n", "-B", "build/fsload"], capture_output=True, text=True, check=True
    )
    assert f"-DFSLOAD_SOURCE='\"+{version_of(source())}\"'" in shown.stdout


def test_it_is_built_once(folder: Path) -> None:
    first = program(folder / "state")
    assert program(folder / "state") == first
    assert calls(folder) == 1


def test_another_source_is_another_program(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = program(folder / "state")
    monkeypatch.setattr(engine, "source", lambda: {"src/main.c": b"int main(void) { return 0; }"})
    assert program(folder / "state") != first
    assert calls(folder) == 2


def test_of_two_agents_at_once_one_builds(folder: Path) -> None:
    (folder / "go").unlink()
    with start(folder) as first, start(folder) as second:
        wait_until(lambda: calls(folder) == 1)
        inode = (folder / "state" / "lock").stat().st_ino
        wait_until(lambda: is_waited_for(inode))
        (folder / "go").touch()
        paths = {first.communicate(timeout=60)[0], second.communicate(timeout=60)[0]}
    assert (first.returncode, second.returncode, calls(folder)) == (0, 0, 1)
    [path] = paths
    assert Path(path.strip()).is_file()


def test_what_a_killed_agent_left_is_removed(folder: Path) -> None:
    (folder / "go").unlink()
    with start(folder) as killed:
        wait_until(lambda: calls(folder) == 1)
        killed.kill()
    assert list((folder / "state").glob("build-*"))
    (folder / "go").touch()
    built = program(folder / "state")
    assert sorted(path.name for path in (folder / "state").iterdir()) == [built.name, "lock"]


def test_the_clones_own_is_used_while_it_is_of_this_source(folder: Path) -> None:
    made = folder / "clone" / "fsload"
    script(made, f"#!/bin/sh\necho fsload 0.2.0+{version_of(source())}\n")
    assert program(folder / "state") == made
    script(made, "#!/bin/sh\necho fsload 0.2.0+0123456789ab\n")
    assert program(folder / "state") != made


def test_a_clones_program_for_another_kind_of_machine_is_not_used(folder: Path) -> None:
    made = folder / "clone" / "fsload"
    script(made, "\x7fELF of another processor")
    assert program(folder / "state") != made


def test_without_a_compiler_its_package_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "COMPILER", "no-such-cc")
    with pytest.raises(EngineMissing, match=r"no C compiler .*Debian packages: gcc, libc6-dev; Fedora package: gcc"):
        program(folder / "state")


def test_a_compiler_that_fails_is_quoted_and_leaves_nothing(folder: Path) -> None:
    script(folder / "cc", "#!/bin/sh\necho 'crew.c:1: fatal error: stdio.h: No such file' >&2\nexit 1\n")
    with pytest.raises(EngineMissing, match=r"stdio\.h: No such file\n\(Debian packages"):
        program(folder / "state")
    assert [path.name for path in (folder / "state").iterdir()] == ["lock"]


def test_a_state_directory_that_cannot_be_made(folder: Path) -> None:
    (folder / "state").touch()
    with pytest.raises(EngineMissing, match=r"cannot be built in .*state/engine: .*BENCHAGENT_STATE"):
        program(folder / "state" / "engine")


def test_the_variable_wins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(folder / "mine", "#!/bin/sh\n")
    monkeypatch.setenv("BENCHAGENT_FSLOAD", str(folder / "mine"))
    assert fsload.TOOL.find() == str(folder / "mine")
    monkeypatch.setenv("BENCHAGENT_FSLOAD", "/nonexistent")
    assert fsload.TOOL.find() is None
    assert fsload.TOOL.missing == "BENCHAGENT_FSLOAD names /nonexistent, which is not a program"


def test_a_build_that_failed_is_tried_once_and_explained(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(folder / "cc", f"#!/bin/sh\necho called >> {folder}/calls\necho 'error: out of ink' >&2\nexit 1\n")
    monkeypatch.delenv("BENCHAGENT_FSLOAD", raising=False)
    monkeypatch.setenv("BENCHAGENT_STATE", str(folder / "state"))
    assert fsload.TOOL.find() is None
    assert "out of ink" in fsload.TOOL.missing
    assert calls(folder) == 1
