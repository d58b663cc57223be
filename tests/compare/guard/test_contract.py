"""Every fact of the contract is guarded, or is listed here with the reason. New facts must be decided on."""

from collections.abc import Iterator
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from benchdb.compare.guard import changes
from benchdb.ingest.contract.document import Agent, Document, Machine, Protocol, Round, Workload
from benchdb.ingest.contract.environment import Environment
from benchdb.ingest.contract.target import StateBefore, Target
from tests.support.comparing.guarded import at, changed, known, unstored

SECTIONS: dict[str, type[BaseModel]] = {
    "environment": Environment,
    "target": Target,
    "state_before": StateBefore,
    "workload": Workload,
    "protocol": Protocol,
    "machine": Machine,
    "agent": Agent,
}
# Pointer in the document → the difference that shows the fact.
GUARDED = {
    "environment/cpu/model": "cpu",
    "environment/cpu/vendor": "cpu_vendor",
    "environment/cpu/architecture": "architecture",
    "environment/cpu/sockets": "cpu_sockets",
    "environment/cpu/cores": "cpu_cores",
    "environment/cpu/threads": "cpu_threads",
    "environment/cpu/max_hz": "cpu_hz",
    "environment/cpu/governor": "cpu_governor",
    "environment/cpu/frequency_driver": "cpu_governor",
    "environment/cpu/boost": "cpu_boost",
    "environment/cpu/caches/0/level": "cpu_caches",
    "environment/cpu/caches/0/type": "cpu_caches",
    "environment/cpu/caches/0/size": "cpu_caches",
    "environment/cpu/caches/0/shared_by_threads": "cpu_caches",
    "environment/cpu/caches/0/count": "cpu_caches",
    "environment/memory/total": "memory",
    "environment/memory/usable": "memory_limit",
    "environment/memory/swap": "swap",
    "environment/memory/modules/0/count": "memory_modules",
    "environment/memory/modules/0/size": "memory_modules",
    "environment/memory/modules/0/type": "memory_modules",
    "environment/memory/modules/0/transfer_rate": "memory_modules",
    "environment/kernel/name": "kernel_name",
    "environment/kernel/release": "kernel",
    "environment/kernel/version": "kernel_build",
    "environment/kernel/architecture": "architecture",
    "environment/kernel/command_line": "kernel_options",
    "environment/os/name": "os",
    "environment/virtualization/kind": "virtualization",
    "environment/virtualization/container": "container",
    "environment/numa_nodes/0/threads": "numa",
    "environment/numa_nodes/0/memory": "numa",
    "environment/numa_nodes/0/distances": "numa",
    "environment/controllers/0/model": "controller",
    "environment/controllers/0/driver": "controller_driver",
    "environment/controllers/0/firmware": "controller_firmware",
    "environment/controllers/0/cache": "controller_cache",
    "environment/controllers/0/cache_mode": "controller_cache_mode",
    "environment/provenance": "provenance",
    "environment/contradictions/0/fact": "provenance",
    "target/kind": "target_kind",
    "target/file_system/type": "file_system",
    "target/file_system/options": "settings",
    "target/file_system/features": "features",
    "target/file_system/block_size": "block_size",
    "target/file_system/inode_size": "inode_size",
    "target/file_system/size": "size",
    "target/file_system/stride": "stride",
    "target/file_system/stripe_width": "stripe_width",
    "target/file_system/mkfs_command": "mkfs_options",
    "target/mount/options": "mount_options",
    "target/stack/0/kind": "layers",
    "target/stack/1/level": "raid_level",
    "target/stack/1/chunk": "raid_chunk",
    "target/stack/1/layout": "raid_layout",
    "target/stack/1/members": "raid_members",
    "target/stack/1/facts": "layer.RAID stripe_cache_size",
    "target/stack/2/model": "disk",
    "target/stack/2/size": "disk_size",
    "target/stack/2/rotational": "drive.rotational",
    "target/stack/2/transport": "drive.transport",
    "target/read_ahead": "read_ahead",
    "target/scheduler": "scheduler",
    "target/nr_requests": "nr_requests",
    "target/provenance": "provenance",
    "target/contradictions/0/fact": "provenance",
    "state_before/fill": "fill",
    "state_before/files": "files",
    "state_before/layout/extents_per_file": "extents",
    "state_before/layout/free_fragments": "free_fragments",
    "state_before/aging": "aging",
    "state_before/arrays/0/state": "arrays",
    "workload/tool": "tool",
    "workload/tool_version": "tool_version",
    "workload/command": "command",
    "workload/parameters": "parameter.direct",
    "protocol/cache": "cache",
    "protocol/warmup_discarded": "warm_up",
    "protocol/order": "order",
    "protocol/prepare": "prepare",
    "protocol/precision": "ended_by",
    "protocol/ended_by": "ended_by",
    "machine/name": "machine",
    "machine/machine_id": "machine",
    "agent/version": "agent_version",
}
DISK = ["kind", "vendor", "model", "firmware", "size", "rotational", "transport", "link", "scheduler", "read_ahead"]
DISK += ["nr_requests", "queue_depth", "write_cache", "logical_block_size", "physical_block_size", "zoned", "zone_size"]
ARRAY = ["level", "chunk", "layout", "members", "disk_model"]
OF_DISKS = "the target's disks have it; these stand in where the target's stack is not known"
OF_ARRAYS = "the target's own array is in its stack; another one of the machine does not matter unless it is busy"
NAME = "a name, which is no setting"
# Pointer → why a difference in the fact is not shown.
NOT_GUARDED = {
    **{f"environment/block_devices/0/{field}": OF_DISKS for field in DISK},
    **{
        f"environment/raid_arrays/0/{field}": OF_ARRAYS
        for field in ["level", "chunk", "layout", "members", "disk_model"]
    },
    "environment/block_devices/0/name": NAME,
    "environment/raid_arrays/0/name": NAME,
    "environment/controllers/0/name": NAME,
    "target/stack/2/name": NAME,
    "state_before/arrays/0/name": NAME,
    "state_before/arrays/0/kind": NAME,
    "environment/os/id": "the name says it",
    "environment/os/version": "the name says it",
    "environment/contradictions/0/detected": "that there is a contradiction is guarded",
    "environment/contradictions/0/declared": "that there is a contradiction is guarded",
    "environment/contradictions/0/kept": "that there is a contradiction is guarded",
    "target/contradictions/0/detected": "that there is a contradiction is guarded",
    "target/contradictions/0/declared": "that there is a contradiction is guarded",
    "target/contradictions/0/kept": "that there is a contradiction is guarded",
    "environment/extra": "anything; of it the board is guarded",
    "target/extra": "anything; of it the file system's own settings are guarded",
    "target/mount/point": "where it is mounted is no setting",
    "target/stack/2/scheduler": "guarded where the disk is not what is mounted",
    "target/stack/2/read_ahead": "guarded where the disk is not what is mounted",
    "target/stack/2/nr_requests": "guarded where the disk is not what is mounted",
    "state_before/size": "the file system's size is guarded",
    "state_before/used": "the fill level is guarded",
    "state_before/arrays/0/done": "that something is going on is guarded",
    "workload/parser_version": "it reads the same numbers, or the run is read again",
    "workload/clock_resolution": "the clock verdict of each cell says whether it matters",
    "protocol/seed": "chance, which the spread of the values shows",
}
LISTED = {"caches", "modules", "numa_nodes", "block_devices", "raid_arrays", "controllers", "contradictions", "arrays"}


def leaves(model: type[BaseModel], path: str) -> Iterator[str]:
    """Every field of a section that contains no further section, by its pointer; of a list, those of its first item."""
    for name, field in model.model_fields.items():
        inner, listed = _section(field.annotation)
        pointer = f"{path}/{name}"
        if inner is None:
            yield pointer
        elif name == "stack":
            yield from (f"{path}/stack/*/{inner_name}" for inner_name in inner.model_fields)
        else:
            yield from leaves(inner, f"{pointer}/0" if listed else pointer)


def _section(annotation: Any) -> tuple[type[BaseModel] | None, bool]:
    """The section that a field contains, and whether the field contains a list of them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    listed = get_origin(annotation) is list
    if listed or get_origin(annotation) in (Union, UnionType):
        for argument in get_args(annotation):
            if (nested := _section(argument))[0] is not None:
                return nested[0], listed or nested[1]
    return None, False


def other(value: Any, pointer: str) -> Any:
    """A value of the same type that is far from this one."""
    by_place = {
        "target/stack/1/facts": {"stripe_cache_size": 4096},
        "target/file_system/mkfs_command": ["mkfs.ext4", "-F", "-b", "1024"],
        "workload/parameters": {"direct": True},
        "state_before/aging": {"profile": "mail"},
        "environment/provenance": {},
        "target/provenance": {},
        "state_before/fill": 0.61,
        "environment/memory/usable": 2 << 30,
    }
    if pointer in by_place:
        return by_place[pointer]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value * 3 + 1
    if isinstance(value, dict):
        return {**value, "another": "thing"}
    if isinstance(value, list):
        return [*value, 99 if value and isinstance(value[0], int) else "another"]
    return f"{value} another"


def names(pointer: str) -> list[str]:
    """The names of the differences between two documents that differ only at this pointer."""
    before = known()
    if pointer == "workload/command":  # the only known fact of a raw file that somebody sent
        before["workload"]["parameters"] = {}
    after = changed(before, pointer, other(at(before, pointer), pointer))
    return [difference.name for difference in changes(unstored(before), unstored(after))]


def test_every_field_of_the_contract_is_decided_on() -> None:
    fields = {pointer for name, model in SECTIONS.items() for pointer in leaves(model, name)}
    decided = {pointer if "stack" not in pointer else _any_layer(pointer) for pointer in (*GUARDED, *NOT_GUARDED)}

    assert fields - decided == set()
    assert decided - fields == set()
    assert not GUARDED.keys() & NOT_GUARDED.keys()


def _any_layer(pointer: str) -> str:
    return "/".join("*" if part.isdecimal() else part for part in pointer.split("/"))


def test_rest_of_the_document_is_no_setting() -> None:
    """The rest of the document: names, times and measurements, some of which are guarded too."""
    assert set(Document.model_fields) - SECTIONS.keys() == {
        "run_id",
        "schema_",
        "started_at",  # "measured on", where it may matter
        "finished_at",
        "campaign",
        "continues",
        "labels",
        "visibility",
        "rounds",
        "results",
        "series",  # frequency, stolen time
        "artifacts",
        "extra",
    }
    assert set(Round.model_fields) == {"started_at", "position", "status", "error", "evidence"}  # load, disturbances


@pytest.mark.parametrize(("pointer", "name"), GUARDED.items())
def test_each_guarded_fact_shows(pointer: str, name: str) -> None:
    assert name in names(pointer)


@pytest.mark.parametrize("pointer", NOT_GUARDED)
def test_the_others_do_not(pointer: str) -> None:
    assert names(pointer) == []
