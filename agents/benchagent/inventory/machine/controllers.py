"""Storage controllers on the PCI bus. Their cache cannot be detected; the owner declares it."""

from __future__ import annotations

import posixpath
import re
import shlex

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source

PCI = "/sys/bus/pci/devices"
# PCI classes: mass storage (two more digits distinguish SCSI, IDE, RAID, SATA, SAS, NVMe), and Fibre Channel adapters.
CLASSES = ("0x01", "0x0c04")
# Files in which drivers show the firmware version of a controller: mpt3sas, hpsa, qla2xxx, lpfc, aacraid, megaraid_sas.
FIRMWARE = ("version_fw", "firmware_revision", "fw_version", "fwrev", "hba_monitor_version", "fw_ver")


def controllers(source: Source) -> list[Facts]:
    """`[{name, model, driver, firmware, cache, cache_mode}]`, named by PCI address."""
    names = sorted(source.names(PCI))  # as text, because addresses are hexadecimal
    addresses = [name for name in names if (source.line(f"{PCI}/{name}/class") or "").startswith(CLASSES)]
    models = parse_lspci(source.output("lspci", "-D", "-mm") or "") if addresses else {}
    return [
        {
            "name": name,
            "model": models.get(name) or _numbers(source, name),
            "driver": _driver(source, name),
            "firmware": _firmware(source, name),
            "cache": None,
            "cache_mode": None,
        }
        for name in addresses
    ]


def parse_lspci(text: str) -> dict[str, str]:
    """`lspci -D -mm`: address to `Vendor Device`. Lines are quoted like a shell's: address, class, vendor, device, …"""
    models: dict[str, str] = {}
    for line in text.splitlines():
        try:
            fields = shlex.split(line)
        except ValueError:
            continue
        if len(fields) >= 4:
            models[fields[0]] = clean(f"{fields[2]} {fields[3]}") or ""
    return models


def _numbers(source: Source, name: str) -> str | None:
    """Vendor and device as PCI numbers (`8086:2922`), which any pci.ids resolves."""
    numbers = [source.line(f"{PCI}/{name}/{file}") for file in ("vendor", "device")]
    return ":".join(number.removeprefix("0x") for number in numbers if number) if None not in numbers else None


def _driver(source: Source, name: str) -> str | None:
    link = f"{PCI}/{name}/driver"
    return posixpath.basename(source.resolve(link)) if source.exists(link) else None


def _firmware(source: Source, name: str) -> str | None:
    """The firmware version that the driver shows at the SCSI host or the NVMe controller."""
    device = source.resolve(f"{PCI}/{name}")
    hosts = [name for name in source.names(device) if re.fullmatch(r"host\d+", name)]
    paths = [f"{device}/{host}/scsi_host/{host}/{file}" for host in hosts for file in FIRMWARE]
    paths += [f"{device}/nvme/{name}/firmware_rev" for name in source.names(f"{device}/nvme")]
    return next(filter(None, map(source.line, paths)), None)
