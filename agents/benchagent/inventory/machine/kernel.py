"""The running kernel, from /proc, or from uname if /proc is not mounted."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchagent.inventory.facts import KernelFacts, clean
from benchagent.inventory.source import Source

from .cpu import architecture

LONGEST_COMMAND_LINE = 4096  # characters; limit of the contract
UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)
# Parameters whose values are addresses, names or secrets rather than settings of the kernel.
PRIVATE = re.compile(
    r"ip|nfsroot|nfsaddrs|netroot|ifname|nameserver|bootdev|BOOTIF|hostname"
    r"|(?:systemd|rd)\.(?:setenv|hostname|set_credential\w*|iscsi\.\w+|peerdns|znet)"
    r"|(?:\S*[._-])?(?:password|passwd|secret|token|credential|key)s?",
    re.IGNORECASE,
)


def kernel(source: Source, scrub: Callable[[str], str]) -> KernelFacts:
    """`{name, release, version, architecture, command_line}`."""
    line = source.text("/proc/cmdline")
    return {
        "name": source.line("/proc/sys/kernel/ostype") or clean(source.output("uname", "-s")),
        "release": source.line("/proc/sys/kernel/osrelease") or clean(source.output("uname", "-r")),
        "version": source.line("/proc/sys/kernel/version") or clean(source.output("uname", "-v")),
        "architecture": architecture(source),
        "command_line": scrub(public_command_line(line))[:LONGEST_COMMAND_LINE] or None if line else None,
    }


def public_command_line(line: str) -> str:
    """The command line without secrets and texts that identify the machine.

    Placeholders replace UUIDs, labels and private values, so that the other settings can still be compared. The words
    after `--` are arguments of init, not of the kernel, and are omitted.
    """
    words: list[str] = []
    for word in line.split():
        if word == "--":
            break
        key, equals, value = word.partition("=")
        if equals and PRIVATE.fullmatch(key):
            value = "<private>"
        value = re.sub(r"\b((?:PART)?LABEL=).+", r"\1<label>", UUID.sub("<uuid>", value))
        # The ids of MBR partitions (4e639091-02) and of FAT (1A2B-3C4D) are shorter.
        value = re.sub(r"\b((?:PART)?UUID=)[0-9A-Fa-f-]+", r"\1<uuid>", value)
        words.append(key + equals + value)
    return " ".join(words)
