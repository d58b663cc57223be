"""The environment: an immutable snapshot of a machine, without facts that change by measuring or mounting."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator

from benchagent.inventory.facts import Facts, KernelFacts, clean
from benchagent.inventory.machine.controllers import controllers
from benchagent.inventory.machine.cpu import architecture, cpu, parse_cpu_list
from benchagent.inventory.machine.memory import memory, parse_meminfo
from benchagent.inventory.machine.virtualization import virtualization
from benchagent.inventory.storage.disks import block_devices
from benchagent.inventory.storage.raid import raid_arrays

from .facts import Environment
from .merging import merge_environment
from .source import Source


def environment(source: Source, scrub: Callable[[str], str]) -> Environment:
    """The contract's `environment`, in base units; unknown facts are None.

    A list that is empty because nothing could be read is marked `unknown` in `provenance`, to distinguish it from
    "there are none".
    """
    facts: Environment = {
        "cpu": cpu(source),
        "memory": memory(source),
        "kernel": kernel(source, scrub),
        "os": distribution(source),
        "virtualization": virtualization(source),
        "numa_nodes": numa_nodes(source),
        "block_devices": block_devices(source),
        "raid_arrays": raid_arrays(source),
        "controllers": controllers(source),
        "extra": {"board": board(source)},
    }
    facts["provenance"] = dict.fromkeys(_unreadable(source, facts), "unknown")
    merge_environment(facts, source, scrub)
    return facts


def _unreadable(source: Source, facts: Environment) -> Iterator[str]:
    """JSON Pointers of the lists that are empty because nothing could be read.

    Every machine has caches and memory modules, but a machine may have no disk.
    """
    if not facts["cpu"]["caches"]:
        yield "/cpu/caches"
    if not facts["memory"]["modules"]:
        yield "/memory/modules"
    if not facts["numa_nodes"]:
        yield "/numa_nodes"
    if not source.exists("/sys/block"):
        yield from ("/block_devices", "/raid_arrays")
    if not source.exists("/sys/bus/pci"):
        yield "/controllers"


DMI = "/sys/class/dmi/id"
# Texts in fields that the vendor of the firmware did not fill in.
PLACEHOLDERS = frozenset(
    (
        "to be filled by o.e.m.",
        "system product name",
        "system manufacturer",
        "default string",
        "not specified",
        "not applicable",
        "none",
        "unknown",
        "o.e.m.",
        "oem",
        "n/a",
    )
)


def board(source: Source) -> Facts:
    """`{vendor, product}`, each None if the field has no meaningful text."""
    tree = source.text("/proc/device-tree/model") or ""
    return {
        "vendor": _meaningful(source.line(f"{DMI}/sys_vendor")) or _meaningful(source.line(f"{DMI}/board_vendor")),
        "product": _meaningful(source.line(f"{DMI}/product_name"))
        or _meaningful(source.line(f"{DMI}/board_name"))
        or clean(tree.rstrip("\0")),
    }


def _meaningful(text: str | None) -> str | None:
    return None if text is None or text.lower() in PLACEHOLDERS else text


def distribution(source: Source) -> Facts:
    """`{id, version, name}`; a rolling distribution has no version."""
    text = source.text("/etc/os-release") or source.text("/usr/lib/os-release") or ""
    release = parse_os_release(text)
    return {
        "id": clean(release.get("ID")),
        "version": clean(release.get("VERSION_ID")),
        "name": clean(release.get("PRETTY_NAME") or release.get("NAME")),
    }


def parse_os_release(text: str) -> dict[str, str]:
    """Assignments with the shell's quoting. Lines that are invalid in the shell are skipped."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        key, equals, quoted = line.strip().partition("=")
        if not equals or key.startswith("#"):
            continue
        try:
            values[key] = " ".join(shlex.split(quoted))
        except ValueError:
            continue
    return values


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


NODES = "/sys/devices/system/node"


def numa_nodes(source: Source) -> list[Facts]:
    """`[{threads, memory, distances[]}]`: online threads, bytes, and distances to all nodes in order (10: itself)."""
    names = [name for name in source.names(NODES) if re.fullmatch(r"node\d+", name)]
    nodes = [_node(source, f"{NODES}/{name}") for name in names]
    if len(nodes) == 1:
        # The node counts initialized memory only, which may grow for a while after boot; the total is constant.
        nodes[0]["memory"] = parse_meminfo(source.text("/proc/meminfo") or "").get("MemTotal")
    return nodes


def _node(source: Source, directory: str) -> Facts:
    threads = source.line(f"{directory}/cpulist")
    memory = re.search(r"MemTotal:\s+(\d+) kB", source.text(f"{directory}/meminfo") or "")
    distances = (source.line(f"{directory}/distance") or "").split()
    return {
        # A node with memory only has an empty list of processors.
        "threads": len(parse_cpu_list(threads or "")) if source.exists(f"{directory}/cpulist") else None,
        "memory": int(memory[1]) * 1024 if memory else None,
        "distances": [int(distance) for distance in distances if distance.isdecimal()],
    }
