"""A Docker engine of our own, for `make compose`.

It lives in namespaces for network, mounts and processes, which reach the internet through slirp4netns. So it changes
no bridge, route, firewall or image of the machine, finds every port free, and is gone with its processes and mounts
when it ends, however it ends.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

from tools.containers.commands import ROOT, Failed, NotHere, run, until, works

# Its programs, with their packages.
PROGRAMS = {
    "dockerd": "docker.io",
    "docker": "docker.io",
    "iptables": "iptables",
    "ip": "iproute2",
    "unshare": "util-linux",
    "slirp4netns": "slirp4netns",
}
NAMESPACES = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
GATEWAY, RESOLVER = "10.0.2.2", "nameserver 10.0.2.3\n"  # of slirp4netns
START_SECONDS = 60


def isolated(*command: str | Path) -> int:
    """Run a command in namespaces of its own. Returns its exit code. Raises NotHere."""
    if os.geteuid() != 0:
        raise NotHere("only root can start a Docker engine")
    if lacking := {package for program, package in PROGRAMS.items() if not shutil.which(program)}:
        raise NotHere(f"apt-get install {' '.join(sorted(lacking))}")
    with subprocess.Popen([*NAMESPACES, *command], cwd=ROOT) as inside:
        try:
            while inside.poll() is None and Path(f"/proc/{inside.pid}/ns/net").samefile("/proc/self/ns/net"):
                time.sleep(0.02)
            slirp = ["slirp4netns", "--configure", "--mtu=65520", "--disable-host-loopback", str(inside.pid), "tap0"]
            with subprocess.Popen(slirp, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as network:
                try:
                    return inside.wait()
                finally:
                    network.terminate()
        finally:
            inside.kill()


def enter(folder: Path) -> subprocess.Popen[bytes]:
    """Start the engine with its data in a directory, from inside the namespaces. Raises Failed or NotHere."""
    os.environ["DOCKER_HOST"] = f"unix://{folder}/socket"
    (folder / "resolv.conf").write_text(RESOLVER)
    run("ip", "link", "set", "lo", "up")
    run("mount", "--bind", folder / "resolv.conf", "/etc/resolv.conf")
    until("the network is there", lambda: works("ip", "route", "get", GATEWAY), START_SECONDS)
    try:
        return start(folder)
    except Failed as error:
        raise NotHere("\n".join([str(error), *(folder / "log").read_text().splitlines()[-3:]])) from error


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Start the engine, also again. Raises Failed."""
    places = {"data-root": "data", "exec-root": "exec", "pidfile": "pid"}
    options = [f"--{name}={folder / place}" for name, place in places.items()]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(["dockerd", f"--host=unix://{folder}/socket", *options], stdout=log, stderr=log)
    until("dockerd answers", lambda: works("docker", "info"), START_SECONDS)
    return process
