#!/usr/bin/env python3
"""Starts docker-compose.yml on a running Docker engine, lets an agent measure, and removes everything again.

`make compose` calls it. If no image can be pulled, debootstrap makes one that replaces all of them (as root, on Debian
or Ubuntu). Exits with 3 if there is no engine; DOCKER_HOST can name another one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
NO_ENGINE = 3
STAND_IN, BASE = "benchdb-stand-in", "benchdb-stand-in-base"
RECIPE = """FROM {base}
COPY server /srv/benchdb
COPY container-entry /usr/local/bin/container-entry
WORKDIR /srv/benchdb
"""
PULLED = ("python:3.11-slim", "postgres:17", "redis:8")
DEBIAN = "bookworm"  # with Python 3.11, like the Dockerfile
PACKAGES = "python3,python-is-python3,postgresql,redis-server"
PULL_SECONDS = 120
HEALTHY_SECONDS = 420
READY_SECONDS = 120
PLAN = """
name = "compose"
rounds = 2

[[targets]]
kind = "directory"

[[workloads]]
tool = "fsload"
file_sizes = ["64 KiB", "256 KiB"]
record_sizes = ["4 KiB", "64 KiB"]
"""


class Failed(Exception):
    """A step failed; the message names it with the reason."""


def say(text: str) -> None:
    """Print a message at once."""
    print(f"compose: {text}", flush=True)


def run(*command: str | Path, seconds: float = 1800, **options: object) -> str:
    """The output of a command. Raises Failed with its last lines."""
    process = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, **options
    )
    if process.returncode != 0:
        last = "\n".join((process.stdout + process.stderr).strip().splitlines()[-25:])
        raise Failed(f"{' '.join(map(str, command[:6]))} failed:\n{last}")
    return process.stdout.strip()


def works(*command: str, seconds: float = 60) -> bool:
    """Whether a command succeeds."""
    try:
        run(*command, seconds=seconds)
    except (Failed, FileNotFoundError, subprocess.TimeoutExpired):
        return False
    return True


def composer() -> list[str]:
    """`docker compose`, or the older program of that name."""
    if works("docker", "compose", "version"):
        return ["docker", "compose"]
    if works("docker-compose", "version"):
        return ["docker-compose"]
    raise Failed("Docker Compose is not installed: apt-get install docker-compose")


def make_base(image: str) -> None:
    """Make an image with Python, PostgreSQL and Redis from Debian's archive, and the packages of requirements.txt."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        raise Failed("No image can be pulled here, and making one takes root and debootstrap.")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR"), prefix="benchdb-image-") as name:
        root = Path(name) / "root"
        say("no image can be pulled: making one with debootstrap, which takes some minutes")
        run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", DEBIAN, root)
        run("chroot", root, "useradd", "--system", "--create-home", "--home-dir", "/var/lib/benchdb", "benchdb")
        for owner, folder in (("postgres", "var/lib/postgresql/data"), ("redis", "data")):
            (root / folder).mkdir(parents=True)
            run("chroot", root, "chown", owner, f"/{folder}")
        (root / "var/lib/postgresql/data").chmod(0o700)
        (root / "run/postgresql").chmod(0o3777)  # as in the image postgres: a tmpfs there inherits the mode
        install(root)
        with subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE) as packed:
            subprocess.run(["docker", "import", "-", image], stdin=packed.stdout, check=True)


def make_stand_in(again: bool) -> None:
    """Make an image with the server of this clone; its base is made anew only if its packages changed, or `again`."""
    wanted = hashlib.sha256(f"{DEBIAN} {PACKAGES} {(ROOT / 'requirements.txt').read_text()}".encode()).hexdigest()
    base = f"{BASE}:{wanted[:12]}"
    if again or not works("docker", "image", "inspect", base):
        make_base(base)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR"), prefix="benchdb-context-") as name:
        context = Path(name)
        shutil.copytree(ROOT, context / "server", ignore=ignored)
        shutil.copy(ROOT / "tools/container-entry", context)
        for path in (context / "server", *(context / "server").rglob("*")):
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        (context / "Dockerfile").write_text(RECIPE.format(base=base))
        run("docker", "build", "--quiet", "--tag", STAND_IN, context, env={**os.environ, "DOCKER_BUILDKIT": "0"})


def install(root: Path) -> None:
    """Install the packages of requirements.txt for the image's Python, except the one that builds the front end."""
    wanted = root.parent / "requirements.txt"
    locked = re.sub(r"(?m)^nodejs.*\\\n(?: .*\n)*", "", (ROOT / "requirements.txt").read_text())
    # redis needs async-timeout below Python 3.11.3. Debian has 3.11.2, but pip decides by the Python that runs it.
    wanted.write_text(locked.replace(" ; python_full_version < '3.11.3'", ""))
    target = root / "usr/local/lib/python3.11/dist-packages"
    options = ["--quiet", "--require-hashes", "--python-version", "3.11", "--only-binary=:all:", "--target", target]
    run(PYTHON, "-m", "pip", "install", "--disable-pip-version-check", *options, "-r", wanted)


def ignored(directory: str, names: list[str]) -> set[str]:
    """The files that the image does not need: all but the server, the agent and the built front end."""
    folder = Path(directory).relative_to(ROOT)
    if folder == Path():
        return set(names) - {"manage.py", "benchdb", "agents", "frontend"}
    if folder == Path("frontend"):
        return set(names) - {"dist"}
    return {name for name in names if name in ("__pycache__", "build", "tests")}


def until_healthy(compose: Sequence[str]) -> None:
    """Wait until every container is healthy. Raises Failed."""
    end = time.monotonic() + HEALTHY_SECONDS
    while True:
        ids = run(*compose, "ps", "-q").split()
        form = "{{.Name}} {{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}}"
        states = [line.split() for line in run("docker", "inspect", "--format", form, *ids).splitlines()]
        if len(states) == 5 and all(state[1:] == ["running", "healthy"] for state in states):
            say(f"healthy: {', '.join(sorted(state[0].strip('/') for state in states))}")
            return
        if time.monotonic() > end:
            raise Failed("not healthy: " + "; ".join(" ".join(state) for state in states))
        time.sleep(2)


def until_ready(url: str, run_id: str) -> str:
    """Wait until a run is ready; the address of its page. Raises Failed."""
    end = time.monotonic() + READY_SECONDS
    state = "not stored"
    while time.monotonic() < end:
        with urllib.request.urlopen(f"{url}/api/v1/runs/{run_id}/state", timeout=30) as answer:
            state = json.load(answer)["state"]
        if state == "ready":
            return f"{url}/runs/{run_id}/"
        time.sleep(1)
    raise Failed(f"run {run_id} is {state}")


def measure(compose: Sequence[str], url: str, folder: Path) -> str:
    """Let an agent on this machine measure a directory and upload; the id of a run. Raises Failed."""
    token = run(
        *compose, "exec", "-T", "web", "python", "manage.py", "token", "ada", "--create-owner", "--visibility=public"
    )
    (folder / "plan.toml").write_text(PLAN)
    (folder / "files").mkdir()
    names = {"TOKEN": token.split()[-1], "STATE": str(folder / "state"), "SPOOL": str(folder / "spool")}
    environment = {**os.environ, "PYTHONPATH": "agents", **{f"BENCHAGENT_{name}": text for name, text in names.items()}}
    arguments = ["run", folder / "plan.toml", "--directory", folder / "files", "--server", url]
    run(PYTHON, "-m", "benchagent", *arguments, env=environment)
    for answer in (folder / "spool" / "sent").glob("*.answer.json"):
        return answer.name.removesuffix(".answer.json")
    raise Failed("the agent sent no run")


def restored(manage: Sequence[str]) -> str:
    """Back the database up and restore the backup; the last line of its output. Raises Failed."""
    folder = "/var/lib/benchdb/backups"
    run(*manage, "backup", folder)
    listed = "import pathlib, sys; print(max(pathlib.Path(sys.argv[1]).glob('*.dump')))"
    dump = run(*manage[:-1], "-c", listed, folder)
    return run(*manage, "restore", "--replace", dump).splitlines()[-1]


def free_port() -> int:
    """A free port of the loopback address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def try_it(compose: list[str], folder: Path) -> None:
    """Start everything, measure, check the page and a backup, and remove everything, also after a failure."""
    for name in ("database_password", "secret_key", "broker_password", "cache_password"):
        (folder / name).write_text(secrets.token_hex(32))
    port = free_port()
    os.environ |= {"SECRETS": str(folder), "PORT": str(port), "BENCHDB_SWEEP_SECONDS": "5"}
    url = f"http://127.0.0.1:{port}"
    try:
        run(*compose, "up", "-d", "--no-build")
        until_healthy(compose)
        page = until_ready(url, measure(compose, url, folder))
        with urllib.request.urlopen(page, timeout=30) as answer:
            say(f"{page} answers {answer.status}: the run is ready")
        manage = [*compose, "exec", "-T", "web", "python", "manage.py"]
        say("the doctor says:\n" + run(*manage, "doctor"))
        run(*compose, "stop", "worker", "beat")
        say(restored(manage))
        with urllib.request.urlopen(page, timeout=30) as answer:
            say(f"{page} answers {answer.status} from the backup")
    except (Failed, urllib.error.URLError):
        print(subprocess.run([*compose, "logs", "--tail=40"], cwd=ROOT, capture_output=True, text=True).stdout)
        raise
    finally:
        run(*compose, "down", "--volumes", "--timeout", "20")
        say("taken down, with its volumes")


def main() -> int:
    """Run the whole trial. Returns the exit code."""
    if not works("docker", "info"):
        say("no Docker engine here (Debian: apt-get install docker.io docker-compose, then start dockerd)")
        return NO_ENGINE
    project = f"benchdb-try-{os.getpid()}"
    try:
        compose = [*composer(), "--project-name", project, "--file", "docker-compose.yml"]
        if all(works("docker", "pull", "--quiet", image, seconds=PULL_SECONDS) for image in PULLED):
            run(*compose, "build")
        else:
            make_stand_in("--again" in sys.argv[1:])
            compose += ["--file", "deploy/compose.stand-in.yml"]
        with tempfile.TemporaryDirectory(prefix="benchdb-compose-") as name:
            folder = Path(name)
            folder.chmod(0o755)  # the containers' users read the secrets
            try_it(compose, folder)
    except (Failed, subprocess.SubprocessError, urllib.error.URLError) as error:
        say(str(error))
        return 1
    say("all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
