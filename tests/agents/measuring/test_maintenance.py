"""`maintenance`: reading the device, remounting, checking; on real loop devices."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchagent.documents.records import Round
from benchagent.filesystems import named
from benchagent.inventory import Source
from benchagent.inventory.mounts import parse_mountinfo
from benchagent.inventory.storage.block import device_by_name
from benchagent.inventory.storage.underlying import devices_below, lowest_single
from benchagent.measuring import power_cut as shutdown
from benchagent.measuring import raw_read
from benchagent.measuring.evidence import device_bytes
from benchagent.measuring.kernel_trouble import disturbance
from benchagent.measuring.maintenance import maintain, why_no_maintenance
from benchagent.measuring.points import recorded_command
from benchagent.measuring.tool_round import Bench
from benchagent.plan.maintenance import MAINTENANCE_TESTS
from benchagent.plan.model import Point, Target, Workload
from benchagent.targets import loop
from benchagent.targets.prepare import prepared
from benchagent.targets.prepared_target import PreparedTarget
from benchagent.targets.work_directory import WorkDirectory
from benchagent.toml.tables import Parameters
from benchagent.tools import CommandContext
from tests.agents.targets.test_prepare import IMAGES, image, in_kernel, loop_devices, no_tick, root
from tests.texts import missing_in

MIB = 2**20
pytestmark = [root, loop_devices]


@pytest.fixture
def work(in_memory: Path) -> Iterator[WorkDirectory]:
    with WorkDirectory(in_memory / "work").opened() as found:
        yield found


def bench(cache: str = "uncontrolled") -> Bench:
    return Bench(CommandContext(seed=0, root=True), cache, Source(), str, no_tick)


def point(target: Target, **parameters: object) -> Point:
    given: Parameters = dict(parameters)  # type: ignore[arg-type]
    return Point(target, Workload("maintenance", "maintenance", given))


def measured(work: WorkDirectory, wanted: Point, check: Callable[[PreparedTarget], None] = lambda place: None) -> Round:
    with prepared(wanted.target, work, no_tick) as place:
        found = maintain(wanted, place, bench(), 0, 0)
        check(place)
    return found


def values(found: Round) -> dict[tuple[str, str], float | None]:
    return {(result.test, result.metric): result.values[0] for result, _, _ in found.results}


@pytest.mark.parametrize("file_system", IMAGES)
def test_each_test_is_timed_and_the_file_system_can_be_used_afterwards(work: WorkDirectory, file_system: str) -> None:
    devices = []

    def usable(place: PreparedTarget) -> None:
        assert place.mounted
        devices.append(Path(place.mounted.node).name)
        assert in_kernel(place.directory) == file_system
        assert set(os.listdir(place.directory)) <= {"lost+found"}
        (place.directory / "file").write_bytes(os.urandom(MIB))

    outcome = measured(work, point(image(file_system)), usable)
    assert outcome.error is None
    times = values(outcome)
    assert times.pop(("raw_read", "throughput"))
    expected = {(test, m) for test in MAINTENANCE_TESTS[1:] for m in ("elapsed", "user_time", "system_time")}
    assert set(times) == expected
    assert all(times[test, "elapsed"] for test in MAINTENANCE_TESTS[1:])
    [output] = outcome.artifacts
    lines = output.text.splitlines()
    for result, reading, _ in outcome.results:
        assert reading.artifact == output.name == "round-1/maintenance.txt"
        assert lines[result.lines[0] - 1] == f"{result.test} {result.metric} {result.values[0]} {result.unit}"
    assert outcome.results
    # Errors that the test provokes do not count. Only lines that name another device, of another test, are allowed.
    messages = outcome.evidence.kernel_messages if outcome.evidence else ()
    errors = {line: set(re.findall(r"loop\d+", line)) for line in messages if disturbance(line) == "file_system_error"}
    assert [line for line, named in errors.items() if devices[0] in named or not named] == []
    version = next(iter(outcome.readings)).parsed.tool_version
    assert version is not None
    assert version in output.text or file_system in ("xfs", "btrfs")


@pytest.mark.parametrize("file_system", IMAGES)
def test_after_a_crash_there_is_something_to_recover(work: WorkDirectory, file_system: str) -> None:
    outcome = measured(work, point(image(file_system), tests=["fsck_dirty"]))
    assert values(outcome)["fsck_dirty", "elapsed"]
    [output] = outcome.artifacts
    params = [dict(result.params) for result, _, _ in outcome.results]
    sign = {
        "ext2": "was not cleanly unmounted, check forced",
        "ext3": "recovering journal",
        "ext4": "recovering journal",
        "xfs": "$ mount -t xfs",
        "btrfs": "$ btrfs check --readonly",
    }[file_system]
    assert sign in output.text
    assert {row["dirty"] for row in params} <= {"shutdown", "copy"}
    assert {row["dirty"] for row in params} == {"shutdown"} or file_system == "btrfs"


def test_where_the_kernel_cannot_crash_it_a_copy_of_the_image_is_checked(
    work: WorkDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels before 4.11 have no shutdown call."""
    monkeypatch.setattr(shutdown, "GOING_DOWN", 0x800458FF)  # a number that no driver knows
    outcome = measured(work, point(image("ext4"), tests=["fsck_dirty"]))
    [output] = outcome.artifacts
    assert not missing_in(output.text, f"$ e2fsck -y {work.path}/target.copy", "recovering journal")
    assert [dict(result.params) for result, _, _ in outcome.results] == [{"dirty": "copy"}] * 3
    assert not any(result.evidence for result, _, _ in outcome.results)  # the device did nothing meanwhile
    assert not (work.path / "target.copy").exists()


def test_a_check_that_finds_too_much_is_a_failed_test_and_the_others_go_on(
    work: WorkDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker = named("ext4").checker
    monkeypatch.setitem(vars(checker), "arguments", {**checker.arguments, "fsck_clean": ("--none-such",)})
    outcome = measured(work, point(image("ext4"), tests=["fsck_clean", "fsck_forced"]))
    results = {result.test: result for result, _, _ in outcome.results}
    assert results["fsck_clean"].status == "failed"
    assert "exit code 16" in (results["fsck_clean"].error or "")
    assert results["fsck_forced"].status == "ok"
    assert outcome.error is None


@pytest.mark.needs("cc", package="gcc")
def test_what_fills_the_file_system_is_there_when_it_is_checked_and_gone_afterwards(
    work: WorkDirectory, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHAGENT_FSLOAD", str(program))
    wanted = point(image("ext4"), tests=["fsck_forced"], fill=4 * MIB, file_size=64 * 1024, files_per_directory=8)
    left: list[str] = []
    outcome = measured(work, wanted, lambda place: left.extend(os.listdir(place.directory)))
    assert left == ["lost+found"]
    checked, filled = outcome.artifacts
    assert filled.name == "round-1/fill.jsonl"
    assert '"operations":64' in filled.text
    printed = re.search(r": (\d+)/\d+ files .*, (\d+)/(\d+) blocks", checked.text)
    assert printed is not None
    files, used, blocks = map(int, printed.groups())
    assert files > 64 + 8
    assert outcome.filled is not None
    assert outcome.filled["files"] == files
    assert (outcome.filled["size"] - outcome.filled["used"]) / (blocks - used) in (1024, 4096)  # bytes of a block
    command = " ".join(recorded_command(wanted, bench()))
    assert command.startswith("fsload bulk ")
    assert "--files-per-directory 8 --keep ; e2fsck -f -y" in command
    too_much = point(image("ext4"), tests=["fsck_forced"], fill=4096 * MIB)
    assert "more than" in (measured(work, too_much).error or "")


def test_a_directory_and_an_unknown_file_system_are_not_measured() -> None:
    assert "need an image or a device" in (why_no_maintenance(point(Target("d", "directory"))) or "")
    strange = Target("x", "image", file_system="nilfs2")
    assert "no supported program that checks nilfs2" in (why_no_maintenance(point(strange)) or "")
    assert why_no_maintenance(point(strange, tests=["raw_read", "remount"])) is None


def test_the_command_line_is_what_is_run_without_the_device() -> None:
    wanted = point(image("ext4"), tests=["fsck_forced", "remount", "raw_read"])
    assert " ".join(recorded_command(wanted, bench())) == "umount ; mount -t ext4 ; e2fsck -f -y"


def test_a_device_is_read_around_the_cache(work: WorkDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    (work.path / "x.img").write_bytes(os.urandom(5 * MIB))
    device = str(loop.attach(work.path / "x.img"))
    try:
        numbers = [f"{os.major(os.stat(device).st_rdev)}:{os.minor(os.stat(device).st_rdev)}"]
        for _ in range(2):
            before = device_bytes(numbers)
            reading = raw_read.raw_read(device, no_tick)
            after = device_bytes(numbers)
            assert reading.length == 5 * MIB
            assert reading.used["logical_bytes"] == reading.used["device_read_bytes"] == 5 * MIB
            assert before is not None
            assert after is not None
            assert after.read - before.read == 5 * MIB
            assert reading.throughput == reading.length / reading.seconds
        monkeypatch.setattr(raw_read, "MOST_BYTES", 2 * MIB)
        assert raw_read.raw_read(device, no_tick).length == 2 * MIB
        monkeypatch.setattr(raw_read, "MOST_SECONDS", 0.0)
        assert raw_read.raw_read(device, no_tick).length == raw_read.BLOCK
    finally:
        loop.detach(Path(device))


def test_below_an_image_on_a_disk_lies_the_disk(tmp_path: Path) -> None:
    source = Source()
    (tmp_path / "x.img").write_bytes(b"\0" * MIB)
    device = loop.attach(tmp_path / "x.img")
    try:
        mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
        top = device_by_name(source, device.name)
        assert top is not None
        below = devices_below(source, mounts, [top])
        assert below[0] == top
        lowest = lowest_single(source, mounts, top)
        assert lowest in below
        assert (lowest == top) == (len(below) == 1)
    finally:
        loop.detach(device)
