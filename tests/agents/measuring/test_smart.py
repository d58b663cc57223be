"""SMART of disks. The outputs are made here, after the fields that smartctl 7 writes; `VIRTUAL` is a real one."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.documents.records import RoundEvidence
from benchagent.formats.smart import SMART
from benchagent.inventory import Source
from benchagent.inventory.source import command_name
from benchagent.measuring.smart import COMMAND, SmartReader
from benchagent.measuring.smart_facts import error_of, facts_of
from benchdb.ingest.contract import validate
from tests.support.documents import document, encoded

IDENTITY = {"model_name": "Disk 1", "serial_number": "S3CR3T", "wwn": {"naa": 5, "oui": 1, "id": 2}}
NVME = {
    **IDENTITY,
    "temperature": {"current": 41},
    "nvme_smart_health_information_log": {
        "temperature": 41,
        "percentage_used": 3,
        "data_units_written": 2_000_000,
        "media_errors": 0,
        "temperature_sensors": [41, 45],
    },
}


def attribute(number: int, name: str, raw: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": name,
        "value": 100,
        "worst": 100,
        "thresh": 10,
        "raw": {"value": raw, "string": f"{raw}"},
    }


ATA = {
    **IDENTITY,
    "logical_block_size": 512,
    "temperature": {"current": 30},
    "endurance_used": {"current_percent": 12},
    "ata_smart_attributes": {
        "table": [
            attribute(5, "Reallocated_Sector_Ct", 8),
            attribute(187, "Reported_Uncorrect", 2),
            attribute(197, "Current_Pending_Sector", 1),
            attribute(241, "Total_LBAs_Written", 77),  # of no certain unit
        ]
    },
    "ata_device_statistics": {
        "pages": [
            {
                "number": 1,
                "name": "General Statistics",
                "table": [
                    {"offset": 24, "name": "Logical Sectors Written", "value": 1000, "flags": {"valid": True}},
                    {"offset": 8, "name": "Lifetime Power-On Resets", "value": 9, "flags": {"valid": True}},
                ],
            },
            {"number": 4, "table": [{"name": "Number of Reported Uncorrectable Errors", "flags": {"valid": False}}]},
        ]
    },
}
OLD_ATA = {"ata_smart_attributes": {"table": [attribute(225, "Host_Writes_32MiB", 3), attribute(5, "Unknown", 6)]}}
SCSI = {
    **IDENTITY,
    "temperature": {"current": 28, "drive_trip": 65},
    "scsi_grown_defect_list": 4,
    "scsi_pending_defects": {"count": 2},
    "scsi_error_counter_log": {
        "read": {"gigabytes_processed": "15.250", "total_uncorrected_errors": 1},
        "write": {"gigabytes_processed": "2.500", "total_uncorrected_errors": 0},
    },
}
# smartctl 7.3 on a virtio disk
VIRTUAL = {
    "smartctl": {
        "version": [7, 3],
        "messages": [{"string": "/dev/vda: Unable to detect device type", "severity": "error"}],
        "exit_status": 1,
    }
}
ASLEEP = {"smartctl": {"messages": [{"string": "Device is in STANDBY mode, exit(2)", "severity": "information"}]}}


@pytest.mark.parametrize(
    ("printed", "facts"),
    [
        (NVME, {"temperature": 41, "percentage_used": 0.03, "media_errors": 0, "host_write_bytes": 1_024_000_000_000}),
        (
            ATA,
            {
                "temperature": 30,
                "percentage_used": 0.12,
                "reallocated_sectors": 8,
                "pending_sectors": 1,
                "media_errors": 2,
                "host_write_bytes": 512_000,
            },
        ),
        (OLD_ATA, {"host_write_bytes": 3 * 32 * 2**20}),
        (
            SCSI,
            {
                "temperature": 28,
                "reallocated_sectors": 4,
                "pending_sectors": 2,
                "media_errors": 1,
                "host_write_bytes": 2.5e9,
            },
        ),
        (ASLEEP, {}),
        ({**VIRTUAL, "temperature": {"current": 0}}, {"temperature": 0}),
    ],
)
def test_facts_of_each_kind_of_disk(printed: dict[str, Any], facts: dict[str, float]) -> None:
    found = facts_of(json.dumps(printed))
    assert {fact.name: fact.value for fact in found} == facts
    assert facts.keys() <= SMART.keys()
    assert "S3CR3T" not in str(found)


KEYS = [*ATA, *SCSI, *NVME, "table", "pages", "raw", "value", "id", "name", "current", "write", "messages", "smartctl"]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.sampled_from(KEYS), each),
)


@given(ANYTHING)
def test_other_json_gives_no_wrong_facts(printed: object) -> None:
    try:
        found = facts_of(json.dumps(printed))
    except ValueError:
        assert not isinstance(printed, dict)
        return
    assert all(abs(fact.value) <= 1e18 for fact in found)
    error_of(json.dumps(printed))


def recorded(root: Path, **disks: dict[str, Any]) -> Source:
    """A machine on which smartctl prints this about these disks."""
    (root / "commands").mkdir(exist_ok=True)
    for disk, printed in disks.items():
        (root / "commands" / command_name((*COMMAND, f"/dev/{disk}"))).write_text(json.dumps(printed))
    return Source(root)


def test_a_round_has_the_facts_before_and_after(tmp_path: Path) -> None:
    reader, source = SmartReader(), recorded(tmp_path, sda=NVME, sdb=SCSI)
    before = reader.read(source, {"sda", "sdb", "sdc"})
    recorded(tmp_path, sda={**NVME, "temperature": {"current": 44}}, sdb=ASLEEP)
    facts = reader.since(source, before)
    warmer = {"disk": "sda", "name": "temperature", "unit": "°C", "source": "temperature.current"}
    assert facts[0] == {**warmer, "before": 41, "after": 44}
    assert [(fact["disk"], "after" in fact) for fact in facts] == [("sda", True)] * 4 + [("sdb", False)] * 5
    sent = document()
    sent["rounds"][0]["evidence"] = RoundEvidence(smart=facts).as_json()
    assert "S3CR3T" not in str(sent)
    [stored, *_] = validate(encoded(sent)).frame.rounds
    assert stored.evidence is not None
    assert (stored.evidence.smart[0].name, stored.evidence.smart[0].after) == ("temperature", 44)


def test_a_disk_that_cannot_be_read_is_named_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    reader, source = SmartReader(), recorded(tmp_path, vda=VIRTUAL, vdb=VIRTUAL, sda=ASLEEP)
    with caplog.at_level(logging.WARNING):
        assert reader.read(source, ["vda", "vdb", "sda"]) == {}
        recorded(tmp_path, vda=NVME, sda=NVME)
        assert list(reader.read(source, ["vda", "vdb", "sda"])) == ["sda"], "a disk that slept is read again"
    assert caplog.messages == ["SMART of vda is not recorded: /dev/vda: Unable to detect device type"]
