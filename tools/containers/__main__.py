"""Starts docker-compose.yml for real: upgrades it, measures through it, kills each container, and lets nothing be lost.

`make compose` calls it. The Docker engine is one of its own (engine.py), and where no image can be pulled, the
base images are made (bases.py). Exits with 3 where that is not possible.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.containers import bases, engine, held_back, public_site
from tools.containers.commands import ROOT, Failed, NotHere, run, say, until, works
from tools.containers.public_site import Agent, documents

NOT_HERE = 3
BASE, IMAGE = bases.PYTHON.images[0], "benchdb"
SERVICES = ("database", "broker", "web", "worker", "beat", "proxy")
HEALTHY_SECONDS = 420
IMAGE_BYTES = 350_000_000  # above the base image, unpacked
# What the image must have, and must not.
CONTENT = (
    "test -s LICENSE && test -s NOTICE && ! command -v node && ! find / -xdev -type f "
    r"\( -name node -o -name initdb -o -name valkey-server \) 2>/dev/null | grep ."
)
SETTINGS = {
    "COMPOSE_PROFILES": "proxy",
    "BENCHDB_ALLOWED_HOSTS": "localhost",
    "BENCHDB_TLS": "1",
    "BENCHDB_PROXIES": "1",
    "BENCHDB_SWEEP_SECONDS": "5",
    "DOCKER_BUILDKIT": "0",  # Debian 12 has no newer builder
}


def compose_of(tree: Path) -> list[str]:
    """`docker compose`, or the older program of that name, for the site of a checkout. Raises NotHere."""
    for program in (["docker", "compose"], ["docker-compose"]):
        if works(*program, "version"):
            return [*program, "--project-name", "benchdb-try", "--file", str(tree / "docker-compose.yml")]
    raise NotHere("apt-get install docker-compose")


def containers(*filters: str) -> list[str]:
    """The ids of the running containers, sorted."""
    return sorted(run("docker", "ps", "--quiet", *filters).split())


def until_healthy() -> None:
    """Wait until all services are healthy. Raises Failed."""
    healthy = ("--filter", "health=healthy")
    until("all services healthy", lambda: len(containers(*healthy)) == len(SERVICES), HEALTHY_SECONDS)


def start(compose: Sequence[str]) -> None:
    """Build the image and start everything. Raises Failed."""
    run(*compose, "build")
    run(*compose, "up", "-d", "--no-build")
    until_healthy()


def manage(compose: Sequence[str], *arguments: str) -> str:
    """The output of a command of manage.py in the container web. Raises Failed."""
    return run(*compose, "exec", "-T", "web", "python", "manage.py", *arguments)


def earlier_version(folder: Path) -> Path:
    """The files of the last release, or of the commit before this one if there is none, in a directory."""
    tags = run("git", "tag", "--list", "v*", "--sort=-version:refname", "--merged").split()
    commit = [*tags, *reversed(run("git", "rev-list", "--max-count=2", "HEAD").split())][0]
    (tree := folder / "earlier").mkdir()
    # With the modes of a clone, so that layers of the image that did not change are not built again.
    run("git", "-c", "tar.umask=022", "archive", "--output", folder / "earlier.tar", commit)
    run("tar", "-C", tree, "-xf", folder / "earlier.tar")
    say(f"the earlier version is {commit}")
    return tree


def upgrade(folder: Path, old: Sequence[str], new: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Start the earlier version, store a run, and go over to this one. Returns a token and the run. Raises Failed."""
    start(old)
    token = manage(old, "token", "ada", "--create-owner", "--visibility=public").split()[-1]
    agent, started = Agent(folder, token), time.monotonic()
    stored = agent.upload()
    say(f"{len(stored)} runs uploaded and ready after {time.monotonic() - started:.1f} s")
    manage(old, "backup", "/var/lib/benchdb/backups")
    run(*old, "stop", "worker", "beat")
    start(new)
    if documents(stored) != stored:
        raise Failed("the run changed in the upgrade")
    before = containers()
    run(*new, "up", "-d", "--no-build")
    if containers() != before:
        raise Failed("a second `up` made new containers")
    say("upgraded: the run of the earlier version is the same, and a second `up` changes nothing")
    return token, stored


def check_image() -> None:
    """Check the size of the image and what is in it. Raises Failed."""
    size, base = (int(run("docker", "image", "inspect", "--format", "{{.Size}}", each)) for each in (IMAGE, BASE))
    run("docker", "run", "--rm", "--entrypoint", "sh", IMAGE, "-c", CONTENT)
    if size - base > IMAGE_BYTES:
        raise Failed(f"the image has {(size - base) / 1e6:.0f} MB above its base")
    say(f"the image has {(size - base) / 1e6:.0f} MB above the {base / 1e6:.0f} MB of its base, and no Node.js")


def process_of(compose: Sequence[str], service: str) -> int:
    """The first process of a container, which the engine starts again after a crash, but not after `docker kill`."""
    return int(run("docker", "inspect", "--format", "{{.State.Pid}}", run(*compose, "ps", "-q", service)))


def kill(compose: Sequence[str], service: str, agent: Agent) -> None:
    """Kill a container during an upload, and wait until it runs again. Raises Failed."""
    process = process_of(compose, service)
    with agent.start_upload():
        until("a run acknowledged", agent.acknowledged, HEALTHY_SECONDS)
        os.kill(process, signal.SIGKILL)
        until(f"{service} started again", lambda: process_of(compose, service) not in (0, process), HEALTHY_SECONDS)


def restart(running: subprocess.Popen[bytes], folder: Path, agent: Agent) -> None:
    """Restart the engine with all containers during an upload. Raises Failed."""
    with agent.start_upload():
        until("a run acknowledged", agent.acknowledged, HEALTHY_SECONDS)
        running.terminate()
        running.wait()
        engine.start(folder / "engine")


def lose_nothing(folder: Path, compose: Sequence[str], token: str, running: subprocess.Popen[bytes]) -> None:
    """Kill each container and restart the engine; all that was acknowledged must be there. Raises Failed."""
    for victim in (*SERVICES, "engine"):
        agent = Agent(folder, token)
        if victim == "engine":
            restart(running, folder, agent)
        else:
            kill(compose, victim, agent)
        acknowledged = agent.acknowledged()
        until_healthy()
        documents(acknowledged)
        agent.upload()
        say(f"{victim} ended: all is healthy again, and the {len(acknowledged)} runs acknowledged before are there")


def try_it(folder: Path, running: subprocess.Popen[bytes]) -> None:
    """Upgrade, check, kill, restore. Raises Failed."""
    secrets = folder / "secrets"
    run("deploy/secrets", secrets, "localhost")
    os.environ |= SETTINGS | {"SECRETS": str(secrets), "CURL_CA_BUNDLE": str(secrets / "fullchain.pem")}
    compose = compose_of(ROOT)
    try:
        token, stored = upgrade(folder, compose_of(earlier_version(folder)), compose)
        check_image()
        processes = sum(held_back.check(container) for container in containers())
        say(f"{processes} processes are not root and have no capabilities, on read-only file systems")
        public_site.check(*list(stored)[:1])
        lose_nothing(folder, compose, token, running)
        say("the doctor says:\n" + manage(compose, "doctor"))
        run(*compose, "stop", "worker", "beat")
        dump = manage(compose, "backup", "/var/lib/benchdb/backups").partition(":")[0]
        say(manage(compose, "restore", "--replace", dump).splitlines()[-1])
        if documents(stored) != stored:
            raise Failed("the run changed in the backup")
    except Failed:
        subprocess.run([*compose, "logs", "--tail=40"], cwd=ROOT, check=False)
        raise
    run(*compose, "down", "--volumes")


def main() -> int:
    """Run the trial, in namespaces of its own. Returns the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if sys.argv[1:]:
            folder = Path(sys.argv[1])
            tempfile.tempdir = sys.argv[1]  # what is in it is removed, also if this process is killed
            running = engine.enter(folder / "engine")
            bases.provide()
            try_it(folder, running)
            say("all is well")
            return 0
        with tempfile.TemporaryDirectory(prefix="benchdb-compose-") as name:
            Path(name).chmod(0o755)  # the containers' users read the secrets
            Path(name, "engine").mkdir()
            return engine.isolated(sys.executable, "-m", "tools.containers", name)
    except (Failed, subprocess.SubprocessError) as error:
        say(str(error))
        return 1
    except NotHere as error:
        say(f"not tried: {error}")
        return NOT_HERE


if __name__ == "__main__":
    sys.exit(main())
