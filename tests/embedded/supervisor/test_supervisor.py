"""Order, readiness, restarts and the end, with real child processes."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import pytest

from benchdb.embedded.errors import ServiceError
from benchdb.embedded.supervisor import supervisor as supervisor_module
from benchdb.embedded.supervisor.process import LINE_BYTES, Service
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise

# A child that records its start and end in the file `journal`, and is ready when the file named after it exists.
CHILD = """
name=$0
echo "$name starts" >> journal
trap 'echo "$name stops" >> journal; exit 0' TERM
touch "$name.ready"
while :; do sleep 0.02; done
"""
STUBBORN = "trap '' TERM; touch stubborn.ready; while :; do sleep 1; done"

Main = Callable[[Supervisor], Coroutine[None, None, int]]


class Workshop:
    """A directory in which children leave traces."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def service(self, name: str, script: str = CHILD, **options: object) -> Service:
        ready = self.directory / f"{name}.ready"
        return Service(name, ["sh", "-c", script, name], ready=ready.exists, directory=self.directory, **options)  # type: ignore[arg-type]

    def run(self, main: Main) -> int:
        return supervise(main, self.directory / "log", None)

    def log(self, name: str) -> list[str]:
        """The lines of a log without their times."""
        text = (self.directory / "log" / f"{name}.log").read_text()
        return [line.split(" ", 1)[1] for line in text.splitlines()]

    @property
    def journal(self) -> list[str]:
        return (self.directory / "journal").read_text().splitlines()


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


async def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for a condition, and fail the test after the time limit."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def test_groups_start_in_order_and_stop_in_reverse(workshop: Workshop) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("database")])
        assert workshop.journal == ["database starts"]
        await supervisor.start([workshop.service("web")])
        return 7

    assert workshop.run(main) == 7
    assert workshop.journal == ["database starts", "web starts", "web stops", "database stops"]


def test_start_waits_until_the_service_is_ready(workshop: Workshop) -> None:
    answers = iter([False, False, True])
    asked = []

    def ready() -> bool:
        asked.append(time.monotonic())
        return next(answers)

    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([Service("slow", ["sleep", "60"], ready=ready)])
        return len(asked)

    assert workshop.run(main) == 3


def test_output_is_logged_line_by_line_however_it_comes(workshop: Workshop) -> None:
    long = "yes | head -c 4000000 | tr -d '\\n' >&2"
    script = rf"printf 'one\ntw'; printf 'o\n\377\nlong '; {long}; printf '\nlast without end'"

    async def main(supervisor: Supervisor) -> int:
        await supervisor.run(Service("printer", ["sh", "-c", script]))
        return 0

    workshop.run(main)
    first, second, third, cut, last = workshop.log("printer")
    assert [first, second, third, last] == ["one", "two", "\N{REPLACEMENT CHARACTER}", "last without end"]
    assert cut == "long ".ljust(LINE_BYTES, "y") + " … (the rest of this line is not logged)"


def test_a_crashed_service_is_started_again(workshop: Workshop) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("web", "echo $$ >> pids; touch web.ready; while :; do sleep 1; done")])
        pids = workshop.directory / "pids"
        os.kill(int(pids.read_text()), signal.SIGKILL)
        await until(lambda: len(pids.read_text().split()) == 2)
        return 0

    workshop.run(main)
    assert workshop.log("benchdb") == ["web was ended by signal 9 (Killed); starting it again in 0.5 s"]


def test_a_service_without_a_sign_of_life_is_started_again(workshop: Workshop) -> None:
    """As a worker that hangs: it runs, ignores SIGTERM, and does nothing."""
    pids, living = workshop.directory / "pids", workshop.directory / "living"
    living.touch()
    script = "trap '' TERM; echo $$ >> pids; touch web.ready; while :; do sleep 1; done"
    options = {"alive": living.exists, "silent_seconds": 0.2, "stop_seconds": 0.1}

    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("web", script, **options)])
        living.unlink()
        await until(lambda: len(pids.read_text().split()) == 2)
        living.touch()
        return 0

    workshop.run(main)
    assert workshop.log("benchdb")[:2] == [
        "web gave no sign of life for 0.2 s",
        "web was stopped; starting it again in 0.5 s",
    ]


def test_the_delay_grows_while_it_crashes_again_and_again(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_module, "FIRST_DELAY_SECONDS", 0.01)
    monkeypatch.setattr(supervisor_module, "LONGEST_DELAY_SECONDS", 0.03)

    async def main(supervisor: Supervisor) -> int:
        script = "touch web.ready; until test -e go; do sleep 0.01; done; echo x >> lives; exit 3"
        await supervisor.start([workshop.service("web", script)])
        (workshop.directory / "go").touch()  # until now it ended before it was ready
        await until(lambda: len((workshop.directory / "lives").read_text().split()) == 4)
        return 0

    (workshop.directory / "lives").touch()
    workshop.run(main)
    assert workshop.log("benchdb")[:3] == [
        f"web ended with exit code 3; starting it again in {delay} s" for delay in ("0.01", "0.02", "0.03")
    ]


def test_what_a_killed_master_leaves_is_killed(workshop: Workshop) -> None:
    script = "sh -c 'echo $$ > worker; while :; do sleep 1; done' & touch web.ready; wait"

    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("web", script + "; exit")])
        await until(lambda: bool((workshop.directory / "worker").read_text()))
        worker = int((workshop.directory / "worker").read_text())
        os.kill(os.getpgid(worker), signal.SIGKILL)
        await until(lambda: not alive(worker))
        return 0

    (workshop.directory / "worker").touch()
    assert workshop.run(main) == 0


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie, which waits for its parent, does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_service_that_does_not_start_is_an_error_with_its_last_words(workshop: Workshop) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("database")])
        await supervisor.start([workshop.service("web", "echo the port is taken; exit 3"), workshop.service("worker")])
        raise AssertionError("start returned although web is not ready")

    with pytest.raises(ServiceError) as error:
        workshop.run(main)
    log = workshop.directory / "log" / "web.log"
    assert str(error.value) == f"web ended with exit code 3. Its last words, from {log}:\n  the port is taken"
    assert workshop.journal[-1] == "database stops"


def test_a_service_that_is_never_ready_is_an_error(workshop: Workshop) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([Service("slow", ["sleep", "60"], ready=lambda: False, ready_seconds=0.2)])
        raise AssertionError("start returned although it is not ready")

    with pytest.raises(ServiceError, match=r"slow was not ready after 0\.2 s\."):
        workshop.run(main)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["/nonexistent/program"], r"(?s)once ended with exit code 127.*No such file or directory"),
        (["sh", "-c", "echo no such table; exit 1"], r"(?s)once ended with exit code 1\..*no such table"),
    ],
    ids=["not there", "fails"],
)
def test_a_program_that_cannot_do_its_work_is_an_error(workshop: Workshop, command: list[str], told: str) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.run(Service("once", command))
        return 0

    with pytest.raises(ServiceError, match=told):
        workshop.run(main)


def test_a_bug_in_a_readiness_check_is_not_swallowed(workshop: Workshop) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([Service("slow", ["sleep", "60"], ready=lambda: bool(1 / 0))])
        return 0

    with pytest.raises(ZeroDivisionError):
        workshop.run(main)


def test_a_service_that_ignores_the_signal_is_killed(workshop: Workshop) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("stubborn", STUBBORN, stop_seconds=0.2)])
        return 0

    assert workshop.run(main) == 0
    assert workshop.log("benchdb") == ["stubborn did not stop in time and was killed"]


@pytest.fixture
def terminal_may_hang_up() -> Iterator[None]:
    """Restore SIGHUP: under nohup, which may run the tests, it is ignored and the process would survive it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("terminal_may_hang_up")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything(workshop: Workshop, number: signal.Signals) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("web")])
        os.kill(os.getpid(), number)
        await asyncio.Event().wait()
        return 1

    assert workshop.run(main) == 0
    assert workshop.journal == ["web starts", "web stops"]


def test_two_signals_at_once_are_one_wish(workshop: Workshop) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("web")])
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()
        return 1

    assert workshop.run(main) == 0
    assert workshop.journal == ["web starts", "web stops"]


def test_a_later_signal_kills_what_does_not_stop(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_module, "SAME_WISH_SECONDS", 0.1)

    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([workshop.service("stubborn", STUBBORN, stop_seconds=3600)])
        insisting.append(asyncio.create_task(insist()))
        await asyncio.Event().wait()
        return 1

    async def insist() -> None:
        """Send signals until the supervisor ends: on a busy machine it may treat the first two as one."""
        while True:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(0.2)

    insisting: list[asyncio.Task[None]] = []
    assert workshop.run(main) == 0
    assert workshop.log("benchdb") == ["stubborn did not stop in time and was killed"]


def test_nothing_outlives_a_killed_supervisor(workshop: Workshop) -> None:
    """The program below is killed; its child, which does not read its pipe, is ended by the kernel's signal."""
    program = f"""
import asyncio
from pathlib import Path
from benchdb.embedded.supervisor.process import Service
from benchdb.embedded.supervisor.supervisor import supervise

async def main(supervisor):
    await supervisor.start([Service("child", ["sleep", "60"])])
    print(supervisor._groups[0][0]._process.pid, flush=True)
    await asyncio.Event().wait()

supervise(main, Path({str(workshop.directory)!r}), None)
"""

    async def main() -> None:
        supervisor = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE)
        assert supervisor.stdout
        child = int(await supervisor.stdout.readline())
        assert alive(child)
        supervisor.kill()
        await supervisor.wait()
        await until(lambda: not alive(child))

    asyncio.run(main())
