"""Bytes of the right block device, whatever file system lies between."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent.evidence import SECTOR, DeviceBytes, device_bytes, devices_of, evidence
from benchagent.inventory import Source
from benchagent.prepare import prepared
from benchagent.process import run
from benchagent.workdir import WorkDirectory
from tests.agents.test_prepare import IMAGES, image, loop_devices, no_tick, root

MIB = 2**20


@root
@loop_devices
@pytest.mark.parametrize("file_system", IMAGES)
def test_what_is_written_reaches_the_device_of_the_image(work: WorkDirectory, file_system: str) -> None:
    with prepared(image(file_system), work, no_tick) as place:
        devices = devices_of(place.directory, Source())
        assert len(devices) == 1
        before = device_bytes(devices)
        descriptor = os.open(place.directory / "file", os.O_CREAT | os.O_WRONLY)
        os.write(descriptor, os.urandom(8 * MIB))
        os.fsync(descriptor)
        os.close(descriptor)
        after = device_bytes(devices)
    assert before is not None
    assert after is not None
    assert 8 * MIB <= after.written - before.written < 24 * MIB


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    subprocess.run(["mount", "-t", "tmpfs", "none", str(tmp_path)], check=True)
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


@root
def test_memory_has_no_device(memory: Path) -> None:
    assert devices_of(memory, Source()) == []
    assert device_bytes([]) is None


def test_a_device_that_is_not_listed_is_unknown() -> None:
    assert device_bytes(["4095:1048575"]) is None


def test_evidence_is_what_happened_in_between() -> None:
    outcome = run(["true"])
    found = evidence(outcome, DeviceBytes(SECTOR, 2 * SECTOR), DeviceBytes(3 * SECTOR, 2 * SECTOR))
    assert (found["device_read_bytes"], found["device_write_bytes"]) == (2 * SECTOR, 0)
    assert (found["user_seconds"], found["system_seconds"]) == (outcome.user_seconds, outcome.system_seconds)
    assert "device_read_bytes" not in evidence(outcome, None, None)
