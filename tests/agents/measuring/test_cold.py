"""Caches emptied between tests: later reads come from the device."""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent import formats
from benchagent.system.caches import can_drop_caches, drop_caches
from tests.agents.measuring.test_run import Agent, cc, iozone, with_fsload
from tests.agents.targets.test_prepare import loop_devices, root
from tests.ingest.sent import SentRun

__all__ = ["with_fsload"]  # a fixture
MIB = 2**20
droppable = pytest.mark.skipif(not can_drop_caches(), reason="this process may not empty the machine's caches")


@pytest.fixture
def agent(in_memory: Path) -> Agent:
    return Agent(in_memory)


IMAGE = '[[targets]]\nkind = "image"\nsize = "160 MiB"\nfile_system = "ext4"\n'
DIRECTORY = '[[targets]]\nkind = "directory"\n'
IOZONE = '[[workloads]]\ntool = "iozone"\nfile_sizes = ["4 MiB"]\nrecord_sizes = ["64 KiB", "256 KiB"]\n'
FSLOAD = '[[workloads]]\ntool = "fsload"\nfile_sizes = ["4 MiB"]\nrecord_sizes = ["256 KiB"]\n'


def values(document: SentRun) -> Iterator[tuple[str, int | None, float, str]]:
    """Test, record size, value in KiB/s, and the line of each value."""
    lines = {artifact.name: artifact.data.splitlines() for artifact in document.artifacts}
    for result in document.results:
        for value, name, line in zip(result.values or [], result.artifacts, result.lines, strict=False):
            if value is not None and name is not None and line is not None:
                yield result.test, result.record_size, value / 1024, lines[name][line - 1]


@iozone
@root
@loop_devices
def test_iozone_runs_once_for_each_group_and_finds_empty_caches(agent: Agent) -> None:
    done = agent.run('rounds = 1\ncache = "cold"\n' + IMAGE + IOZONE)
    assert done.returncode == 0, done.stderr
    document = agent.documents()["ext4/iozone"]
    assert document.workload.command.count("iozone") == 16  # eight groups, two record sizes
    assert document.workload.command.count(";") == 15
    assert [artifact.name for artifact in document.artifacts] == [f"round-1/iozone-{n:02}.txt" for n in range(1, 17)]
    rows = list(values(document))
    assert len(rows) == 2 * 13
    for _, record_size, value, line in rows:
        numbers = [float(number) for number in re.findall(r"\d+", line)]
        assert numbers[1] * 1024 == record_size
        assert value in numbers
    # iozone's groups with a single test ran separately, so their bytes are known: all reads came from the device.
    alone = {r.test: r.evidence for r in document.results if "device_read_bytes" in r.evidence}
    assert set(alone) == {"backward_read", "record_rewrite", "strided_read"}
    backward = alone["backward_read"]
    assert backward["logical_bytes"] == 4 * MIB
    assert backward["device_read_bytes"] >= 4 * MIB
    first = {r.test for r in document.results if r.evidence.get("cache_emptied")}
    assert first == {
        "write",
        "read",
        "random_read",
        "backward_read",
        "record_rewrite",
        "strided_read",
        "fwrite",
        "fread",
    }
    evidence = document.rounds[0].evidence
    assert evidence is not None
    assert evidence.logical_bytes == 2 * 13 * 4 * MIB
    assert evidence.device_read_bytes is not None
    assert evidence.device_read_bytes >= 2 * 4 * 4 * MIB  # read, random and backward read, fread


@iozone
@root
@loop_devices
def test_the_raw_output_of_each_invocation_can_be_read_by_itself(agent: Agent) -> None:
    agent.run('rounds = 1\ncache = "cold"\n' + IMAGE + IOZONE + 'tests = ["write", "read"]\n')
    document = agent.documents()["ext4/iozone"]
    assert len(document.artifacts) == 4
    read = [formats.parse(each.data) for each in document.artifacts]
    assert sum(len(each.results) for each in read) == sum(bool(result.artifacts) for result in document.results)


@cc
@root
@loop_devices
@droppable
def test_fsload_empties_the_caches_before_each_test_of_a_sweep(with_fsload: Agent) -> None:
    done = with_fsload.run('rounds = 1\ncache = "cold"\n' + IMAGE + FSLOAD)
    assert done.returncode == 0, done.stderr
    document = with_fsload.documents()["ext4/fsload"]
    assert document.workload.command[-1] == "--cold"
    reads = [result for result in document.results if result.test in ("read", "reread", "random_read", "backward_read")]
    assert reads
    for result in reads:
        assert result.evidence["cache_emptied"]
        assert result.evidence["device_read_bytes"] >= 4 * MIB


@iozone
@root
@droppable
def test_of_a_directory_the_machine_s_caches_are_emptied(tmp_path: Path) -> None:
    """The reads come from the device if the tests' directory is on one."""
    agent = Agent(tmp_path)
    done = agent.run('rounds = 1\ncache = "cold"\n' + DIRECTORY + IOZONE + 'tests = ["write", "read"]\n')
    assert done.returncode == 0, done.stderr
    document = agent.documents()["directory/iozone"]
    assert document.protocol.cache == "cold"
    evidence = document.rounds[0].evidence
    assert evidence is not None
    if evidence.device_read_bytes is not None:
        assert evidence.device_read_bytes >= 2 * 4 * MIB


@root
@droppable
def test_what_was_in_the_cache_is_not_afterwards() -> None:
    with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:  # on a disk: pages of tmpfs cannot be dropped
        file.write(b"x" * MIB)
        file.flush()
        os.fsync(file.fileno())
        assert pages_in_memory(file.fileno()) == MIB // mmap.PAGESIZE
        drop_caches()
        assert pages_in_memory(file.fileno()) == 0


def pages_in_memory(file: int) -> int:
    """The number of cached pages of this file, by mincore(2), because other tests fill the cache meanwhile."""
    with mmap.mmap(file, 0) as mapped:
        pages = (ctypes.c_ubyte * (len(mapped) // mmap.PAGESIZE))()
        first = ctypes.c_char.from_buffer(mapped)
        assert ctypes.CDLL(None).mincore(ctypes.byref(first), ctypes.c_size_t(len(mapped)), pages) == 0
        del first  # otherwise the mapping could not be closed
    return sum(page & 1 for page in pages)
