"""Result documents to test with, schema `benchdb.run/1`: small hand-made ones, and those of real tools' output.

Every function returns a new dict or list, so that a test may change it.
"""

import gzip
import hashlib
import itertools
import json
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from benchagent import formats
from benchagent.formats.packing.series import packed
from benchagent.formats.sampled import SAMPLED

Section = dict[str, Any]

OUTPUTS = Path(__file__).parent / "outputs"
IOZONE_AUTO = (OUTPUTS / "iozone-auto.txt").read_text()
BONNIE = (OUTPUTS / "bonnie.csv").read_text()

STARTED = datetime(2026, 11, 20, 20, 1, 55, tzinfo=UTC)
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
_COUNT = itertools.count()
_DEFAULTS = {"params": {}, "status": "ok"}
_COLUMNS = ("test", "metric", "unit", "file_size", "record_size", "threads")
_COLUMNS += ("params", "summary", "status", "error", "evidence", "histograms")


def uuid7() -> UUID:
    """A new UUID of version 7, greater than earlier ones, because lists are sorted by it."""
    milliseconds = time.time_ns() // 1_000_000
    return UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62 | next(_COUNT) << 32 | secrets.randbits(32))


def document(
    *,
    file_system: str = "ext4",
    rounds: int = 3,
    results: list[Section] | None = None,
    artifacts: list[Section] | None = None,
    **sections: Any,
) -> Section:
    """A valid document of a new run; `sections` replace those of the same name."""
    raw = artifact("iozone.txt", "kB reclen write\n1048576 1024 109340\n")
    return {
        "run_id": str(uuid7()),
        "schema": "benchdb.run/1",
        "started_at": STARTED.isoformat(),
        "finished_at": (STARTED + timedelta(minutes=rounds)).isoformat(),
        "agent": {"version": "0.1.0"},
        "labels": {"plan": "tests"},
        "machine": {"name": "epyc-2", "machine_id": "5a" * 32},
        "environment": environment(),
        "target": target(file_system),
        "state_before": {"size": 100 * GIB, "used": 12 * GIB, "fill": 0.12, "files": 11},
        "workload": {
            "tool": "iozone",
            "tool_version": "3.489",
            "command": ["iozone", "-s", "1G", "-r", "1M", "-i", "0"],
            "parameters": {"file_size": GIB, "record_size": MIB},
        },
        "protocol": {
            "cache": "cold",
            "warmup_discarded": 0,
            "order": "rotated",
            "prepare": "mkfs",
            "seed": 1,
        },
        "rounds": [round_(i) for i in range(rounds)],
        "results": three_results(rounds) if results is None else results,
        "artifacts": [raw] if artifacts is None else artifacts,
        "extra": {},
        **sections,
    }


def series(points: Sequence[int] = (2, 3, 3, 9), **fields: Any) -> Section:
    """One series of a round: flushes of the device, unless `fields` say otherwise."""
    return {
        "round": 0,
        "name": "device_flushes",
        "unit": SAMPLED[fields.get("name", "device_flushes")].unit,
        "source": "/sys/dev/block/*/stat",
        "start": 0.0,
        "step": 0.1,
        "scale": 1,
        "packed": packed(list(points)),
        **fields,
    }


def large_document(**sections: Any) -> Section:
    """A run of 52,000 values."""
    rounds = 2_000
    results = [result([1e6 + i for i in range(rounds)], record_size=KIB << size) for size in range(26)]
    return document(rounds=rounds, results=results, **sections)


def iozone_document(**sections: Any) -> Section:
    """One round of iozone's auto mode: 396 results, as iozone 3.489 printed them."""
    return output_document(IOZONE_AUTO, "iozone.txt", **sections)


def bonnie_document(**sections: Any) -> Section:
    """One round of bonnie++ 2.00a, with cells that were too fast to measure."""
    return output_document(BONNIE, "bonnie.csv", media_type="text/csv", **sections)


def output_document(text: str, name: str, *, media_type: str = "text/plain", **sections: Any) -> Section:
    """A document of one round with our parser's results from a tool's raw output."""
    parsed = formats.parse(text)
    workload = {
        "tool": parsed.tool,
        "tool_version": parsed.tool_version,
        "command": (parsed.command or parsed.tool).split(),
        "parameters": {},
    }
    results = [_parsed_result(parsed_result, name) for parsed_result in parsed.results]
    artifacts = [artifact(name, text, media_type)]
    return document(**{"rounds": 1, "results": results, "artifacts": artifacts, "workload": workload, **sections})


def result(
    values: Sequence[float | None] | None,
    test: str = "write",
    metric: str = "throughput",
    unit: str = "B/s",
    **fields: Any,
) -> Section:
    """One result; `fields` are those of the contract, such as `file_size` and `status`."""
    section = {"test": test, "metric": metric, "unit": unit, **fields}
    return section if values is None else {**section, "values": list(values)}


def three_results(rounds: int) -> list[Section]:
    """A measured result, a failed one, and one that was too fast to measure."""
    values = [109_340.0 * KIB + 370.0 * i for i in range(rounds)]
    source = {"artifacts": ["iozone.txt"] * rounds, "lines": [2] * rounds}
    sizes = {"file_size": GIB, "record_size": MIB}
    return [
        result(values, source=source, **sizes),
        result([None] * rounds, "rewrite", status="failed", error="No space left on device", **sizes),
        result([None] * rounds, "seq_stat", "rate", "op/s", status="unmeasurable", params={"files": 4096}),
    ]


def round_(position: int) -> Section:
    """A successful round, `position` minutes after the start."""
    return {
        "started_at": (STARTED + timedelta(minutes=position)).isoformat(),
        "position": position,
        "status": "ok",
        "evidence": {"device_write_bytes": GIB, "logical_bytes": GIB, "noise": {"load": 0.1}},
    }


def artifact(name: str, text: str, media_type: str = "text/plain") -> Section:
    """Raw output with its digest."""
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return {"name": name, "media_type": media_type, "encoding": "utf-8", "data": text, "sha256": sha256}


def environment() -> Section:
    """A server with eight disks in a RAID array."""
    disks = [{"name": f"sd{letter}", "kind": "disk", "model": "ST4000NM0035", "size": 4 * 10**12} for letter in "abcd"]
    return {
        "cpu": {
            "model": "AMD EPYC 7351P 16-Core Processor",
            "architecture": "x86_64",
            "sockets": 1,
            "cores": 16,
            "threads": 32,
            "caches": [{"level": 3, "type": "unified", "size": 8 * MIB, "shared_by_threads": 8, "count": 8}],
        },
        "memory": {"total": 8 * GIB, "usable": 8 * GIB, "swap": 0},
        "kernel": {"name": "Linux", "release": "6.1.0-28-amd64", "architecture": "x86_64"},
        "os": {"id": "debian", "version": "12", "name": "Debian GNU/Linux 12 (bookworm)"},
        "virtualization": {"kind": "none"},
        "block_devices": disks,
        "raid_arrays": [{"name": "md0", "level": "raid6", "chunk": 128 * KIB, "members": 4}],
        "provenance": {"/memory/total": "declared"},
    }


def target(file_system: str = "ext4") -> Section:
    """A file system on a RAID array of disks."""
    return {
        "kind": "device",
        "file_system": {
            "type": file_system,
            "block_size": 4096,
            "features": ["has_journal", "extent"],
            "mkfs_command": [f"mkfs.{file_system}", "-b", "4096"],
        },
        "mount": {"point": "/mnt/test", "options": ["rw", "noatime"]},
        "stack": [
            {"kind": "raid", "name": "md0", "level": "raid6", "chunk": 128 * KIB, "members": 4},
            {"kind": "disk", "model": "ST4000NM0035", "size": 4 * 10**12, "facts": {"write_cache": True}},
        ],
        "read_ahead": 2 * MIB,
        "scheduler": "mq-deadline",
        "nr_requests": 64,
    }


def encoded(document: Section) -> bytes:
    """The document as an agent sends it."""
    return json.dumps(document).encode()


def zipped(document: Section) -> bytes:
    """The document as an agent sends it compressed."""
    return gzip.compress(encoded(document))


def _parsed_result(parsed: formats.Result, artifact_name: str) -> Section:
    fields = {
        "file_size": parsed.file_size,
        "record_size": parsed.record_size,
        "threads": parsed.threads,
        "params": dict(parsed.params),
        "status": parsed.status,
        "error": parsed.error,
        "source": {"artifacts": [artifact_name] * len(parsed.lines), "lines": list(parsed.lines)},
        "evidence": dict(parsed.evidence) or None,
    }
    return result(parsed.values, parsed.test, parsed.metric, parsed.unit, **fields)


def columns_of(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The columns of these results."""
    columns: dict[str, Any] = {name: [result.get(name, _DEFAULTS.get(name)) for result in results] for name in _COLUMNS}
    artifacts: list[Any] = []
    columns |= {"values": [], "offsets": [0], "lines": [], "source": [], "artifacts": artifacts}
    for result in results:
        source = result.get("source")
        columns["values"] += result["values"]
        columns["offsets"].append(len(columns["values"]))
        columns["lines"] += source["lines"] if source else [None] * len(result["values"])
        if source and source["artifacts"] not in artifacts:
            artifacts.append(source["artifacts"])
        columns["source"].append(artifacts.index(source["artifacts"]) if source else None)
    return columns


def as_columns(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its list of results as columns, as agents send them."""
    return {**document, "results": columns_of(document["results"])}
