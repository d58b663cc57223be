"""Disks: the devices at the bottom of every stack, as far as this machine can see.

sysfs knows vendor, model and firmware as the kernel asked for them; SCSI cuts a model after 16 characters, so udev's
database, which keeps the whole one, is read where it continues it.
"""

from __future__ import annotations

import posixpath
import re

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source
from benchagent.inventory.udev import udev_properties

from .block import name_of, size_of, tunables
from .links import link

# First match decides: an ATA disk behind a SAS adapter has both, and the more special one first.
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
    ("scsi", r"/host\d+/"),
)
# What hypervisors call the disks that they emulate.
EMULATED = re.compile(r"VBOX HARDDISK|QEMU (HARDDISK|NVMe Ctrl)|(VMware )?Virtual [Dd]isk|VMware Virtual .*")
# In these a disk is what the hypervisor says; the kernel's default for them is "rotational", which tells nothing.
PARAVIRTUAL = ("virtio", "xen", "hyperv")
NOT_DISKS = re.compile(r"(sr|fd|loop|ram|zram|nbd|mtdblock)\d+|mmcblk\d+(boot\d+|rpmb)")


def block_devices(source: Source) -> list[Facts]:
    """All disks of the machine. Loop devices and volumes come and go with the tests; the target's stack has them."""
    found = []
    for name in source.names("/sys/block"):
        device = source.resolve(f"/sys/block/{name}")
        if _is_disk(source, device):
            found.append(disk(source, device))
    return found


def disk(source: Source, device: str) -> Facts:
    """One disk in the shape of `environment.block_devices`."""
    found = transport(source, device)
    vendor, model = source.line(f"{device}/device/vendor"), _model(source, device)
    if vendor is not None and (vendor == "ATA" or vendor.startswith("0x")):
        vendor = None  # SCSI's word for "an ATA disk", and PCI's number of virtio
    return {
        "name": name_of(device),
        "kind": "disk",
        "vendor": vendor,
        "model": model,
        "firmware": _first_line(source, device, ("firmware_rev", "rev", "fwrev")),  # NVMe, SCSI, MMC
        "size": size_of(source, device),
        "rotational": _rotational(source, device, found, model),
        "transport": found,
        "link": link(source, device, found),
        **tunables(source, device),
        "queue_depth": _queue_depth(source, device),
        "write_cache": source.line(f"{device}/queue/write_cache"),
        "logical_block_size": source.integer(f"{device}/queue/logical_block_size"),
        "physical_block_size": source.integer(f"{device}/queue/physical_block_size"),
    }


def transport(source: Source, device: str) -> str | None:
    """How the disk is attached, by its place in sysfs: nvme, sata, sas, virtio, usb, …"""
    if name_of(device).startswith("nvme"):
        link = source.line(f"{device}/device/transport")
        return "nvme" if link in (None, "pcie") else f"nvme-{link}"
    found = next((name for name, pattern in TRANSPORTS if re.search(pattern, device)), None)
    if found == "sas" and source.line(f"{device}/device/vendor") == "ATA":
        return "sata"
    return found


def _model(source: Source, device: str) -> str | None:
    short = _first_line(source, device, ("model", "name"))
    encoded = udev_properties(source, device).get("ID_MODEL_ENC", "")
    whole = clean(re.sub(r"\\x([0-9a-f]{2})", lambda match: chr(int(match[1], 16)), encoded))
    return whole if whole and (short is None or whole.startswith(short)) else short


def _first_line(source: Source, device: str, files: tuple[str, ...]) -> str | None:
    lines = (source.line(f"{device}/device/{file}") for file in files)
    return next((line for line in lines if line is not None), None)


def _rotational(source: Source, device: str, attached: str | None, model: str | None) -> bool | None:
    """None also where a hypervisor leaves the default: what is below it may be anything."""
    value = source.integer(f"{device}/queue/rotational")
    if value is None or (value == 1 and (attached in PARAVIRTUAL or EMULATED.fullmatch(model or ""))):
        return None
    return value == 1


def _queue_depth(source: Source, device: str) -> int | None:
    """How many commands the disk takes at once: SCSI's own number, or the last place in a queue of NVMe, from 0."""
    depth, last = source.integer(f"{device}/device/queue_depth"), source.integer(f"{device}/device/sqsize")
    return last + 1 if depth is None and last is not None else depth


def _is_disk(source: Source, device: str) -> bool:
    """Virtual devices are no disks, except the head under which NVMe shows a disk that has several paths."""
    name = posixpath.basename(device)
    if NOT_DISKS.fullmatch(name) or source.integer(f"{device}/hidden") == 1 or not size_of(source, device):
        return False
    return "/virtual/" not in device or "/nvme-subsystem/" in device
