"""The negotiated link speed of a disk: `6.0 Gbps`, `8.0 GT/s PCIe x4`, `16 Gbit`."""

from __future__ import annotations

import re

from benchagent.inventory.source import Source


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
