"""A Docker engine of our own, for `make compose` where none runs.

It lives in namespaces for network, mounts and processes, which reach the internet through slirp4netns. So it changes no
bridge, route or firewall of the machine, and all its processes and mounts are gone when it ends, however it ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

from tools.commands import ROOT, run, works

# Its programs, with their packages.
PROGRAMS = {
    "dockerd": "docker.io",
    "docker": "docker-cli",
    "iptables": "iptables",
    "ip": "iproute2",
    "unshare": "util-linux",
    "slirp4netns": "slirp4netns",
}
NAMESPACES = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
GATEWAY = "10.0.2.2"  # slirp4netns's, with a name server beside it
RESOLVER = "nameserver 10.0.2.3\n"
START_SECONDS = 60


class NoEngine(Exception):
    """No engine can run here; the message says why."""


def isolated(*command: str | Path) -> int:
    """Run a command in namespaces of its own. Returns its exit code. Raises NoEngine."""
    if os.geteuid() != 0:
        raise NoEngine("none runs, and only root could start one")
    if lacking := [package for program, package in PROGRAMS.items() if not shutil.which(program)]:
        raise NoEngine(f"none runs, and to start one takes: apt-get install {' '.join(lacking)}")
    with subprocess.Popen([*NAMESPACES, *command], cwd=ROOT) as inside:
        try:
            while inside.poll() is None and network_of(inside.pid) == network_of(os.getpid()):
                time.sleep(0.02)
            slirp = ["slirp4netns", "--configure", "--mtu=65520", "--disable-host-loopback", str(inside.pid), "tap0"]
            with subprocess.Popen(slirp, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as network:
                try:
                    return inside.wait()
                finally:
                    network.terminate()
        finally:
            inside.kill()


def network_of(process: int) -> str:
    """The network namespace of a process."""
    return os.readlink(f"/proc/{process}/ns/net")


class Engine:
    """An engine with its data in a directory, for a process in namespaces of its own. It is started at once."""

    def __init__(self, folder: Path) -> None:
        """Raises NoEngine if it does not start."""
        self._folder = folder
        os.environ["DOCKER_HOST"] = f"unix://{folder}/socket"
        (folder / "resolv.conf").write_text(RESOLVER)
        run("ip", "link", "set", "lo", "up")
        run("mount", "--bind", folder / "resolv.conf", "/etc/resolv.conf")
        self._start()

    def restart(self) -> None:
        """Stop the engine with its containers, and start it again. Raises NoEngine."""
        self._process.terminate()
        self._process.wait(START_SECONDS)
        self._start()

    def _start(self) -> None:
        places = {"data-root": "data", "exec-root": "exec", "pidfile": "pid"}
        options = [f"--{name}={self._folder / place}" for name, place in places.items()]
        with (self._folder / "log").open("a") as log:
            command = ["dockerd", f"--host={os.environ['DOCKER_HOST']}", *options]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while not (works("ip", "route", "get", GATEWAY) and works("docker", "info")):
            if self._process.poll() is not None or time.monotonic() > end:
                last = (self._folder / "log").read_text().strip().splitlines()[-3:]
                raise NoEngine("dockerd does not start:\n" + "\n".join(last))
            time.sleep(0.2)
