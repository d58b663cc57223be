"""Collects the private names of this machine: host names, users and their homes, MAC addresses, serial numbers."""

from __future__ import annotations

import os
import pwd
import re

from benchagent.inventory.facts import clean
from benchagent.inventory.source import Source
from benchagent.inventory.udev import udev_properties

from .scrub import Scrubber

FIRST_PERSON, NOBODY = 1000, 65534  # on current distributions, the user ids between them belong to people
UDEV_SERIALS = ("ID_SERIAL_SHORT", "ID_SCSI_SERIAL", "ID_WWN", "ID_WWN_WITH_EXTENSION", "DM_SERIAL")


def scrubber(source: Source) -> Scrubber:
    """A scrubber for all private names of this machine or of the recorded tree."""
    users, homes = people(source)
    return Scrubber(
        hosts=host_names(source),
        users=users,
        homes=homes,
        mac_addresses=mac_addresses(source),
        serials=serial_numbers(source),
    )


def host_names(source: Source) -> set[str]:
    """The host name, short and with every possible domain.

    There is no query to a name server, which could take long.
    """
    configured = {source.line("/proc/sys/kernel/hostname"), source.line("/etc/hostname")}
    names = {name for name in configured if name}
    names |= {name.partition(".")[0] for name in names}
    for line in (source.text("/etc/hosts") or "").splitlines():
        aliases = set(line.partition("#")[0].split()[1:])
        if aliases & names:
            names |= {alias for alias in aliases if not alias.startswith(("localhost", "ip6-"))}
    domains = re.findall(r"^(?:search|domain)\s+(.+)$", source.text("/etc/resolv.conf") or "", re.MULTILINE)
    short = {name for name in names if "." not in name}
    return names | {f"{name}.{domain.strip('.')}" for name in short for line in domains for domain in line.split()}


def people(source: Source) -> tuple[set[str], set[str]]:
    """User names and home directories of people: those of the passwd file, and the current user from any directory."""
    users, homes = parse_passwd(source.text("/etc/passwd") or "")
    if source.live:
        users |= {os.environ[name] for name in ("USER", "LOGNAME", "SUDO_USER") if os.environ.get(name)}
        try:
            entry = pwd.getpwuid(int(os.environ.get("SUDO_UID", os.getuid())))
        except (KeyError, ValueError):
            return users, homes  # a container may run as a user id without a name
        users.add(entry.pw_name)
        homes |= {entry.pw_dir} if _is_private(entry.pw_dir) else set()
    return users, homes


def parse_passwd(text: str) -> tuple[set[str], set[str]]:
    """Names, full names and home directories of the people among the users."""
    users, homes = set(), set()
    for line in text.splitlines():
        fields = line.split(":")
        if len(fields) >= 6 and fields[2].isdecimal() and FIRST_PERSON <= int(fields[2]) < NOBODY:
            users.add(fields[0])
            full_name = fields[4].partition(",")[0]
            if len(full_name.split()) > 1:  # a single word is rarely a name: `Ubuntu`
                users.add(full_name)
            if _is_private(fields[5]):
                homes.add(fields[5])
    return users, homes


def mac_addresses(source: Source) -> set[str]:
    """The addresses of all network interfaces, including InfiniBand's longer ones, without zeros of the loopback."""
    addresses = (source.line(f"/sys/class/net/{name}/address") for name in source.names("/sys/class/net"))
    return {address for address in addresses if address and len(address) >= 17 and address.strip("0:f")}


def serial_numbers(source: Source) -> set[str]:
    """Serial numbers and world-wide names of all disks, and the machine's own id (in paths of systemd-boot)."""
    serials = {source.line("/etc/machine-id")}
    for name in source.names("/sys/block"):
        device = source.resolve(f"/sys/block/{name}")
        serials |= {source.line(f"{device}/{file}") for file in ("serial", "device/serial", "device/cid")}
        # The SCSI page with the serial number begins with a header of four bytes.
        serials.add(clean((source.text(f"{device}/device/vpd_pg80") or "")[4:]))
        for file in ("wwid", "device/wwid"):
            serials |= _world_wide_names(source.line(f"{device}/{file}"))
        properties = udev_properties(source, device)
        serials |= {properties.get(key) for key in UDEV_SERIALS}
    return {serial for serial in serials if serial}


def _world_wide_names(wwid: str | None) -> set[str | None]:
    """The forms of a world-wide name.

    `naa.5000c500a1b2c3d4` is also written `0x5000c500a1b2c3d4`; `t10.ATA MODEL SERIAL` ends with the serial number.
    """
    if wwid is None:
        return set()
    kind, _, number = wwid.partition(".")
    if kind == "t10":
        return {number.split()[-1] if number.split() else None}
    return {wwid, number, f"0x{number}"} if number else {wwid}


def _is_private(home: str) -> bool:
    """Whether a home directory identifies a person; `/`, `/root` and `/nonexistent` do not."""
    return home.count("/") >= 2
