"""Checks that the processes of running containers can do no more than docker-compose.yml allows."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

from tools.containers.commands import Failed, run

CONFIGURED = {
    "{{.HostConfig.ReadonlyRootfs}}": "true",
    "{{.HostConfig.Privileged}}": "false",
    "{{json .HostConfig.CapDrop}}": '["ALL"]',
    "{{json .HostConfig.CapAdd}}": "null",
    "{{json .HostConfig.SecurityOpt}}": '["no-new-privileges:true"]',
    "{{.HostConfig.LogConfig.Type}}": "local",
}
# Lines of /proc/PID/status.
NO_RIGHTS = ("CapPrm:\t0{16}", "CapEff:\t0{16}", "CapBnd:\t0{16}", "CapAmb:\t0{16}", "NoNewPrivs:\t1", "Seccomp:\t2")
NOT_ROOT = r"Uid:\t[1-9]\d*\t[1-9]\d*\t[1-9]\d*\t[1-9]\d*"
EVERY_STATUS = "for file in /proc/[0-9]*/status; do [ $file = /proc/$$/status ] || { cat $file; echo; }; done"


def check(container: str) -> int:
    """The number of processes of a container, all without rights. Raises Failed with those that it has too many."""
    found = run("docker", "inspect", "--format", "\n".join(CONFIGURED), container).splitlines()
    wrong = [f"{name} is {is_}" for (name, wanted), is_ in zip(CONFIGURED.items(), found, strict=True) if is_ != wanted]
    statuses = run("docker", "exec", container, "sh", "-c", EVERY_STATUS).split("\n\n")
    wrong += [fault for status in statuses for fault in rights(status)]
    wrong += [f"root can write to {folder}" for folder in ("/", "/etc", "/usr") if not read_only(container, folder)]
    if wrong:
        raise Failed(f"{container} is not held back: {'; '.join(wrong)}")
    return len(statuses)


def rights(status: str) -> Iterator[str]:
    """What a process may do too much, by its /proc/PID/status."""
    name = status.split("\n", 1)[0].removeprefix("Name:\t")
    for line in (*NO_RIGHTS, NOT_ROOT):
        if not re.search(f"(?m)^{line}$", status):
            yield f"{name} has no line {line}"


def read_only(container: str, folder: str) -> bool:
    """Whether even root, who could else write there, finds a read-only file system."""
    command = ["docker", "exec", "--user", "root", container, "touch", f"{folder}/benchdb-try"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode != 0 and "Read-only file system" in done.stderr
