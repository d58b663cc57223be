"""The hypervisor and the container around the agent.

systemd-detect-virt is the best source, because it can execute CPUID. If it is missing, /sys and /proc have most of the
facts.
The names are systemd's: kvm, qemu, vmware, oracle, microsoft, xen, …; docker, podman, lxc, systemd-nspawn, wsl, …
"""

from __future__ import annotations

import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from .cpu import parse_cpuinfo

DETECT = "systemd-detect-virt"
NONE_STATUS = 1  # exit status of systemd-detect-virt if it prints "none"
# Texts in the firmware's fields; the first one that a field contains decides.
FIRMWARE = (
    ("KVM", "kvm"),
    ("OpenStack", "kvm"),
    ("VirtualBox", "oracle"),
    ("innotek", "oracle"),
    ("VMware", "vmware"),
    ("VMW", "vmware"),
    ("Virtual Machine", "microsoft"),
    ("Xen", "xen"),
    ("HVM domU", "xen"),
    ("Bochs", "bochs"),
    ("Parallels", "parallels"),
    ("BHYVE", "bhyve"),
    ("QEMU", "qemu"),
    ("Standard PC", "qemu"),
    ("Amazon EC2", "amazon"),
    ("Google Compute Engine", "google"),
)
CLOCKS = {"kvm-clock": "kvm", "hyperv_clocksource_tsc_page": "microsoft", "xen": "xen"}
CONTAINER_GROUP = re.compile(r"/(docker|lxc|kubepods|podman|libpod)\b")


def virtualization(source: Source) -> Facts:
    """`{kind, container}`; each is `none` if there is none, and None if unknown."""
    return {
        "kind": source_word(source, "--vm") or hypervisor(source),
        "container": source_word(source, "--container") or container(source),
    }


def source_word(source: Source, option: str) -> str | None:
    """The word that systemd-detect-virt prints; None if there is none."""
    word = (source.output(DETECT, option, accept=(0, NONE_STATUS)) or "").strip()
    return word if re.fullmatch(r"[a-z0-9][a-z0-9_-]*", word) else None


def hypervisor(source: Source) -> str | None:
    """The hypervisor by its traces in /sys and /proc; `vm-other` if only its presence is certain."""
    if source.line("/sys/hypervisor/type") == "xen":
        in_control = "control_d" in (source.text("/proc/xen/capabilities") or "")
        return "none" if in_control else "xen"
    blocks = parse_cpuinfo(source.text("/proc/cpuinfo") or "")
    flags = next((block["flags"] for block in blocks if "flags" in block), None)
    if flags is not None and "hypervisor" not in flags.split():
        return "none"  # x86 sets the flag in every guest
    clocks = source.line("/sys/devices/system/clocksource/clocksource0/available_clocksource") or ""
    for clock, kind in CLOCKS.items():
        if clock in clocks.split():
            return kind
    if (source.line("/sys/class/dmi/id/product_name") or "").endswith(".metal"):
        return "none"  # Amazon's machines without a hypervisor also have the vendor "Amazon EC2"
    for field in ("product_name", "sys_vendor", "board_vendor", "bios_vendor"):
        text = source.line(f"/sys/class/dmi/id/{field}") or ""
        for mark, kind in FIRMWARE:
            if mark in text:
                return kind
    if "linux,kvm" in (source.text("/proc/device-tree/hypervisor/compatible") or ""):
        return "kvm"
    if source.exists("/proc/device-tree/hypervisor"):
        return "vm-other"
    return "vm-other" if flags is not None else None


def container(source: Source) -> str:
    """The container manager by its files; `none` if there are none."""
    declared = source.line("/run/systemd/container")
    if declared:
        return declared
    if source.exists("/.dockerenv"):
        return "docker"
    if source.exists("/run/.containerenv"):
        return "podman"
    if re.search("microsoft|WSL", source.text("/proc/sys/kernel/osrelease") or ""):
        return "wsl"
    group = CONTAINER_GROUP.search(source.text("/proc/1/cgroup") or "")
    return "none" if group is None else {"kubepods": "kubernetes", "libpod": "podman"}.get(group[1], group[1])
