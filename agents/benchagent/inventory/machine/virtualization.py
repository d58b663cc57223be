"""Under which hypervisor, in which container.

systemd-detect-virt knows both best, because it may execute CPUID; where it is missing, /sys and /proc tell most of it.
The names are systemd's: kvm, qemu, vmware, oracle, microsoft, xen, …; docker, podman, lxc, systemd-nspawn, wsl, …
"""

from __future__ import annotations

import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from .cpu import parse_cpuinfo

DETECT = "systemd-detect-virt"
NONE_STATUS = 1  # systemd-detect-virt prints "none" and exits so
# What firmware calls itself; the first mark that a field contains decides.
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
    """`{kind, container}`; each `none` where there is none, None where nothing tells."""
    return {
        "kind": source_word(source, "--vm") or hypervisor(source),
        "container": source_word(source, "--container") or container(source),
    }


def source_word(source: Source, option: str) -> str | None:
    """systemd-detect-virt's one word."""
    word = (source.output(DETECT, option, accept=(0, NONE_STATUS)) or "").strip()
    return word if re.fullmatch(r"[a-z0-9][a-z0-9_-]*", word) else None


def hypervisor(source: Source) -> str | None:
    """The hypervisor by the traces it leaves in /sys and /proc; `vm-other` where only its presence is certain."""
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
        return "none"  # Amazon's machines without a hypervisor, whose vendor is "Amazon EC2" all the same
    for field in ("product_name", "sys_vendor", "board_vendor", "bios_vendor"):
        said = source.line(f"/sys/class/dmi/id/{field}") or ""
        for mark, kind in FIRMWARE:
            if mark in said:
                return kind
    if "linux,kvm" in (source.text("/proc/device-tree/hypervisor/compatible") or ""):
        return "kvm"
    if source.exists("/proc/device-tree/hypervisor"):
        return "vm-other"
    return "vm-other" if flags is not None else None


def container(source: Source) -> str:
    """The container manager by the files it leaves; `none` where there are no traces."""
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
    if group is None:
        return "none"
    return {"kubepods": "kubernetes", "libpod": "podman"}.get(group[1], group[1])
