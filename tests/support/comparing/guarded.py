"""Unstored runs to compare with each other, because the guard uses facts, not rows."""

from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime
from typing import Any
from uuid import uuid4

from benchdb.catalog.models import Environment, Machine, Target
from benchdb.catalog.services import digest, fingerprints
from benchdb.facts.registry import columns_of
from benchdb.runs.models import Run
from tests.support.documents import GIB, KIB, MIB, document

Section = dict[str, Any]


def unstored(content: Mapping[str, Any]) -> Run:
    """The run of a document with its context, as views have it."""
    environment, target, protocol = content["environment"], content["target"], content["protocol"]
    workload = content["workload"]
    return Run(
        id=uuid4(),
        agent_version=content["agent"]["version"],
        machine=Machine(**content["machine"]),
        environment=Environment(
            facts=environment,
            digest=digest(environment),
            fingerprints=fingerprints(environment),
            **columns_of("environment", environment),
        ),
        target=Target(facts=target, kind=target["kind"], digest=digest(target), **columns_of("target", target)),
        tool=workload["tool"],
        tool_version=workload["tool_version"],
        command=workload["command"],
        parameters=workload.get("parameters", {}),
        clock_resolution=workload.get("clock_resolution"),
        protocol=protocol,
        cache_regime=protocol["cache"],
        rounds=content["rounds"],
        round_count=len(content["rounds"]),
        state_before=content["state_before"],
        campaign_id=None,
        extra=content["extra"],
        started_at=datetime.fromisoformat(content["started_at"]),
        finished_at=datetime.fromisoformat(content["finished_at"]),
    )


def known() -> Section:
    """A document in which every fact of the contract is known."""
    disk = {
        "vendor": "SEAGATE",
        "firmware": "SN04",
        "link": "6.0 Gbps",
        "queue_depth": 32,
        "write_cache": "write back",
        "logical_block_size": 512,
        "physical_block_size": 4096,
        "zoned": "host-managed",
        "zone_size": 256 * MIB,
    }
    tunables = {"scheduler": "none", "read_ahead": 128 * KIB, "nr_requests": 256}
    spinning = {"model": "ST4000NM0035", "size": 4 * 10**12, "rotational": True, "transport": "sas", **tunables}
    base = document()
    return {
        **base,
        "environment": {
            "cpu": {
                "model": "AMD EPYC 7351P",
                "vendor": "AuthenticAMD",
                "architecture": "x86_64",
                "sockets": 1,
                "cores": 16,
                "threads": 32,
                "max_hz": 2_900_000_000,
                "governor": "performance",
                "frequency_driver": "acpi-cpufreq",
                "boost": True,
                "caches": [{"level": 3, "type": "unified", "size": 8 * MIB, "shared_by_threads": 8, "count": 8}],
            },
            "memory": {
                "total": 32 * GIB,
                "usable": 8 * GIB,
                "swap": GIB,
                "modules": [{"count": 4, "size": 8 * GIB, "type": "DDR4", "transfer_rate": 2_666_000_000}],
            },
            "kernel": {
                "name": "Linux",
                "release": "6.1.0-28-amd64",
                "version": "#1 SMP Debian 6.1.119-1",
                "architecture": "x86_64",
                "command_line": "BOOT_IMAGE=/vmlinuz root=/dev/sda1 mitigations=off",
            },
            "os": {"id": "debian", "version": "12", "name": "Debian GNU/Linux 12 (bookworm)"},
            "virtualization": {"kind": "kvm", "container": "docker"},
            "numa_nodes": [
                {"threads": 16, "memory": 16 * GIB, "distances": [10, 21]},
                {"threads": 16, "memory": 16 * GIB, "distances": [21, 10]},
            ],
            "block_devices": [{"name": "sda", "kind": "disk", **spinning, **disk}],
            "raid_arrays": [
                {"name": "md0", "level": "raid6", "chunk": 128 * KIB, "layout": "left-symmetric", "members": 4}
                | {"disk_model": "ST4000NM0035"}
            ],
            "controllers": [
                {"name": "0000:01:00.0", "model": "MegaRAID", "driver": "megaraid_sas", "firmware": "4.6"}
                | {"cache": GIB, "cache_mode": "write back with battery"}
            ],
            "provenance": {"/controllers/0/cache": "declared"},
            "contradictions": [{"fact": "/memory/total", "detected": 1, "declared": 2, "kept": "declared"}],
            "extra": {"board": {"vendor": "Supermicro", "bios_version": "2.1"}},
        },
        "target": {
            "kind": "device",
            "file_system": {
                "type": "ext4",
                "options": ["errors=continue"],
                "features": ["extent", "has_journal"],
                "block_size": 4096,
                "inode_size": 256,
                "size": 16 * 10**12,
                "stride": 128 * KIB,
                "stripe_width": 256 * KIB,
                "mkfs_command": ["mkfs.ext4", "-F", "-b", "4096"],
            },
            "mount": {"point": "/mnt/test", "options": ["rw", "noatime", "data=ordered"]},
            "stack": [
                {"kind": "crypt", "facts": {"format": "LUKS2"}},
                {"kind": "raid", "name": "md0", "level": "raid6", "chunk": 128 * KIB, "layout": "left-symmetric"}
                | {"members": 4, "size": 8 * 10**12, "facts": {"stripe_cache_size": 256}},
                {"kind": "disk", "name": "sda", **spinning, "facts": disk},
            ],
            "read_ahead": 2 * MIB,
            "scheduler": "mq-deadline",
            "nr_requests": 64,
            "provenance": {"/stack/1/chunk": "declared"},
            "contradictions": [{"fact": "/stack/1/level", "detected": 1, "declared": 2, "kept": "declared"}],
            "extra": {"file_system": {"journal_size": GIB}},
        },
        "state_before": {
            "size": 16 * 10**12,
            "used": 2 * 10**12,
            "fill": 0.12,
            "files": 20_000,
            "layout": {"extents_per_file": 1.2, "free_fragments": 5000},
            "aging": {"profile": "desktop", "fullness_asked": 0.6, "fullness": 0.59},
            "arrays": [{"kind": "raid", "name": "md0", "state": "healthy", "done": 0.5}],
        },
        "workload": {**base["workload"], "parser_version": "3", "clock_resolution": 1e-6},
        "protocol": {**base["protocol"], "precision": 0.02, "ended_by": "precision"},
    }


def changed(content: Mapping[str, Any], pointer: str, value: Any) -> Section:
    """A copy of the document with another value at this JSON Pointer."""
    copy = deepcopy(dict(content))
    *path, last = pointer.strip("/").split("/")
    parent: Any = copy
    for step in path:
        parent = parent[int(step)] if step.isdecimal() else parent[step]
    parent[int(last) if last.isdecimal() else last] = value
    return copy


def at(content: Mapping[str, Any], pointer: str) -> Any:
    """The value at this JSON Pointer."""
    value: Any = content
    for step in pointer.strip("/").split("/"):
        value = value[int(step)] if step.isdecimal() else value[step]
    return value
