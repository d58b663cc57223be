"""Starts docker-compose.yml on a running Docker engine, lets an agent measure, and removes everything again.

`make compose` calls it. If no image can be pulled, debootstrap makes ones that replace them (as root, on Debian or
Ubuntu); `--again` makes them anew. Exits with 3 if there is no engine; DOCKER_HOST can name another one.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import held_back, stand_in
from tools.commands import ROOT, Failed, run, say, works

PYTHON = ROOT / ".venv" / "bin" / "python"
NO_ENGINE = 3
PULLED = ("python:3.11-slim", "postgres:17", "redis:8", "nginx:stable")
SERVICES = ("database", "broker", "web", "worker", "beat", "proxy")
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
HEADERS = {"Strict-Transport-Security", "Content-Security-Policy", "X-Content-Type-Options", "Permissions-Policy"}


def composer() -> list[str]:
    """`docker compose`, or the older program of that name."""
    if works("docker", "compose", "version"):
        return ["docker", "compose"]
    if works("docker-compose", "version"):
        return ["docker-compose"]
    raise Failed("Docker Compose is not installed: apt-get install docker-compose")


@dataclass(frozen=True, slots=True)
class PublicSite:
    """The site behind the proxy."""

    url: str
    plain: str  # the address without TLS
    certificate: Path

    def get(self, path: str) -> tuple[bytes, set[str]]:
        """The content of a page and the names of its headers. Raises HTTPError if the answer is not 200."""
        trusted = ssl.create_default_context(cafile=self.certificate)
        with urllib.request.urlopen(f"{self.url}{path}", timeout=30, context=trusted) as answer:
            return answer.read(), set(answer.headers)

    def until_ready(self, run_id: str) -> None:
        """Wait until a run is ready. Raises Failed."""
        end = time.monotonic() + READY_SECONDS
        state = "not stored"
        while time.monotonic() < end:
            state = json.loads(self.get(f"/api/v1/runs/{run_id}/state")[0])["state"]
            if state == "ready":
                return
            time.sleep(1)
        raise Failed(f"run {run_id} is {state}")


def ids_of(compose: Sequence[str], services: Sequence[str] = SERVICES) -> list[str]:
    """The ids of the running containers of some services."""
    return run(*compose, "ps", "-q", *services).split()


def until_healthy(compose: Sequence[str], services: Sequence[str] = SERVICES) -> None:
    """Wait until the containers of some services are healthy. Raises Failed."""
    end = time.monotonic() + HEALTHY_SECONDS
    form = "{{.Name}} {{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}}"
    while True:
        states = [
            line.split() for line in run("docker", "inspect", "--format", form, *ids_of(compose, services)).splitlines()
        ]
        if len(states) == len(services) and all(state[1:] == ["running", "healthy"] for state in states):
            return
        if time.monotonic() > end:
            raise Failed("not healthy: " + "; ".join(" ".join(state) for state in states))
        time.sleep(1)


def measure(token: str, site: PublicSite, folder: Path) -> str:
    """Let an agent on this machine measure a directory and upload; the id of the run. Raises Failed."""
    (folder / "plan.toml").write_text(PLAN)
    (folder / "files").mkdir()
    names = {"TOKEN": token, "STATE": str(folder / "state"), "SPOOL": str(folder / "spool")}
    environment = {**os.environ, "PYTHONPATH": "agents", "SSL_CERT_FILE": str(site.certificate)}
    environment |= {f"BENCHAGENT_{name}": text for name, text in names.items()}
    arguments: list[str | Path] = ["run", folder / "plan.toml", "--directory", folder / "files", "--server", site.url]
    run(PYTHON, "-m", "benchagent", *arguments, env=environment)
    for answer in (folder / "spool" / "sent").glob("*.answer.json"):
        return answer.name.removesuffix(".answer.json")
    raise Failed("the agent sent no run")


def check_proxy(site: PublicSite, page: str) -> None:
    """Ask for a page, for what the proxy keeps from the network, and for a page without TLS. Raises Failed."""
    headers = site.get(page)[1]
    if missing := HEADERS - headers:
        raise Failed(f"{page} has no {', '.join(missing)}")
    try:
        site.get("/metrics")
        raise Failed("/metrics is open to the network")
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
    status = run("curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}", site.plain)
    if status != "301 https://localhost/":
        raise Failed(f"{site.plain} answers {status}")
    say(f"{site.url}{page} answers 200 with the headers of a public site")


def restart_each(compose: Sequence[str], token: str, site: PublicSite, folder: Path) -> str:
    """Upload a run that no worker takes, restart every container, and wait for the run; its id. Raises Failed."""
    run(*compose, "stop", "worker", "beat")
    run_id = measure(token, site, folder)
    before = site.get(f"/api/v1/runs/{run_id}")[0]
    for service in ("database", "broker", "web", "proxy"):
        run(*compose, "restart", service)
        until_healthy(compose, [service])
    run(*compose, "start", "worker", "beat")
    site.until_ready(run_id)
    if site.get(f"/api/v1/runs/{run_id}")[0] != before:
        raise Failed("the run changed while the containers restarted")
    until_healthy(compose)
    say("a run that waited for the worker is complete after a restart of every container")
    return run_id


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


def prepare(folder: Path) -> PublicSite:
    """Write secrets and a certificate into a directory, and set the environment of a public site on free ports."""
    for name in ("database_password", "secret_key", "broker_password", "cache_password"):
        (folder / name).write_text(secrets.token_hex(32))
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    run("openssl", "req", *kind, *subject, "-keyout", key, "-out", certificate)
    key.chmod(0o644)
    port, plain, secure = free_port(), free_port(), free_port()
    ports = {"PORT": str(port), "HTTP_PORT": f"127.0.0.1:{plain}", "HTTPS_PORT": f"127.0.0.1:{secure}"}
    public = {"BENCHDB_ALLOWED_HOSTS": "localhost", "BENCHDB_TLS": "1", "BENCHDB_PROXIES": "1"}
    os.environ |= {"COMPOSE_PROFILES": "proxy", "SECRETS": str(folder), "BENCHDB_SWEEP_SECONDS": "5", **ports, **public}
    return PublicSite(f"https://localhost:{secure}", f"http://localhost:{plain}/", certificate)


def try_it(compose: list[str], site: PublicSite, folder: Path) -> None:
    """Start everything, measure, check pages, rights, restarts and a backup. Raises Failed."""
    manage = [*compose, "exec", "-T", "web", "python", "manage.py"]
    run(*compose, "up", "-d", "--no-build")
    until_healthy(compose)
    say(f"healthy: {', '.join(SERVICES)}")
    processes = sum(held_back.check(container) for container in ids_of(compose))
    say(f"{processes} processes are not root and have no capabilities, on read-only file systems")
    token = run(*manage, "token", "ada", "--create-owner", "--visibility=public").split()[-1]
    run_id = restart_each(compose, token, site, folder)
    check_proxy(site, f"/runs/{run_id}/")
    say("the doctor says:\n" + run(*manage, "doctor"))
    stored = site.get(f"/api/v1/runs/{run_id}")[0]
    run(*compose, "stop", "worker", "beat")
    say(restored(manage))
    if site.get(f"/api/v1/runs/{run_id}")[0] != stored:
        raise Failed("the run changed in the backup")


def try_in_a_folder(compose: list[str], project: str) -> None:
    """Try it with a directory of its own, and remove everything, also after a failure. Raises Failed."""
    with tempfile.TemporaryDirectory(prefix="benchdb-compose-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the containers' users read the secrets
        site = prepare(folder)
        try:
            try_it(compose, site, folder)
        except (Failed, urllib.error.URLError):
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
            try_in_a_folder(compose, project)
        else:
            stand_in.make_both("--again" in sys.argv[1:])
            try_in_a_folder([*compose, "--file", "deploy/compose.stand-in.yml"], project)
            stand_in.remove_both()
    except (Failed, subprocess.SubprocessError, urllib.error.URLError) as error:
        say(str(error))
        return 1
    say("all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
