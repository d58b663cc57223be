"""Series of a whole round, as the agent samples it."""

from itertools import accumulate
from math import sin
from typing import Any

from benchagent.formats.sampled import SAMPLED
from tests.support.documents import document, series

# Growth in a step, or level, of a quantity while the page cache fills up, and afterwards.
FILLING_UP: dict[str, tuple[float, float]] = {
    "device_writes": (3, 40),
    "device_write_bytes": (1 << 11, 1 << 16),
    "device_reads": (1, 0),
    "device_read_bytes": (64, 0),
    "device_write_time": (2, 900),
    "device_flushes": (0, 2),
    "device_flush_time": (0, 12),
    "device_busy_time": (9, 98),
    "device_in_flight": (0, 30),
    "pressure_io_some": (500, 70_000),
    "pressure_io_full": (0, 30_000),
    "pressure_memory_some": (0, 0),
    "pressure_memory_full": (0, 0),
    "pressure_cpu_some": (9_000, 2_000),
    "memory_dirty": (90_000, 240_000),
    "memory_writeback": (200, 9_000),
    "memory_page_cache": (1_500_000, 2_000_000),
    "reclaim_scanned": (0, 0),
    "reclaim_stolen": (0, 0),
    "reclaim_stalls": (0, 0),
    "cpu_user": (1, 1),
    "cpu_system": (9, 3),
    "cpu_idle": (10, 10),
    "cpu_iowait": (0, 8),
    "cpu_interrupts": (0, 1),
    "cpu_stolen": (0, 0),
    "cpu_frequency": (3_400_000, 2_900_000),
    "temperature_cpu": (54_000, 61_000),
    "file_system_write_bytes": (900, 30_000),
    "journal_commits": (0, 1),
}
SCALES = {"B": 4096, "s": 0.001, "op": 1, "Hz": 1000, "°C": 0.001}
SCALES_OF_NAMES = {"device_write_bytes": 512, "device_read_bytes": 512, "file_system_write_bytes": 1024}
SCALES_OF_NAMES |= {name: 1e-6 for name in FILLING_UP if name.startswith("pressure")}
SCALES_OF_NAMES |= {name: 0.01 for name in FILLING_UP if name.startswith("cpu_") and SAMPLED[name].unit == "s"}


def round_of_series(number: int, points: int = 300) -> list[dict[str, Any]]:
    """The series of round `number`, from 0: after a third of it the page cache is full."""
    return [
        series(
            _points(name, points, number),
            round=number,
            name=name,
            scale=SCALES_OF_NAMES.get(name, SCALES[SAMPLED[name].unit]),
            source="/proc/invented",
        )
        for name in FILLING_UP
    ]


def whole_document() -> dict[str, Any]:
    """A run whose three rounds have samples of the machine, of its tests and of two disks, and SMART of these."""
    numbers = range(3)
    samples = [each for number in numbers for each in (*round_of_series(number), *rounds_of_tests(number))]
    content = document(
        series=[*samples, *(each for number in numbers for each in _of_disks(number))], visibility="public"
    )
    for number, of_round in enumerate(content["rounds"]):
        of_round["evidence"] = {"smart": [fact for disk in ("nvme0n1", "sda") for fact in _smart(disk, number)]}
    return content


def _of_disks(number: int) -> list[dict[str, Any]]:
    """Writes of 512 bytes of two disks, the second of which is slower."""
    whole = _points("device_write_bytes", 300, number)
    return [
        series(
            [point // share for point in whole],
            round=number,
            name="disk_write_bytes",
            scale=512,
            device=disk,
            source="/proc/invented",
        )
        for disk, share in (("nvme0n1", 2), ("sda", 3))
    ]


def _smart(disk: str, number: int) -> list[dict[str, Any]]:
    log = "nvme_smart_health_information_log"
    facts = [
        ("temperature", "°C", "temperature.current", 38 + number, 41 + number),
        ("percentage_used", "ratio", f"{log}.percentage_used", 0.03, 0.03),
        ("media_errors", "count", f"{log}.media_errors", 0, 0),
        ("host_write_bytes", "B", f"{log}.data_units_written", 1.2e13 + 4e9 * number, 1.2e13 + 4e9 * (number + 1)),
    ]
    return [
        {"disk": disk, "name": name, "unit": unit, "source": source, "before": float(before), "after": float(after)}
        for name, unit, source, before, after in facts
    ]


def rounds_of_tests(number: int) -> list[dict[str, Any]]:
    """The tool's own series of round `number`: writes that become slow after 10 s, and reads at 18.4 s."""
    tests = {"write": (0.2, [*[600] * 98, *[240] * 80]), "read": (18.4, [900] * 114)}
    return [
        series(
            [*accumulate(round(size * (steps[i] + 40 * sin(1.3 * i + number))) for i in range(len(steps)))],
            round=number,
            name=name,
            test=test,
            start=start,
            source="fsload",
        )
        for test, (start, steps) in tests.items()
        for name, size in (("operations", 1), ("bytes", 4096))
    ]


def _points(name: str, points: int, number: int) -> list[int]:
    before, after = FILLING_UP[name]
    full = points // 3
    steps = [
        round((before if i < full else after) * (1 + 0.15 * sin(1.7 * i + len(name) + number)) + 0.49 * sin(i) ** 2)
        for i in range(points)
    ]
    return list(accumulate(steps)) if SAMPLED[name].grows else steps
