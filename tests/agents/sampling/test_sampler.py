"""The machine sampled while real programs write to real file systems."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchagent.documents.records import SampledSeries
from benchagent.formats.packing.series import unpacked
from benchagent.formats.sampled import MOST_POINTS, SAMPLED
from benchagent.inventory import Source
from benchagent.measuring.evidence import Devices, device_bytes, devices_of
from benchagent.sampling import Sampler, sampling
from benchagent.system.process import run
from benchagent.targets.prepare import prepared
from benchagent.targets.prepared_target import PreparedTarget
from benchagent.targets.work_directory import WorkDirectory
from tests.agents.targets.test_prepare import IMAGES, image, loop_devices, no_tick, root

WRITE = "dd if=/dev/urandom of=file bs=64k count=64 2>&1; sync -f file; sleep 0.6"
WRITTEN = 64 * 65536  # bytes
JOURNALS = {"ext4": "journal_commits", "xfs": "journal_write_bytes", "btrfs": "journal_commits"}


def last(series: SampledSeries) -> float:
    """The last point in base units."""
    return unpacked(series.packed, MOST_POINTS)[-1] * series.scale


def bytes_written(devices: Devices) -> int:
    read = device_bytes(devices.numbers)
    assert read is not None
    return read.written


def write(prepared_target: PreparedTarget, sampler: Sampler) -> None:
    sampler.begin()
    assert run(["sh", "-c", WRITE], directory=prepared_target.directory, sample=sampler.sample).ok
    sampler.end()


@root
@loop_devices
@pytest.mark.parametrize("file_system", IMAGES)
def test_two_programs_of_a_round_are_one_series_without_what_is_between_them(
    work: WorkDirectory, file_system: str
) -> None:
    with prepared(image(file_system), work, no_tick) as prepared_target:
        devices = devices_of(prepared_target.directory, Source())
        directory = prepared_target.directory
        with sampling(Source(), devices.numbers, devices.names, directory, devices.others_below) as sampler:
            begun = bytes_written(devices)
            write(prepared_target, sampler)
            assert prepared_target.empty_cache is not None
            prepared_target.empty_cache()  # mounts the file system anew
            run(["sh", "-c", WRITE], directory=prepared_target.directory)
            write(prepared_target, sampler)
            everything = bytes_written(devices) - begun
        series = {each.name: each for each in sampler.series() if each.device is None}
        below = {each.device for each in sampler.series()} - {None}

    assert {"device_write_bytes", "memory_dirty", "cpu_user"} <= series.keys() <= SAMPLED.keys()
    assert below == {each.name for each in devices.lowest} - devices.names
    assert 2 * WRITTEN <= last(series["device_write_bytes"]) <= everything - WRITTEN
    assert last(series["device_writes"]) > 0
    if file_system in JOURNALS:
        assert last(series[JOURNALS[file_system]]) > 0
    assert max({each.points for each in series.values() if each.name != "cpu_frequency"}) >= 10


@root
@loop_devices
def test_the_journal_of_another_device_is_sampled(tmp_path: Path) -> None:
    """Its commits are those of the file system, and its device is among the disks below."""
    data, journal, directory = tmp_path / "data", tmp_path / "journal", tmp_path / "mounted"
    directory.mkdir()
    for path in (data, journal):
        path.write_bytes(b"")
        os.truncate(path, 32 << 20)
    with looped(data) as data_device, looped(journal) as journal_device:
        shell("mke2fs", "-q", "-b", "4096", "-O", "journal_dev", journal_device)
        shell("mkfs.ext4", "-q", "-b", "4096", "-J", f"device={journal_device}", data_device)
        shell("mount", data_device, str(directory))
        try:
            devices = devices_of(directory, Source())
            with sampling(Source(), devices.numbers, devices.names, directory, devices.others_below) as sampler:
                sampler.begin()
                run(["sh", "-c", f"{WRITE}; {WRITE}"], directory=directory, sample=sampler.sample)
                sampler.end()
            found = [each for each in sampler.series() if each.name == "journal_commits"]
            below = {each.device for each in sampler.series() if each.name == "disk_write_bytes"}
        finally:
            shell("umount", str(directory))
    assert [last(each) > 0 for each in found] == [True]
    assert below == {each.name for each in devices.lowest} - devices.names


@contextmanager
def looped(path: Path) -> Iterator[str]:
    device = shell("losetup", "-f", "--show", str(path)).strip()
    try:
        yield device
    finally:
        shell("losetup", "-d", device)


def shell(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_a_short_round_has_no_series(work: WorkDirectory) -> None:
    with sampling(Source(), [], [], work.path) as sampler:
        sampler.begin()
        run(["true"], sample=sampler.sample)
        sampler.end()
    assert sampler.series() == ()
