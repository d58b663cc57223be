"""Evidence from the machine: bytes of the right device, CPU time, kernel messages, other load."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent import formats
from benchagent.inventory import Source
from benchagent.measuring.evidence import (
    SECTOR,
    DeviceBytes,
    MachineWatch,
    device_bytes,
    devices_of,
    together,
    usage,
)
from benchagent.system.process import run
from benchagent.targets.prepare import prepared
from benchagent.targets.work_directory import WorkDirectory
from benchagent.tools import TOOLS
from tests.agents.targets.test_prepare import IMAGES, image, loop_devices, no_tick, root
from tests.texts import missing_in

MIB = 2**20
KMSG = Path("/dev/kmsg")


@root
@loop_devices
@pytest.mark.parametrize("file_system", IMAGES)
def test_what_is_written_reaches_the_device_of_the_image(work: WorkDirectory, file_system: str) -> None:
    with prepared(image(file_system), work, no_tick) as prepared_target:
        devices = devices_of(prepared_target.directory, Source())
        assert len(devices.numbers) == 1
        before = device_bytes(devices.numbers)
        descriptor = os.open(prepared_target.directory / "file", os.O_CREAT | os.O_WRONLY)
        os.write(descriptor, os.urandom(8 * MIB))
        os.fsync(descriptor)
        os.close(descriptor)
        after = device_bytes(devices.numbers)
    assert before is not None
    assert after is not None
    assert 8 * MIB <= after.written - before.written < 24 * MIB


@root
@loop_devices
def test_the_disks_below_an_image_are_known(work: WorkDirectory) -> None:
    """Their bytes do not count as disturbances by other disks."""
    status = os.stat(work.path)
    below = Path(f"/sys/dev/block/{os.major(status.st_dev)}:{os.minor(status.st_dev)}")
    with prepared(image(), work, no_tick) as prepared_target:
        disks = devices_of(prepared_target.directory, Source()).disks
    assert sum(name.startswith("loop") for name in disks) == 1
    if below.exists():
        assert below.resolve().name in disks


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    subprocess.run(["mount", "-t", "tmpfs", "none", str(tmp_path)], check=True)
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


@root
def test_memory_has_no_device(memory: Path) -> None:
    devices = devices_of(memory, Source())
    assert (devices.numbers, devices.names, devices.disks) == ((), frozenset(), frozenset())
    assert device_bytes([]) is None


def test_a_device_that_is_not_listed_is_unknown() -> None:
    assert device_bytes(["4095:1048575"]) is None


def test_usage_is_what_happened_in_between() -> None:
    outcome = run(["sh", "-c", "sleep 0.01; sleep 0.01"])
    used = usage(outcome, DeviceBytes(SECTOR, 2 * SECTOR), DeviceBytes(3 * SECTOR, 2 * SECTOR))
    assert (used["device_read_bytes"], used["device_write_bytes"]) == (2 * SECTOR, 0)
    assert (used["user_seconds"], used["system_seconds"]) == (outcome.user_seconds, outcome.system_seconds)
    assert used["voluntary_context_switches"] >= 2  # it waited for two programs
    assert "device_read_bytes" not in usage(outcome, None, None)


def test_what_one_of_several_programs_does_not_know_is_unknown_of_all() -> None:
    assert together([{"a": 1, "b": 2}, {"a": 3}]) == {"a": 4}
    assert together([]) == {}


IOZONE = """\tOutput is in kBytes/sec
              kB  reclen    write  rewrite    read    reread
            1024      64  2688041 10134284
            2048      64  2688041        0
iozone test complete.
"""
FSLOAD = (
    '{"type":"header","schema":"fsload/2","version":"1"}\n'
    '{"type":"result","test":"write","file_size":8192,"record_size":4096,"threads":1,"status":"ok","operations":2,'
    '"bytes":8192,"elapsed_ns":1000,"cpu_ns":10,"user_ns":0,"system_ns":0,"device_read_bytes":DEVICE,'
    '"device_write_bytes":DEVICE,"latency_ns":null}\n{"type":"end"}\n'
)


def logical_bytes(text: str, tool: str) -> int | None:
    return TOOLS[tool].logical_bytes(formats.parse(text, tool))


def test_logical_bytes_are_what_the_tests_asked_for() -> None:
    assert logical_bytes(IOZONE, "iozone") == 2 * MIB + 2 * MIB  # of the second row, only the write was measured
    assert logical_bytes(FSLOAD.replace("DEVICE", "4096"), "fsload") == 8192  # once, with all its metrics
    assert logical_bytes(FSLOAD.replace("DEVICE", "null"), "fsload") is None


def same(text: str) -> str:
    return text


def say(line: str) -> None:
    with KMSG.open("w") as kernel:
        kernel.write(f"{line}\n")  # without its end, the line waits for the next one


@root
def test_what_the_kernel_says_meanwhile_is_kept_and_marks_the_round() -> None:
    say("before")
    watch = MachineWatch(Source(), lambda text: text.replace("secret", "<host>"))
    say("EXT4-fs (loop7): mounted filesystem 42cac80f-d1c2-4f20-91fd-70af6e4c124c on secret")
    say("I/O error, dev sda, sector 1234 op 0x0:(READ)")
    evidence = watch.seen({})
    watch.close()
    assert not missing_in(
        evidence.kernel_messages,
        "EXT4-fs (loop7): mounted filesystem <uuid> on <host>",
        "I/O error, dev sda, sector 1234 op 0x0:(READ)",
    )
    assert "before" not in evidence.kernel_messages
    assert evidence.disturbances["io_error"] == 1


@root
def test_trouble_that_we_make_ourselves_does_not_count() -> None:
    watch = MachineWatch(Source(), same)
    say("first")
    with watch.expecting_trouble():
        say("XFS (loop7): Log I/O Error detected. Shutting down filesystem.")
    say("last")
    evidence = watch.seen({})
    watch.close()
    messages = [line for line in evidence.kernel_messages if line in ("first", "last") or "Shutting" in line]
    assert messages == ["first", "last"]
    assert "file_system_error" not in evidence.disturbances


def test_a_watch_tells_the_load_that_was_there_before() -> None:
    watch = MachineWatch(Source(), same)
    found = watch.seen({"user_seconds": 1.0})
    watch.close()
    assert found.usage["user_seconds"] == 1.0
    assert found.noise["load_before"] >= 0
    assert found.as_json()["user_seconds"] == 1.0
