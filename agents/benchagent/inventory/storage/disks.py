"""Disks: the devices at the bottom of every stack that this machine can see.

sysfs has vendor, model and firmware as the kernel read them. SCSI truncates a model after 16 characters; the whole
model comes from udev's database if it continues the truncated one.
"""

from __future__ import annotations

import posixpath
import re

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source
from benchagent.inventory.udev import udev_properties

from .block import SECTOR, active_scheduler, name_of, size_of, tunables

# The first match decides: the path of an ATA disk behind a SAS adapter matches both, and the more specific one is
# first.
TRANSPORTS = (
    ("usb", r"/usb\d+/"),
    ("iscsi", r"/session\d+/"),
    ("fc", r"/rport-"),
    ("sas", r"/end_device-"),
    ("sata", r"/ata\d+/"),
    ("virtio", r"/virtio\d+/"),
    ("xen", r"/vbd-"),
    ("hyperv", r"/vmbus|/VMBUS"),
    ("mmc", r"/mmc\d+:"),
    ("nvdimm", r"/ndbus\d+/"),
    ("scsi", r"/host\d+/"),
)
# Models of disks that hypervisors emulate.
EMULATED = re.compile(r"VBOX HARDDISK|QEMU (HARDDISK|NVMe Ctrl)|(VMware )?Virtual [Dd]isk|VMware Virtual .*")
# For these transports, the kernel's default is "rotational", which says nothing about the disk of the hypervisor.
PARAVIRTUAL = ("virtio", "xen", "hyperv")
# Memory with a driver of its own: the kind of the layer by the beginning of the device's name.
MEMORY = {"zram": "zram", "ram": "ramdisk", "pmem": "pmem"}
# Modes of a namespace of persistent memory, by the kernel's names for them.
PMEM_MODES = {"memory": "fsdax", "safe": "sector", "raw": "raw"}
NOT_DISKS = re.compile(r"(sr|fd|loop|ram|zram|nbd|mtdblock)\d+|mmcblk\d+(boot\d+|rpmb)")


def block_devices(source: Source) -> list[Facts]:
    """All disks of the machine. Loop devices and volumes, which tests create, are in the target's stack only."""
    disks = []
    for name in source.names("/sys/block"):
        device = source.resolve(f"/sys/block/{name}")
        if is_disk(source, device):
            disks.append(disk(source, device))
    return disks


def disk(source: Source, device: str) -> Facts:
    """One disk in the shape of `environment.block_devices`."""
    attached = transport(source, device)
    vendor, model = source.line(f"{device}/device/vendor"), _model(source, device)
    if vendor is not None and (vendor == "ATA" or vendor.startswith("0x")):
        vendor = None  # SCSI's word for "an ATA disk", and PCI's number of virtio
    return {
        "name": name_of(device),
        "kind": kind_of(device),
        "vendor": vendor,
        "model": model,
        "firmware": _first_line(source, device, ("firmware_rev", "rev", "fwrev")),  # NVMe, SCSI, MMC
        "size": size_of(source, device),
        "rotational": _rotational(source, device, attached, model),
        "transport": attached,
        "link": link(source, device, attached),
        **tunables(source, device),
        "queue_depth": _queue_depth(source, device),
        "write_cache": source.line(f"{device}/queue/write_cache"),
        "logical_block_size": source.integer(f"{device}/queue/logical_block_size"),
        "physical_block_size": source.integer(f"{device}/queue/physical_block_size"),
        **_zones(source, device),
    }


def kind_of(device: str) -> str:
    """`zram`, `ramdisk` or `pmem` for memory, `disk` for all other devices at the bottom of a stack."""
    driver = re.match(r"(zram|ram|pmem)\d", name_of(device))
    return MEMORY[driver[1]] if driver else "disk"


def memory_settings(source: Source, device: str) -> Facts:
    """The compression of a zram, the mode of persistent memory and whether it is mapped (DAX); nothing for others."""
    kind = kind_of(device)
    if kind == "zram":
        return {"compression": active_scheduler(source.line(f"{device}/comp_algorithm"))}
    if kind != "pmem":
        return {}
    parent = device.partition("/block/")[0]  # the namespace, or what a pfn or btt device makes of one
    namespace = source.line(f"{parent}/namespace") or posixpath.basename(parent)
    mode, dax = source.line(f"{posixpath.dirname(parent)}/{namespace}/mode"), source.integer(f"{device}/queue/dax")
    return {"mode": PMEM_MODES.get(mode or "", mode), "dax": None if dax is None else dax == 1}


def _zones(source: Source, device: str) -> Facts:
    """The model of a zoned disk (`host-managed`, `host-aware`) and the size of its zones; nothing for other disks."""
    model, sectors = (source.line(f"{device}/queue/{name}") for name in ("zoned", "chunk_sectors"))
    if model in (None, "none"):
        return {}
    return {"zoned": model, "zone_size": int(sectors) * SECTOR if sectors and sectors.isdecimal() else None}


def transport(source: Source, device: str) -> str | None:
    """How the disk is attached, by its place in sysfs: nvme, sata, sas, virtio, usb, …"""
    if name_of(device).startswith("nvme"):
        link = source.line(f"{device}/device/transport")
        return "nvme" if link in (None, "pcie") else f"nvme-{link}"
    name = next((name for name, pattern in TRANSPORTS if re.search(pattern, device)), None)
    return "sata" if name == "sas" and source.line(f"{device}/device/vendor") == "ATA" else name


def _model(source: Source, device: str) -> str | None:
    short = _first_line(source, device, ("model", "name"))
    encoded = udev_properties(source, device).get("ID_MODEL_ENC", "")
    whole = clean(re.sub(r"\\x([0-9a-f]{2})", lambda match: chr(int(match[1], 16)), encoded))
    return whole if whole and (short is None or whole.startswith(short)) else short


def _first_line(source: Source, device: str, files: tuple[str, ...]) -> str | None:
    lines = (source.line(f"{device}/device/{file}") for file in files)
    return next((line for line in lines if line is not None), None)


def _rotational(source: Source, device: str, attached: str | None, model: str | None) -> bool | None:
    """Whether the disk rotates; None if unknown, and for the default of a hypervisor."""
    value = source.integer(f"{device}/queue/rotational")
    if value is None or (value == 1 and (attached in PARAVIRTUAL or EMULATED.fullmatch(model or ""))):
        return None
    return value == 1


def _queue_depth(source: Source, device: str) -> int | None:
    """Number of simultaneous commands: the depth of SCSI, or the last index, from 0, in a queue of NVMe plus one."""
    depth, last = source.integer(f"{device}/device/queue_depth"), source.integer(f"{device}/device/sqsize")
    return last + 1 if depth is None and last is not None else depth


def is_disk(source: Source, device: str) -> bool:
    """Whether the device is a disk. Virtual devices are not, except the head of an NVMe disk with several paths."""
    name = posixpath.basename(device)
    if NOT_DISKS.fullmatch(name) or source.integer(f"{device}/hidden") == 1 or not size_of(source, device):
        return False
    return "/virtual/" not in device or "/nvme-subsystem/" in device


def link(source: Source, device: str, transport: str | None) -> str | None:
    """The negotiated link speed of a disk (sysfs directory); None if the transport does not show it."""
    if transport in ("sata", "sas"):
        return _ata(source, device) or _sas(source, device)
    if transport == "nvme":
        speed, width = (source.line(f"{device}/device/device/current_link_{what}") for what in ("speed", "width"))
        return f"{speed} x{width}" if speed and width and "nknown" not in speed else None
    if transport == "fc":
        host = re.match(r"(.*/(host\d+))/rport-", device)
        return _unless_unknown(source.line(f"{host[1]}/fc_host/{host[2]}/speed")) if host else None
    if transport == "usb":
        port = re.match(r"(.*/usb\d+(?:/\d+-[\d.]+)+)/", device)
        megabits = source.line(f"{port[1]}/speed") if port else None
        return f"{megabits} Mbit/s" if megabits else None
    return None


def _ata(source: Source, device: str) -> str | None:
    port = re.match(r"(.*/ata(\d+))/", device)
    return _unless_unknown(source.line(f"{port[1]}/link{port[2]}/ata_link/link{port[2]}/sata_spd")) if port else None


def _sas(source: Source, device: str) -> str | None:
    """The speed of the port's first lane; all lanes of a wide port have the same rate."""
    port = re.match(r"(.*/port-[\d:]+)/end_device-", device)
    lane = next((name for name in source.names(port[1]) if name.startswith("phy-")), None) if port else None
    return (
        _unless_unknown(source.line(f"{port[1]}/{lane}/sas_phy/{lane}/negotiated_linkrate")) if port and lane else None
    )


def _unless_unknown(text: str | None) -> str | None:
    return None if text is None or "nknown" in text else text
