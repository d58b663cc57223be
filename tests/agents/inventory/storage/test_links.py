from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.inventory.source import Source
from benchagent.inventory.storage.disks import link
from tests.agents.inventory.trees import unpack

PCI = "/sys/devices/pci0000:00/0000:00:1f.2"


@pytest.mark.parametrize(
    ("transport", "device", "file", "expected"),
    [
        ("sata", "ata1/host0/x/block/sda", "ata1/link1/ata_link/link1/sata_spd: 3.0 Gbps", "3.0 Gbps"),
        ("sata", "ata1/host0/x/block/sda", "ata1/link1/ata_link/link1/sata_spd: <unknown>", None),
        (
            "sas",
            "host0/port-0:1/end_device-0:1/x/block/sda",
            "host0/port-0:1/phy-0:1/sas_phy/phy-0:1/negotiated_linkrate: 12.0 Gbit",
            "12.0 Gbit",
        ),
        (
            "sata",
            "host0/port-0:1/end_device-0:1/x/block/sda",
            "host0/port-0:1/phy-0:1/sas_phy/phy-0:1/negotiated_linkrate: 6.0 Gbit",
            "6.0 Gbit",
        ),
        ("fc", "host7/rport-7:0-1/x/block/sdb", "host7/fc_host/host7/speed: 16 Gbit", "16 Gbit"),
        ("fc", "host7/rport-7:0-1/x/block/sdb", "host7/fc_host/host7/speed: Unknown", None),
        ("usb", "usb2/2-1/2-1.3/2-1.3:1.0/host6/x/block/sdf", "usb2/2-1/2-1.3/speed: 480", "480 Mbit/s"),
        ("virtio", "virtio1/block/vda", "virtio1/speed: 1", None),
        (None, "x/block/new0", "speed: 1", None),
    ],
)
def test_negotiated_speed(tmp_path: Path, transport: str | None, device: str, file: str, expected: str | None) -> None:
    assert link(unpack(f"{PCI}/{file}\n", tmp_path), f"{PCI}/{device}", transport) == expected


def test_nvme(tmp_path: Path) -> None:
    device = f"{PCI}/nvme/nvme0/nvme0n1"
    tree = f"{PCI}/current_link_speed: 16.0 GT/s PCIe\n{PCI}/current_link_width: 4\n"
    tree += f"{device}/size: 8\n{device}/device -> ..\n{PCI}/nvme/nvme0/device -> ../..\n"
    assert link(unpack(tree, tmp_path), device, "nvme") == "16.0 GT/s PCIe x4"


@pytest.mark.parametrize("transport", ["sata", "sas", "nvme", "fc", "usb", "virtio", None])
def test_where_nothing_tells_it_is_unknown(tmp_path: Path, transport: str | None) -> None:
    assert link(Source(tmp_path), "/sys/devices/somewhere/block/sda", transport) is None
