from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.source import Source
from benchagent.inventory.storage.block import active_scheduler, device_by_name, name_of
from benchagent.inventory.storage.disks import block_devices, disk, link, transport
from benchagent.inventory.udev import parse_udev
from tests.agents.inventory.trees import recorded, unpack


def test_sata_disks(tmp_path: Path) -> None:
    devices = block_devices(recorded("raid5_sata", tmp_path))
    assert [device["name"] for device in devices] == ["sda", "sdb", "sdc", "sdd", "sde"]
    assert devices[0] == {
        "name": "sda",
        "kind": "disk",
        "vendor": None,
        "model": "ST3500641AS-RK",
        "firmware": "3.AA",
        "size": 500_107_862_016,
        "rotational": True,
        "transport": "sata",
        "link": None,
        "scheduler": "mq-deadline",
        "read_ahead": 131072,
        "nr_requests": 64,
        "queue_depth": 32,
        "write_cache": "write back",
        "logical_block_size": 512,
        "physical_block_size": 512,
    }


def test_nvme_disk(tmp_path: Path) -> None:
    (device,) = block_devices(recorded("luks_nvme", tmp_path))
    assert (device["name"], device["model"]) == ("nvme0n1", "SAMSUNG MZVLB512HAJQ-000L7")
    assert device["firmware"] == "4L2QEXA7"
    assert (device["transport"], device["rotational"], device["scheduler"]) == ("nvme", False, "none")
    assert (device["size"], device["nr_requests"], device["queue_depth"]) == (512_110_190_592, 1023, None)


def test_a_virtio_disk_does_not_know_whether_it_turns(tmp_path: Path) -> None:
    (found,) = block_devices(recorded("virtio_guest", tmp_path))
    assert (found["transport"], found["rotational"], found["vendor"], found["model"]) == ("virtio", None, None, None)


@pytest.mark.parametrize(
    ("place", "extra", "expected"),
    [
        ("pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdf", "", "usb"),
        ("pci0000:00/0000:03:00.0/host0/port-0:0/end_device-0:0/target0:0:0/0:0:0:0/block/sda", "", "sas"),
        ("pci0000:00/0000:03:00.0/host0/port-0:0/end_device-0:0/target0:0:0/0:0:0:0/block/sda", "vendor: ATA", "sata"),
        ("pci0000:00/0000:05:00.0/host7/rport-7:0-1/target7:0:0/7:0:0:0/block/sdb", "", "fc"),
        ("platform/host3/session1/target3:0:0/3:0:0:1/block/sdc", "", "iscsi"),
        ("pci0000:00/0000:02:05.0/host2/target2:2:0/2:2:0:0/block/sda", "", "scsi"),
        ("vbd-51712/block/xvda", "", "xen"),
        ("pci0000:00/mmc_host/mmc0/mmc0:0001/block/mmcblk0", "", "mmc"),
        ("pci0000:00/0000:3d:00.0/nvme/nvme0/nvme0n1", "transport: tcp", "nvme-tcp"),
        ("somewhere/block/new0", "", None),
    ],
)
def test_transport_by_the_place_in_sysfs(tmp_path: Path, place: str, extra: str, expected: str | None) -> None:
    device = f"/sys/devices/{place}"
    source = unpack(f"{device}/size: 8\n" + (f"{device}/device/{extra}\n" if extra else ""), tmp_path)
    assert transport(source, device) == expected


def test_a_queue_of_nvme_is_counted_from_zero(tmp_path: Path) -> None:
    (found, _) = block_devices(recorded("numa_two_sockets", tmp_path))
    assert (found["name"], found["queue_depth"], found["link"]) == ("nvme0n1", 128, "8.0 GT/s PCIe x4")


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("VBOX HARDDISK", None),
        ("QEMU HARDDISK", None),
        ("VMware Virtual S", None),
        ("Virtual disk", None),
        ("ST4000NM0035", True),
    ],
)
def test_what_is_below_an_emulated_disk_is_unknown(tmp_path: Path, model: str, expected: bool | None) -> None:
    device = "/sys/devices/pci/ata1/host0/block/sda"
    tree = f"{device}/device/model: {model}\n{device}/queue/rotational: 1\n"
    assert disk(unpack(tree, tmp_path), device)["rotational"] is expected


def test_an_emulated_disk_that_says_it_is_an_ssd(tmp_path: Path) -> None:
    device = "/sys/devices/pci/ata1/host0/block/sda"
    tree = f"{device}/device/model: QEMU HARDDISK\n{device}/queue/rotational: 0\n"
    assert disk(unpack(tree, tmp_path), device)["rotational"] is False, "somebody set it"


def test_udev_continues_a_model_that_scsi_cuts(tmp_path: Path) -> None:
    device = "/sys/devices/pci/ata1/host0/block/sda"
    udev = "S:disk/by-id/x\nE:ID_MODEL_ENC=Samsung\\x20SSD\\x20860\\x20EVO\\x20500GB\\x20\\x20\n"
    tree = f"{device}/device/model: Samsung SSD 860\n{device}/dev: 8:0\n/run/udev/data/b8:0:\n" + "".join(
        f"| {line}\n" for line in udev.splitlines()
    )
    assert disk(unpack(tree, tmp_path), device)["model"] == "Samsung SSD 860 EVO 500GB"


def test_udev_does_not_replace_another_model(tmp_path: Path) -> None:
    device = "/sys/devices/pci/ata1/host0/block/sda"
    tree = f"{device}/device/model: PERC H730\n{device}/dev: 8:0\n/run/udev/data/b8:0: E:ID_MODEL_ENC=Other\n"
    assert disk(unpack(tree, tmp_path), device)["model"] == "PERC H730"


@pytest.mark.parametrize("name", ["loop0", "ram0", "zram0", "sr0", "fd0", "mmcblk0boot0", "nbd3"])
def test_what_is_no_disk(tmp_path: Path, name: str) -> None:
    assert block_devices(unpack(f"/sys/block/{name}/size: 1000\n", tmp_path)) == []


def test_an_empty_card_reader_and_a_hidden_path_are_no_disks(tmp_path: Path) -> None:
    tree = "/sys/block/sdb/size: 0\n/sys/block/nvme0c0n1/size: 99\n/sys/block/nvme0c0n1/hidden: 1\n"
    assert block_devices(unpack(tree, tmp_path)) == []


def test_the_head_of_a_multipath_nvme_disk_is_a_disk(tmp_path: Path) -> None:
    head = "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1"
    tree = f"{head}/size: 1000\n/sys/block/nvme0n1 -> ../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1\n"
    assert [each["name"] for each in block_devices(unpack(tree, tmp_path))] == ["nvme0n1"]


def test_a_slash_in_a_name(tmp_path: Path) -> None:
    tree = "/sys/devices/x/block/cciss!c0d0/size: 8\n/sys/class/block/cciss!c0d0 -> ../../devices/x/block/cciss!c0d0\n"
    device = device_by_name(unpack(tree, tmp_path), "cciss/c0d0")
    assert device == "/sys/devices/x/block/cciss!c0d0"
    assert name_of(device) == "cciss/c0d0"


def test_without_sys_there_are_none(tmp_path: Path) -> None:
    assert block_devices(Source(tmp_path)) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("none [mq-deadline] kyber", "mq-deadline"),
        ("[none] mq-deadline", "none"),
        ("none", "none"),
        ("noop anticipatory deadline [cfq]", "cfq"),
        (None, None),
    ],
)
def test_scheduler(line: str | None, expected: str | None) -> None:
    assert active_scheduler(line) == expected


@given(st.dictionaries(st.text("ABC_", min_size=1), st.text("abc =1", min_size=0)))
def test_udev_properties_are_read_back(properties: dict[str, str]) -> None:
    assert parse_udev("I:1\n" + "".join(f"E:{key}={value}\n" for key, value in properties.items())) == properties


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
