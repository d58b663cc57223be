#!/usr/bin/env python3
"""Sets up this clone: virtual environment, Python packages, front end, C engine. `make setup` calls it.

A part with unchanged inputs is not made again, so a second run takes no time and no network. Independent parts are made
at the same time. Runs under the system's Python without any packages.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
FRONTEND = ROOT / "frontend"
OLDEST_PYTHON = (3, 11)
SERVER, DEV = "requirements.txt", "requirements/dev.txt"
# With Node.js. Installed before the other packages, so that the front end is built while they are downloaded.
BUILD = "requirements/build.txt"
HEARTBEAT_SECONDS = 20
QUOTED_LINES = 25


class SetupError(Exception):
    """A part could not be made; the message has the remedy."""


def say(message: str) -> None:
    """Print a message at once."""
    print(f"setup: {message}", flush=True)


def run(*command: str | Path, failure: str) -> None:
    """Run a command quietly; its last lines are shown if it fails."""
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    process = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if process.returncode != 0:
        lines = process.stdout.decode(errors="replace").rstrip().splitlines()[-QUOTED_LINES:]
        shown = "\n".join(f"    {line}" for line in lines)
        raise SetupError(f"{failure}\n{shown}")


def digest(files: Iterable[Path], *extra: str) -> str:
    """A fingerprint of files' names and contents."""
    total = hashlib.sha256(repr(extra).encode())
    for file in sorted(files):
        total.update(f"{file.relative_to(ROOT)}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\0".encode())
    return total.hexdigest()


def is_current(stamp: Path, fingerprint: str) -> bool:
    """Whether a part was made from the inputs with this fingerprint."""
    return stamp.is_file() and stamp.read_text() == fingerprint


def make_venv() -> None:
    """Make the virtual environment, also if its Python was removed from the system."""
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        raise SetupError(
            f"Python {wanted} or newer is needed, and this is {sys.version.split()[0]}. "
            "Name a newer one: `make setup PYTHON=python3.12`."
        )
    if (VENV / "bin" / "pip").exists() and PYTHON.exists() and subprocess.run([PYTHON, "-c", ""]).returncode == 0:
        return
    say("virtual environment in .venv")
    if VENV.exists():
        shutil.rmtree(VENV)
    run(
        sys.executable,
        "-m",
        "venv",
        VENV,
        failure="The virtual environment was not made. On Debian and Ubuntu, `apt-get install python3-venv`.",
    )


def packages_current(name: str) -> bool:
    """Whether at least the packages of a requirements file are installed."""
    return any(is_current(stamp_of(each), digest([ROOT / each], sys.version)) for each in {name, DEV})


def stamp_of(name: str) -> Path:
    """The file with the fingerprint of the installed packages of a requirements file."""
    return VENV / f".{name.replace('/', '-')}"


def install_packages(name: str) -> None:
    """Install the pinned packages of a requirements file; pip refuses any whose hash is not there.

    Python compiles a module at its first import, which is quicker than compiling all modules now.
    """
    if packages_current(name):
        return
    say(f"Python packages of {name}")
    run(
        *[PYTHON, "-m", "pip", "install", "--quiet", "--no-compile", "--require-hashes", "-r", name],
        failure="pip could not install the Python packages. Is the package index reachable?",
    )
    stamp_of(name).write_text(digest([ROOT / name], sys.version))


def install_server(name: str) -> None:
    """Install the packages of a requirements file, and compile what the server imports."""
    install_packages(name)
    compile_server()


def compile_server() -> None:
    """Compile what the server imports, which it would do at its first start.

    Where PYTHONDONTWRITEBYTECODE is set, each process would compile everything again. A failure shows at the start.
    """
    sources = [path for name in ("benchdb", "agents/benchagent") for path in (ROOT / name).rglob("*.py")]
    fingerprint = digest([*sources, ROOT / SERVER], sys.version)
    stamp = VENV / ".bytecode"
    if is_current(stamp, fingerprint):
        return
    ours = ("BENCHDB_", "PYTHONDONTWRITEBYTECODE")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment["BENCHDB_SECRET_KEY"] = fingerprint  # else var/ would get one
    for arguments in (
        ["-m", "compileall", "-q", "benchdb", "agents/benchagent"],
        ["-m", "benchdb.embedded.application"],
    ):
        subprocess.run([PYTHON, *arguments], cwd=ROOT, env=environment, capture_output=True, check=False)
    stamp.write_text(fingerprint)


def install_oldest() -> None:
    """Set up the agent's tests under the oldest Python of this machine."""
    run(PYTHON, "tools/oldest.py", failure="The packages for the agent's tests under an old Python were not installed.")


def build_frontend() -> None:
    """Install the front end's packages and build it, each if its inputs changed."""
    npm = FRONTEND / "npm"
    packages = digest([FRONTEND / "package.json", FRONTEND / "package-lock.json"])
    stamp = FRONTEND / "node_modules" / ".setup-stamp"
    if not is_current(stamp, packages):
        say("front end packages")
        run(npm, "ci", "--prefer-offline", failure="npm could not install the front end's packages.")
        stamp.write_text(packages)
    sources = [path for name in ("src", "static", "styles") for path in (FRONTEND / name).rglob("*") if path.is_file()]
    built = digest([*sources, *FRONTEND.glob("*.mjs"), FRONTEND / "tsconfig.json"], packages)
    stamp = FRONTEND / "dist" / ".setup-stamp"
    if not is_current(stamp, built):
        say("front end")
        run(npm, "run", "build", failure="The front end could not be built.")
        stamp.write_text(built)


def build_engine() -> None:
    """Build fsload with make, which skips unchanged parts."""
    for command in ("make", "cc"):
        if shutil.which(command) is None:
            raise SetupError(
                f"The command {command} is missing. On Debian and Ubuntu, `apt-get install gcc libc6-dev make`."
            )
    run("make", "-s", f"-j{os.cpu_count() or 1}", "-C", "agents/engine", failure="The C engine could not be built.")


class Parts:
    """Parts that are made at the same time."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._threads: dict[str, threading.Thread] = {}
        self.failures: list[str] = []

    def start(self, name: str, part: Callable[[], None]) -> None:
        """Start making a part in a thread."""
        self._threads[name] = threading.Thread(target=self.attempt, args=[part])
        self._threads[name].start()

    def attempt(self, part: Callable[[], None]) -> bool:
        """Make a part in this thread and record its failure. Returns whether the part was made."""
        try:
            part()
        except SetupError as error:
            self.failures.append(str(error))
            return False
        return True

    def wait(self) -> None:
        """Wait for all parts and print their progress now and then."""
        for name, thread in self._threads.items():
            thread.join(HEARTBEAT_SECONDS)
            while thread.is_alive():
                say(f"still at it: {name}, {time.monotonic() - self._started:.0f} s")
                thread.join(HEARTBEAT_SECONDS)


def wait_for_turn(lock: TextIO) -> None:
    """Wait for the lock, because two runs in one clone would overwrite each other's files."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another setup of this clone to end")
        fcntl.flock(lock, fcntl.LOCK_EX)


def main() -> int:
    """Set up this clone. Returns the exit code."""
    parser = argparse.ArgumentParser(description="Sets up this clone of BenchDB.")
    parser.add_argument("--dev", action="store_true", help="also what `make check` and the tests need")
    requirements = DEV if parser.parse_args().dev else SERVER
    started = time.monotonic()
    parts = Parts()
    with Path(__file__).open() as lock:
        wait_for_turn(lock)
        parts.start("C engine", build_engine)
        if parts.attempt(make_venv) and parts.attempt(lambda: install_packages(BUILD)):
            parts.start("front end", build_frontend)
            parts.start("Python packages", lambda: install_server(requirements))
            if requirements == DEV:
                parts.start("old Python", install_oldest)
        parts.wait()
    for failure in parts.failures:
        print(f"setup: {failure}", file=sys.stderr)
    if not parts.failures:
        say(f"ready after {time.monotonic() - started:.1f} s")
    return 1 if parts.failures else 0


if __name__ == "__main__":
    sys.exit(main())
