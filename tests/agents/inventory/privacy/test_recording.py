"""A recorded tree gives the same facts as the machine, and contains nothing private."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchagent.config import open_source
from benchagent.inventory import Source
from benchagent.inventory.privacy.private_names import host_names, mac_addresses, serial_numbers
from benchagent.inventory.privacy.recording import Anonymous, record
from benchagent.inventory.source import command_name
from tests.agents.inventory.machines import MACHINES, facts
from tests.agents.inventory.trees import recorded, unpack

PRIVATE = {
    "luks_nvme": ["wanda", "S3TNNX0K123456", "9f8e7d6c", "4c1f0b6f2d3e4a5b", "d4:6d:6d", "7b1f9a52", "example.org"],
    "raid6_hba": ["600d023100069e3", "7d2e4c1a", "raid-a", "4205A9B", "0f6b2f8e"],
    "nfs_client": ["filer07", "192.0.2.17", "export", "0F0A1B2", "SERIALSDA"],
    "zfs_raidz2": ["1234567890123456789", "somebody"],
    "raid5_sata": ["5QG0EF56", "3c5d8b1a"],
    "btrfs_raid1": ["9a8b7c6d-5e4f", "0000000000-0:0", "SERIALSDB"],
}


def content(directory: Path) -> str:
    """All names and texts of a tree."""
    texts = [path.read_text(encoding="utf-8") for path in directory.rglob("*") if path.is_file()]
    return "\n".join([*texts, *(str(path) for path in directory.rglob("*"))])


def public(everything: dict[str, Any]) -> dict[str, Any]:
    """The facts without those that contain a name, because the recorded tree has another one."""
    everything["environment"]["kernel"].pop("command_line")
    for entry in everything["targets"].values():
        entry["target"]["mount"].pop("point")
        for layer in entry["target"]["stack"]:
            if layer["kind"] == "network":
                layer["facts"] = sorted(layer["facts"])
    return everything


@pytest.mark.parametrize("name", MACHINES)
def test_a_recording_tells_the_same(name: str, tmp_path: Path) -> None:
    paths = MACHINES[name]
    source = recorded(name, tmp_path / "machine")
    names = record(source, paths, tmp_path / "recording")
    again = facts(open_source(tmp_path / "recording"), list(names.values()))
    first = public(facts(source, paths))
    assert public(again)["environment"] == first["environment"]
    assert list(again["targets"].values()) == list(first["targets"].values())


@pytest.mark.parametrize(("name", "secrets"), PRIVATE.items())
def test_nothing_private_is_recorded(name: str, secrets: list[str], tmp_path: Path) -> None:
    source = recorded(name, tmp_path / "machine")
    assert [secret for secret in secrets if secret not in content(tmp_path / "machine")] == [], "they are there to find"
    record(source, MACHINES[name], tmp_path / "recording")
    told = content(tmp_path / "recording")
    assert [secret for secret in secrets if secret in told] == []


def test_this_machine(tmp_path: Path) -> None:
    source, path = Source(), str(tmp_path)
    names = record(source, [path], tmp_path / "recording")
    again = facts(open_source(tmp_path / "recording"), list(names.values()))
    first = public(facts(source, [path]))
    assert public(again)["environment"] == first["environment"]
    assert [entry["target"] for entry in again["targets"].values()] == [first["targets"][path]["target"]]
    told = content(tmp_path / "recording")
    # A short name like vm is part of many words.
    distinctive = [
        name for name in host_names(source) | mac_addresses(source) | serial_numbers(source) if len(name) > 6
    ]
    assert [name for name in distinctive if name in told] == []


def test_names_and_serial_numbers_are_told_apart(tmp_path: Path) -> None:
    disks = "".join(
        f"/sys/devices/pci/ata{n}/host{n}/block/sd{letter}/size: 8\n"
        f"/sys/devices/pci/ata{n}/host{n}/block/sd{letter}/serial: WD-WCC4E{n}XYZ\n"
        f"/sys/block/sd{letter} -> ../devices/pci/ata{n}/host{n}/block/sd{letter}\n"
        for n, letter in ((1, "a"), (2, "b"))
    )
    anonymous = Anonymous(unpack(disks, tmp_path))
    one, other = anonymous.text("WD-WCC4E1XYZ"), anonymous.text("WD-WCC4E2XYZ")
    assert {one, other} == {"serial-1", "serial-2"}
    assert anonymous.text("WD-WCC4E1XYZ and WD-WCC4E2XYZ") == f"{one} and {other}"
    assert anonymous.text("/dev/disk/by-id/ata-X_1") == anonymous.text("/dev/disk/by-id/ata-X_1")
    assert anonymous.text("/dev/disk/by-id/ata-X_1") != anonymous.text("/dev/disk/by-id/ata-X_2")


def test_a_uuid_is_the_same_wherever_it_stands(tmp_path: Path) -> None:
    anonymous = Anonymous(Source(tmp_path))
    uuid = "9A8B7C6D-5e4f-4a3b-9c2d-1e0f9a8b7c6d"
    path = anonymous.name(f"/sys/fs/btrfs/{uuid.lower()}/devices")
    assert path == "/sys/fs/btrfs/00000000-0000-4000-8000-000000000001/devices"
    assert anonymous.text(f"UUID={uuid}") == "UUID=00000000-0000-4000-8000-000000000001"
    assert anonymous.name("/commands/" + command_name(["x", uuid])) == "/commands/" + command_name(
        ["x", "00000000-0000-4000-8000-000000000001"]
    )


def test_other_mounts_stay_out(tmp_path: Path) -> None:
    table = "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n21 20 0:60 / /mnt/secret rw - nfs4 filer:/project rw\n"
    kept = Anonymous(Source(tmp_path)).file("/proc/self/mountinfo", table, ["/srv"])
    assert kept == "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"


def test_it_makes_one_file(tmp_path: Path) -> None:
    """File names may contain any characters of a command; tar stores and restores them."""
    record(recorded("raid6_hba", tmp_path / "machine"), ["/raid/b"], tmp_path / "recording")
    archive = tmp_path / "machine.tar.gz"
    subprocess.run(["tar", "-czf", archive, "-C", tmp_path / "recording", "."], check=True)
    (tmp_path / "again").mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path / "again"], check=True)
    told = [json.dumps(facts(open_source(tmp_path / name), ["/raid/b"])) for name in ("recording", "again")]
    assert told[0] == told[1]
