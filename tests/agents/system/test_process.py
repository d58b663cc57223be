"""Programs and their output, times and timeouts; no process is left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchagent.errors import Stopped
from benchagent.system.interrupts import raising
from benchagent.system.process import run
from tests.support.waiting import wait_until

AGENTS = Path(__file__).parents[3] / "agents"


def is_running(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def running_children() -> list[str]:
    """The command names of this process's running children."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [Path(f"/proc/{pid}/comm").read_text().strip() for pid in children if is_running(int(pid))]


def test_captures_output_and_exit_code(tmp_path: Path) -> None:
    outcome = run(["sh", "-c", "pwd; echo words >&2; exit 3"], directory=tmp_path)
    assert outcome.stdout == f"{tmp_path}\n"
    assert (outcome.stderr, outcome.returncode, outcome.ok) == ("words\n", 3, False)
    assert outcome.error == "words (exit code 3)"


def test_output_that_is_not_text_is_kept_readable() -> None:
    assert run(["printf", r"a\377b"]).stdout == "a\N{REPLACEMENT CHARACTER}b"


def test_counts_time_and_cpu_of_children_too() -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    outcome = run(["sh", "-c", '"$0" -c "$1"; true', sys.executable, burn])
    assert outcome.elapsed >= 0.3
    assert 0.25 <= outcome.user_seconds + outcome.system_seconds < 5


def test_a_short_program_is_timed_exactly() -> None:
    """The main thread polls four times per second; the measured time must not be rounded to that."""
    assert min(run(["true"]).elapsed for _ in range(5)) < 0.2


def test_ticks_while_it_waits() -> None:
    ticks: list[float] = []
    run(["sleep", "0.8"], tick=lambda: ticks.append(time.monotonic()))
    assert len(ticks) >= 2


def test_the_timeout_ends_the_whole_group(tmp_path: Path) -> None:
    script = f"sleep 60 & echo $! > {tmp_path}/pid; sleep 60"
    outcome = run(["sh", "-c", script], timeout=0.5)
    assert outcome.timed_out
    assert not outcome.ok
    assert outcome.error.startswith("stopped after ")
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_what_ignores_sigterm_is_killed() -> None:
    outcome = run(["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"], timeout=0.3)
    assert (outcome.timed_out, outcome.returncode) == (True, -signal.SIGKILL)


def test_a_forgotten_child_is_ended_too(tmp_path: Path) -> None:
    run(["sh", "-c", f"sleep 60 & echo $! > {tmp_path}/pid"])
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_an_exception_while_waiting_ends_the_program(tmp_path: Path) -> None:
    def tick() -> None:
        if (tmp_path / "pid").exists():
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run(["sh", "-c", f"echo $$ > {tmp_path}/pid; exec sleep 60"], tick=tick)
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_a_signal_while_the_program_starts_ends_it() -> None:
    """Starting takes long on a busy machine: a signal meanwhile must not leave a program running."""
    started: list[int] = []

    def tell() -> None:
        if not started:
            started.append(os.getpid())
            os.kill(os.getpid(), signal.SIGTERM)

    os.register_at_fork(after_in_parent=tell)
    with raising(), pytest.raises(Stopped):
        run(["sleep", "60"])
    assert started == [os.getpid()]
    assert "sleep" not in running_children()


def test_the_program_dies_with_an_agent_that_is_killed(tmp_path: Path) -> None:
    code = f"from benchagent.system.process import run; run(['sh', '-c', 'echo $$ > {tmp_path}/pid; exec sleep 60'])"
    agent = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(AGENTS)})
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().endswith("\n"))
    pid = int((tmp_path / "pid").read_text())
    assert is_running(pid)
    agent.kill()
    agent.wait()
    wait_until(lambda: not is_running(pid))


def test_a_program_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        run(["no-such-program"])
