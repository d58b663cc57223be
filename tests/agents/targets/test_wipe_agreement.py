"""The question before a block device is formatted, and the answers that count as yes."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from benchagent.targets.devices import BY_ID, signatures
from benchagent.targets.loop import tool
from tests.agents.support.targets import AGENTS, partition
from tests.agents.targets.test_prepare import loop_devices, root
from tests.support.signals import signalled
from tests.texts import missing_in

pytestmark = [root, loop_devices]

PLAN = """name = "test"
rounds = 1
[[targets]]
kind = "device"
path = "{path}"
file_system = "ext4"
{more}
[[workloads]]
tool = "iozone"
file_sizes = ["64 KiB"]
record_sizes = ["64 KiB"]
tests = ["write"]
"""


class Run:
    """Runs `benchagent run` with a plan that formats a device."""

    def __init__(self, directory: Path, path: str, more: str = "") -> None:
        self.plan = directory / "plan.toml"
        self.plan.write_text(PLAN.format(path=path, more=more))
        self.environment = {
            **signalled(),
            "PYTHONPATH": str(AGENTS),
            "BENCHAGENT_STATE": str(directory / "state"),
        }
        for name in ("BENCHAGENT_SERVER", "BENCHAGENT_TOKEN", "BENCHAGENT_SPOOL"):
            self.environment.pop(name, None)
        self.command = [sys.executable, "-m", "benchagent", "run", str(self.plan)]

    def unattended(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.command, *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def typing(self, answer: bytes) -> tuple[int, str]:
        """Run on a terminal, and type `answer` at the prompt. Returns the exit code and the output."""
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            self.command, env=self.environment, stdin=theirs, stdout=theirs, stderr=theirs
        ) as process:
            os.close(theirs)
            shown = b""
            while chunk := _read(ours):
                if b"To agree, type" not in shown and b"To agree, type" in shown + chunk:
                    os.write(ours, answer)
                shown += chunk
            os.close(ours)
        return process.returncode, shown.decode()


def _read(terminal: int) -> bytes:
    """The data that the other side wrote; empty after it has closed."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_the_id_on_the_command_line_agrees(device: tuple[str, str], tmp_path: Path) -> None:
    path, node = device
    for named in (Path(path).name, path):
        done = Run(tmp_path, path, "wipe = true").unattended("--yes-wipe", named)
        assert done.returncode == 0, done.stderr
        assert [line.split()[0] for line in signatures(node)] == ["ext4"]
    assert node not in Path("/proc/mounts").read_text()


def test_without_a_terminal_the_plan_is_refused(device: tuple[str, str], tmp_path: Path) -> None:
    path, node = device
    done = Run(tmp_path, path).unattended()
    assert done.returncode == 13
    assert not missing_in(
        done.stderr,
        f"The plan formats {path}, and there is no terminal to ask on.",
        f"add --yes-wipe {Path(path).name}",
    )
    assert signatures(node) == ()


def test_what_is_typed_agrees(device: tuple[str, str], tmp_path: Path) -> None:
    path, node = device
    code, shown = Run(tmp_path, path).typing(Path(path).name.encode() + b"\n")
    assert code == 0, shown
    assert not missing_in(shown, f"{node}, no model known, 256 MiB", "holds no known signature")
    assert [line.split()[0] for line in signatures(node)] == ["ext4"]


@pytest.mark.parametrize("answer", [b"yes\n", b"\n", b"\x04"])
def test_anything_else_refuses(device: tuple[str, str], tmp_path: Path, answer: bytes) -> None:
    """A wrong model, an empty answer and the end of the input refuse."""
    path, node = device
    code, shown = Run(tmp_path, path).typing(answer)
    assert code == 13
    assert f"{path} was not agreed to; nothing was changed." in shown
    assert signatures(node) == ()


@pytest.mark.parametrize(("place", "named"), [(nullcontext, ""), (partition, "{} ")], ids=["it", "its partitions"])
def test_what_is_held_is_shown_before_the_question(
    device: tuple[str, str], tmp_path: Path, place: Callable[[str], AbstractContextManager[str]], named: str
) -> None:
    path, node = device
    with place(node) as formatted:
        tool("mkfs.ext4", "-q", formatted)
        code, shown = Run(tmp_path, path, "wipe = true").typing(b"no\n")
        assert code == 13
        assert f"{named.format(formatted)}holds {signatures(formatted)[0]}" in shown


def test_nobody_is_asked_about_a_device_that_is_refused(device: tuple[str, str], tmp_path: Path) -> None:
    path, node = device
    tool("mkfs.ext4", "-q", node)
    done = Run(tmp_path, path).unattended()
    assert done.returncode == 10
    assert "say `wipe = true` in the plan" in done.stderr


def test_an_id_that_no_target_has_is_wrong(device: tuple[str, str], tmp_path: Path) -> None:
    done = Run(tmp_path, device[0]).unattended("--yes-wipe", "ata-other")
    assert done.returncode == 2
    assert (
        f"--yes-wipe {BY_ID}/ata-other: no target of the plan is that device, and no job file names it." in done.stderr
    )
