"""Starts docker-compose.yml for real: upgrades it, measures through it, kills each container, and removes everything again.

`make compose` calls it. Where no Docker engine runs, it starts one of its own (tools/engine.py), and where no image can be
pulled, it makes the base images (tools/bases.py). Exits with 3 if no engine can be had.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
from collections.abc import Sequence
from pathlib import Path

from tools import bases, held_back
from tools.commands import ROOT, Failed, run, say, works
from tools.engine import Engine, NoEngine, isolated
from tools.public_site import Agent, PublicSite

NO_ENGINE = 3
BASE, IMAGE = bases.PYTHON.images[0], "benchdb"
SERVICES = ("database", "broker", "web", "worker", "beat", "proxy")
HEALTHY_SECONDS = 420
IMAGE_BYTES = 350_000_000  # above the base image, unpacked
# What the image must have, and must not.
CONTENT = (
    "test -s LICENSE && test -s NOTICE && ! command -v node && ! find / -xdev -type f "
    r"\( -name node -o -name initdb -o -name valkey-server \) 2>/dev/null | grep ."
)


def composer(tree: Path, project: str) -> list[str]:
    """`docker compose`, or the older program of that name, for the site of a checkout. Raises Failed."""
    named = ["--project-name", project, "--file", str(tree / "docker-compose.yml")]
    if works("docker", "compose", "version"):
        return ["docker", "compose", *named]
    if works("docker-compose", "version"):
        return ["docker-compose", *named]
    raise Failed("Docker Compose is not installed: apt-get install docker-compose")


def ids_of(compose: Sequence[str], *services: str) -> list[str]:
    """The ids of the containers of some services."""
    return run(*compose, "ps", "-q", *services).split()


def until_healthy(compose: Sequence[str], *services: str) -> None:
    """Wait until the containers of some services, or of all, are healthy. Raises Failed."""
    end = time.monotonic() + HEALTHY_SECONDS
    form = "{{.Name}} {{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}}"
    while True:
        ids = ids_of(compose, *(services or SERVICES))
        states = [line.split() for line in run("docker", "inspect", "--format", form, *ids).splitlines()]
        if len(states) == len(services or SERVICES) and all(state[1:] == ["running", "healthy"] for state in states):
            return
        if time.monotonic() > end:
            raise Failed("not healthy: " + "; ".join(" ".join(state) for state in states))
        time.sleep(1)


def manage(compose: Sequence[str], *arguments: str) -> str:
    """The output of a command of manage.py in the container web. Raises Failed."""
    return run(*compose, "exec", "-T", "web", "python", "manage.py", *arguments)


def earlier_version(folder: Path) -> Path:
    """The files of the last release, or of the commit before this one if there is none, in a directory."""
    tags = run("git", "tag", "--list", "v*", "--sort=-version:refname", "--merged").split()
    commit = [*tags, *run("git", "rev-list", "--max-count=2", "HEAD").split()[::-1]][0]
    (tree := folder / "earlier").mkdir()
    run("git", "archive", "--output", folder / "earlier.tar", commit)
    run("tar", "-C", tree, "-xf", folder / "earlier.tar")
    say(f"the earlier version is {commit}")
    return tree


def start(compose: Sequence[str]) -> None:
    """Build the image and start everything. Raises Failed."""
    run(*compose, "build", env={**os.environ, "DOCKER_BUILDKIT": "0"})
    run(*compose, "up", "-d", "--no-build")
    until_healthy(compose)


def check_image() -> None:
    """Check the size of the image and what is in it. Raises Failed."""
    sizes = [int(run("docker", "image", "inspect", "--format", "{{.Size}}", image)) for image in (IMAGE, BASE)]
    run("docker", "run", "--rm", "--entrypoint", "sh", IMAGE, "-c", CONTENT)
    if (above := sizes[0] - sizes[1]) > IMAGE_BYTES:
        raise Failed(f"the image is {above / 1e6:.0f} MB above its base")
    say(f"the image has {above / 1e6:.0f} MB above the {sizes[1] / 1e6:.0f} MB of its base, and no Node.js")


def documents(site: PublicSite, ids: Sequence[str]) -> dict[str, bytes]:
    """The documents of runs, which must be there. Raises HTTPError."""
    return {run_id: site.get(f"/api/v1/runs/{run_id}/document")[0] for run_id in ids}


def upload(agent: Agent, site: PublicSite) -> list[str]:
    """Let an agent send what waits; the ids of all its runs, which are ready. Raises Failed."""
    if agent.uploading().wait(HEALTHY_SECONDS) != 0:
        raise Failed("the agent could not upload")
    for run_id in (ids := agent.acknowledged()):
        site.until_ready(run_id)
    return ids


def upgrade(old: Sequence[str], new: Sequence[str], folder: Path, site: PublicSite) -> tuple[str, str]:
    """Start the earlier version, store a run, and go over to this one. Returns a token and the run. Raises Failed."""
    start(old)
    token = manage(old, "token", "ada", "--create-owner", "--visibility=public").split()[-1]
    (agent := Agent(folder, token, site)).measure()
    (run_id,) = upload(agent, site)
    before = documents(site, [run_id])
    manage(old, "backup", "/var/lib/benchdb/backups")
    run(*old, "stop", "worker", "beat")
    start(new)
    if documents(site, [run_id]) != before:
        raise Failed("the run changed in the upgrade")
    site.until_ready(run_id)
    containers = sorted(ids_of(new))
    run(*new, "up", "-d", "--no-build")
    if sorted(ids_of(new)) != containers:
        raise Failed("a second `up` made new containers")
    say("upgraded: the run of the earlier version is the same, and a second `up` changes nothing")
    return token, run_id


def kill(compose: Sequence[str], service: str, alone: bool) -> None:
    """End a container by force. `alone`: a crash, after which the engine of this machine starts it again."""
    (container,) = ids_of(compose, service)
    if alone:
        os.kill(int(run("docker", "inspect", "--format", "{{.State.Pid}}", container)), signal.SIGKILL)
    else:
        run("docker", "kill", container)
        run(*compose, "up", "-d", "--no-build")


def kill_each(compose: Sequence[str], token: str, folder: Path, site: PublicSite, alone: bool) -> None:
    """Kill each container while an agent uploads; all that is acknowledged must be there. Raises Failed."""
    for service in SERVICES:
        (agent := Agent(folder, token, site)).measure()
        with agent.uploading():
            kill(compose, service, alone)
        acknowledged = agent.acknowledged()
        until_healthy(compose)
        documents(site, acknowledged)
        documents(site, upload(agent, site))
        say(f"{service} killed: healthy again, {len(acknowledged)} of 1 run was acknowledged before, and all are there")


def restart_engine(engine: Engine, compose: Sequence[str], token: str, folder: Path, site: PublicSite) -> None:
    """Upload a run that no worker takes, restart the engine, and wait for the run. Raises Failed or NoEngine."""
    run(*compose, "stop", "worker", "beat")
    (agent := Agent(folder, token, site)).measure(upload=True)
    before = documents(site, agent.acknowledged())
    engine.restart()
    run(*compose, "start", "worker", "beat")
    until_healthy(compose)
    upload(agent, site)
    if documents(site, agent.acknowledged()) != before or not before:
        raise Failed("the run changed while the engine restarted")
    say("a run that waited for the worker is complete after a restart of the engine")


def restored(compose: Sequence[str]) -> str:
    """Back the database up and restore the backup; the last line of its output. Raises Failed."""
    run(*compose, "stop", "worker", "beat")
    folder = "/var/lib/benchdb/backups"
    manage(compose, "backup", folder)
    listed = "import pathlib, sys; print(max(pathlib.Path(sys.argv[1]).glob('*.dump')))"
    dump = run(*compose, "exec", "-T", "web", "python", "-c", listed, folder)
    return manage(compose, "restore", "--replace", dump).splitlines()[-1]


def free_port() -> int:
    """A free port of the loopback address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def prepare(folder: Path) -> PublicSite:
    """Make secrets and a certificate in a directory, and set the environment of a public site on free ports."""
    secrets = folder / "secrets"
    for _ in range(2):  # a second time changes nothing
        made = run("deploy/secrets", secrets, "localhost")
    if made:
        raise Failed(f"secrets were made twice: {made}")
    port, plain, secure = free_port(), free_port(), free_port()
    ports = {"PORT": str(port), "HTTP_PORT": f"127.0.0.1:{plain}", "HTTPS_PORT": f"127.0.0.1:{secure}"}
    public = {"BENCHDB_ALLOWED_HOSTS": "localhost", "BENCHDB_TLS": "1", "BENCHDB_PROXIES": "1"}
    os.environ |= {"COMPOSE_PROFILES": "proxy", "SECRETS": str(secrets), "BENCHDB_SWEEP_SECONDS": "5", **ports, **public}
    return PublicSite(f"https://localhost:{secure}", f"http://localhost:{plain}/", secrets / "fullchain.pem")


def try_it(folder: Path, project: str, engine: Engine | None) -> None:
    """Upgrade, check, kill, restart, restore. Raises Failed."""
    site = prepare(folder)
    old, compose = composer(earlier_version(folder), project), composer(ROOT, project)
    try:
        token, run_id = upgrade(old, compose, folder, site)
        check_image()
        processes = sum(held_back.check(container) for container in ids_of(compose))
        say(f"{processes} processes are not root and have no capabilities, on read-only file systems")
        site.check(run_id)
        kill_each(compose, token, folder, site, alone=engine is not None)
        if engine:
            restart_engine(engine, compose, token, folder, site)
        say("the doctor says:\n" + manage(compose, "doctor"))
        before = documents(site, [run_id])
        say(restored(compose))
        if documents(site, [run_id]) != before:
            raise Failed("the run changed in the backup")
    except (Failed, urllib.error.URLError, json.JSONDecodeError):
        print(subprocess.run([*compose, "logs", "--tail=40"], cwd=ROOT, capture_output=True, text=True).stdout)
        raise
    finally:
        take_down(compose, project)


def take_down(compose: Sequence[str], project: str) -> None:
    """Remove the containers, networks and volumes. Raises Failed if one is left."""
    run(*compose, "down", "--volumes", "--timeout", "20")
    label = ["--quiet", "--filter", f"label=com.docker.compose.project={project}"]
    lists = (["ps", "--all"], ["volume", "ls"], ["network", "ls"])
    if left := [name for kind in lists for name in run("docker", *kind, *label).split()]:
        raise Failed(f"left behind: {', '.join(left)}")
    say("taken down; no container, network or volume is left")


def attempt(folder: Path, own: bool) -> int:
    """Run the whole trial in a directory, with an engine of our own or the one that runs. Returns the exit code."""
    try:
        engine = Engine(folder / "engine") if own else None
        bases.provide(own)
        try_it(folder, f"benchdb-try-{os.getpid()}", engine)
    except (Failed, subprocess.SubprocessError, urllib.error.URLError, json.JSONDecodeError) as error:
        say(str(error))
        return 1
    except NoEngine as error:
        say(f"no Docker engine here: {error}")
        return NO_ENGINE
    say("all is well")
    return 0


def main() -> int:
    """Run the trial, in namespaces of its own if it starts an engine. Returns the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if sys.argv[1:]:
        return attempt(Path(sys.argv[1]), own=True)
    with tempfile.TemporaryDirectory(prefix="benchdb-compose-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the containers' users read the secrets
        if works("docker", "info"):
            return attempt(folder, own=False)
        (folder / "engine").mkdir()
        try:
            return isolated(sys.executable, "-m", "tools.compose", folder)
        except NoEngine as error:
            say(f"no Docker engine here: {error}")
            return NO_ENGINE


if __name__ == "__main__":
    sys.exit(main())
