"""A release in a directory of its own, and its services, started by the commands of the systemd units."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGKILL

from benchdb.embedded.config import PROJECT
from benchdb.embedded.services.celery import beat_service
from benchdb.embedded.services.web import listen, url_of, web_service
from benchdb.embedded.supervisor.privileges import launcher
from benchdb.stats import STATISTICS_VERSION
from tests.support.waiting import wait_until
from tests.system.server import PATIENCE, Server

BUNDLE = Path("frontend", "dist")  # made by `make setup`, not in the repository
STOP_SECONDS = 60

# What a next release does at least: a new column, which the previous release does not fill, and better statistics.
MODEL, FIELD = Path("benchdb", "runs", "models", "run.py"), '    trial = models.TextField(db_default="trial")\n'
AFTER = "    digest = models.BinaryField("
VERSION = Path("benchdb", "stats", "version.py")


def git(*arguments: str) -> bytes:
    """The output of git in this repository."""
    return subprocess.run(["git", *arguments], cwd=PROJECT, check=True, capture_output=True).stdout


def last_release() -> str:
    """The last tag of a release, or this commit if there is none or the clone has no tags."""
    return git("tag", "--list", "v*", "--sort=-version:refname", "--merged").decode().partition("\n")[0] or "HEAD"


def check_out(commit: str, tree: Path) -> None:
    """The files of a commit, with the browser bundle of this clone."""
    _unpack(git("archive", commit), tree)


def next_release(tree: Path) -> int:
    """This clone's files with one more migration and the next version of the statistics. Returns that version."""
    pack = ["tar", "--create", "--null", "--files-from=-"]
    tar = subprocess.run(pack, cwd=PROJECT, input=git("ls-files", "-z"), check=True, capture_output=True).stdout
    _unpack(tar, tree)
    version = STATISTICS_VERSION + 1
    _replace(tree / MODEL, AFTER, FIELD + AFTER)
    _replace(tree / VERSION, f"STATISTICS_VERSION = {STATISTICS_VERSION}", f"STATISTICS_VERSION = {version}")
    return version


def _unpack(tar: bytes, tree: Path) -> None:
    tree.mkdir()
    subprocess.run(["tar", "--extract", "--directory", tree], input=tar, check=True)
    shutil.copytree(PROJECT / BUNDLE, tree / BUNDLE)


def _replace(file: Path, text: str, by: str) -> None:
    source = file.read_text()
    assert source.count(text) == 1, (file, text)
    file.write_text(source.replace(text, by))


@dataclass
class Release:
    """A release and its running services, by name. `environment` names the database and broker of the site."""

    tree: Path
    var: Path
    environment: Mapping[str, str]
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    web: Server = field(init=False)

    def __post_init__(self) -> None:
        (self.var / "log").mkdir(parents=True)
        self.environment = {
            **self.environment,
            "BENCHDB_VAR": str(self.var),
            "BENCHDB_PROCESSES": "1",
            "PYTHONPATH": f"{self.tree}:{self.tree / 'agents'}",
        }

    def manage(self, *arguments: str) -> str:
        """The output of a command of `manage.py`."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=self.environment,
            cwd=self.tree,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start_web(self, stack: ExitStack) -> None:
        """Start gunicorn on a free port and wait until it answers."""
        with listen("127.0.0.1", 0) as listener:
            service = web_service(listener, 1)
            self._start("web", service.command, stack, service.descriptors)
            self.web = Server(url_of(listener), self.var, self.environment)
            wait_until(lambda: bool(service.ready and service.ready()), PATIENCE, lambda: self.log("web"))

    def start_worker(self, stack: ExitStack) -> None:
        """Start both workers and wait until they take messages."""
        self._start("worker", [sys.executable, "manage.py", "worker"], stack)
        wait_until(lambda: self._workers_ready() == 2, PATIENCE, lambda: self.log("worker"))

    def start_beat(self, stack: ExitStack) -> None:
        """Start beat."""
        self._start("beat", beat_service().command, stack)

    def stop(self, name: str) -> None:
        """Stop a service as systemd does; it finishes its work first."""
        process = self.running.pop(name)
        process.terminate()
        assert process.wait(STOP_SECONDS) in (0, -15), self.log(name)

    def log(self, name: str) -> str:
        """The end of the output of a service."""
        return (self.var / "log" / f"{name}.txt").read_text()[-5000:]

    def _start(self, name: str, command: list[str], stack: ExitStack, descriptors: Sequence[int] = ()) -> None:
        with (self.var / "log" / f"{name}.txt").open("wb") as log:
            process = subprocess.Popen(
                [*launcher(SIGKILL), *command],
                env=self.environment,
                cwd=self.tree,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=descriptors,
            )
        self.running[name] = process
        stack.callback(self._end, process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()

    def _workers_ready(self) -> int:
        texts = [file.read_text() for file in (self.var / "log").glob("*.log")] + [self.log("worker")]
        return max(sum(text.count(" ready.") for text in texts[:-1]), texts[-1].count(" ready."))
