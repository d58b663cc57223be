from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.inventory.machine.virtualization import container, hypervisor, virtualization
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import recorded, unpack

GUEST = "/proc/cpuinfo:\n| processor : 0\n| flags : fpu hypervisor\n"
DMI = "/sys/class/dmi/id"
CLOCKS = "/sys/devices/system/clocksource/clocksource0/available_clocksource"


class TestWithSystemd:
    def test_its_words_are_taken(self, tmp_path: Path) -> None:
        assert virtualization(recorded("virtio_guest", tmp_path)) == {"kind": "kvm", "container": "docker"}

    def test_bare_metal(self, tmp_path: Path) -> None:
        assert virtualization(recorded("raid5_sata", tmp_path)) == {"kind": "none", "container": "none"}

    def test_an_error_message_is_no_word(self, tmp_path: Path) -> None:
        source = unpack("/commands/systemd-detect-virt --vm: Failed to check for VM: denied\n" + GUEST, tmp_path)
        assert virtualization(source)["kind"] == "vm-other"


class TestWithout:
    @pytest.mark.parametrize(
        ("tree", "expected"),
        [
            (f"{GUEST}{DMI}/product_name: VirtualBox\n", "oracle"),
            (f"{GUEST}{DMI}/sys_vendor: VMware, Inc.\n", "vmware"),
            (f"{GUEST}{DMI}/product_name: KVM\n{DMI}/sys_vendor: Red Hat\n", "kvm"),
            (f"{GUEST}{DMI}/product_name: Standard PC (Q35 + ICH9, 2009)\n{DMI}/sys_vendor: QEMU\n", "qemu"),
            (f"{GUEST}{DMI}/sys_vendor: QEMU\n{CLOCKS}: kvm-clock tsc acpi_pm\n", "kvm"),
            (f"{GUEST}{DMI}/product_name: Virtual Machine\n{DMI}/sys_vendor: Microsoft Corporation\n", "microsoft"),
            (f"{GUEST}{DMI}/sys_vendor: Amazon EC2\n{DMI}/product_name: t3.micro\n", "amazon"),
            (GUEST, "vm-other"),
            ("/proc/cpuinfo:\n| processor : 0\n| flags : fpu vmx\n", "none"),
            (f"/proc/cpuinfo:\n| flags : fpu vmx\n{DMI}/sys_vendor: QEMU\n", "none"),
            ("/sys/hypervisor/type: xen\n", "xen"),
            ("/sys/hypervisor/type: xen\n/proc/xen/capabilities: control_d\n", "none"),
            ("/proc/device-tree/hypervisor/compatible: linux,kvm\n", "kvm"),
            ("/proc/device-tree/hypervisor/compatible: other\n", "vm-other"),
            (f"{DMI}/sys_vendor: Amazon EC2\n{DMI}/product_name: a1.metal\n", "none"),
            ("/proc/cpuinfo:\n| processor : 0\n| cpu : PPC970MP\n", None),
        ],
    )
    def test_hypervisor(self, tmp_path: Path, tree: str, expected: str | None) -> None:
        assert hypervisor(unpack(tree, tmp_path)) == expected

    @pytest.mark.parametrize(
        ("tree", "expected"),
        [
            ("/run/systemd/container: systemd-nspawn\n", "systemd-nspawn"),
            ("/.dockerenv:\n", "docker"),
            ("/run/.containerenv:\n", "podman"),
            ("/proc/sys/kernel/osrelease: 5.15.153.1-microsoft-standard-WSL2\n", "wsl"),
            ("/proc/1/cgroup: 4:memory:/docker/0123\n", "docker"),
            ("/proc/1/cgroup: 0::/kubepods/burstable/pod1\n", "kubernetes"),
            ("/proc/1/cgroup: 0::/init.scope\n", "none"),
        ],
    )
    def test_container(self, tmp_path: Path, tree: str, expected: str) -> None:
        assert container(unpack(tree, tmp_path)) == expected

    def test_nothing_at_all(self, tmp_path: Path) -> None:
        assert virtualization(Source(tmp_path)) == {"kind": None, "container": "none"}


@pytest.mark.needs("systemd-detect-virt", package="systemd")
def test_this_machine_agrees_with_systemd() -> None:
    said = (Source().output("systemd-detect-virt", "--vm", accept=(0, 1)) or "").strip()
    found = hypervisor(Source())
    # Without CPUID the traces may not name the hypervisor, but they must not name another one.
    assert found in (said, "vm-other", None) or {found, said} <= {"kvm", "qemu", "amazon", "google"}
