"""Reads the facts of a disk from the JSON of smartctl (smartmontools 7.0 and newer). Pure functions.

The three kinds of disks have them in different places. Facts whose unit depends on the vendor are left out: attribute
241 of ATA, Total_LBAs_Written, counts sectors, or millions of bytes, or something else. Nothing that names the disk is
read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

GIB, MIB = 2**30, 2**20
# ATA attributes by their numbers, with the names that smartctl gives them if the vendor means the same.
_ATTRIBUTES = {
    (5, "Reallocated_Sector_Ct"): "reallocated_sectors",
    (197, "Current_Pending_Sector"): "pending_sectors",
    (187, "Reported_Uncorrect"): "media_errors",
}
_WRITTEN = {"Host_Writes_32MiB": 32 * MIB, "Host_Writes_GiB": GIB, "Lifetime_Writes_GiB": GIB, "Total_Writes_GiB": GIB}
_STATISTICS = {"Number of Reported Uncorrectable Errors": "media_errors"}
_NVME_UNIT = 512_000  # bytes; NVMe counts thousands of units of 512 bytes
_MOST = 1e18  # of the contract


@dataclass(frozen=True)
class DiskFact:
    """A fact in the unit of `formats.smart.SMART`; `source` is its place in smartctl's output."""

    name: str
    value: float
    source: str


def facts_of(text: str) -> list[DiskFact]:
    """The facts that an output has, each once. Raises ValueError if it is no JSON object."""
    try:
        document = json.loads(text)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not isinstance(document, dict):
        raise ValueError("no object")
    found: dict[str, DiskFact] = {}
    for fact in _facts(document):
        if fact.value >= 0 or fact.name == "temperature":
            found.setdefault(fact.name, fact)
    return list(found.values())


def error_of(text: str) -> str | None:
    """The error for which smartctl could not read a disk; None if there is none, as for a disk in standby."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    messages = _part(document, "smartctl").get("messages")
    errors = (each.get("string") for each in _list(messages) if each.get("severity") == "error")
    return next((error for error in errors if isinstance(error, str)), None)


def _facts(document: Mapping[str, object]) -> Iterator[DiskFact]:
    yield from _one("temperature", _part(document, "temperature").get("current"), "temperature.current")
    yield from _of_nvme(_part(document, "nvme_smart_health_information_log"))
    yield from _of_statistics(document)
    yield from _of_attributes(document)
    yield from _of_scsi(document)
    used = _part(document, "endurance_used").get("current_percent")
    yield from _one("percentage_used", used, "endurance_used.current_percent", 0.01)


def _of_nvme(log: Mapping[str, object]) -> Iterator[DiskFact]:
    place = "nvme_smart_health_information_log"
    for name, key, scale in (
        ("percentage_used", "percentage_used", 0.01),
        ("media_errors", "media_errors", 1),
        ("host_write_bytes", "data_units_written", _NVME_UNIT),
    ):
        yield from _one(name, log.get(key), f"{place}.{key}", scale)


def _of_statistics(document: Mapping[str, object]) -> Iterator[DiskFact]:
    """The device statistics of ATA, whose units the standard fixes."""
    sector = document.get("logical_block_size")
    for page in _list(_part(document, "ata_device_statistics").get("pages")):
        for row in _list(page.get("table")):
            name, source = row.get("name"), f"ata_device_statistics, {row.get('name')}"
            if not _part(row, "flags").get("valid", True) or not isinstance(name, str):
                continue
            if name == "Logical Sectors Written" and isinstance(sector, int):
                yield from _one("host_write_bytes", row.get("value"), source, sector)
            elif name in _STATISTICS:
                yield from _one(_STATISTICS[name], row.get("value"), source)


def _of_attributes(document: Mapping[str, object]) -> Iterator[DiskFact]:
    for row in _list(_part(document, "ata_smart_attributes").get("table")):
        number, name, value = row.get("id"), row.get("name"), _part(row, "raw").get("value")
        if not isinstance(number, int) or not isinstance(name, str):
            continue
        source = f"attribute {number}, {name}"
        if (number, name) in _ATTRIBUTES:
            yield from _one(_ATTRIBUTES[number, name], value, source)
        elif name in _WRITTEN:
            yield from _one("host_write_bytes", value, source, _WRITTEN[name])


def _of_scsi(document: Mapping[str, object]) -> Iterator[DiskFact]:
    log, place = _part(document, "scsi_error_counter_log"), "scsi_error_counter_log"
    kinds = [_part(log, kind).get("total_uncorrected_errors") for kind in ("read", "write", "verify")]
    errors = [count for count in kinds if isinstance(count, int)]
    yield from _one("media_errors", sum(errors) if errors else None, f"{place}.*.total_uncorrected_errors")
    yield from _one("reallocated_sectors", document.get("scsi_grown_defect_list"), "scsi_grown_defect_list")
    pending = _part(document, "scsi_pending_defects").get("count")
    yield from _one("pending_sectors", pending, "scsi_pending_defects.count")
    written = _part(log, "write").get("gigabytes_processed")
    try:
        gigabytes = float(written) if isinstance(written, str) else None
    except ValueError:
        gigabytes = None
    yield from _one("host_write_bytes", gigabytes, f"{place}.write.gigabytes_processed", 1e9)


def _one(name: str, value: object, source: str, scale: float = 1) -> Iterator[DiskFact]:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= _MOST:
        return
    if abs(value * scale) <= _MOST:
        yield DiskFact(name, round(value * scale, 9) if scale < 1 else float(value * scale), source[:100])


def _part(document: object, key: str) -> Mapping[str, object]:
    part = document.get(key) if isinstance(document, dict) else None
    return part if isinstance(part, dict) else {}


def _list(value: object) -> list[Mapping[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
