from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.machine.cpu import cpu, parse_cpu_list, parse_cpuinfo, parse_lscpu, parse_size
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import recorded, unpack

G5 = """/proc/cpuinfo:
| processor	: 0
| cpu		: PPC970MP, altivec supported
| clock		: 2000.000000MHz
| revision	: 1.1 (pvr 0044 0101)
|
| processor	: 1
| cpu		: PPC970MP, altivec supported
| clock		: 2000.000000MHz
| revision	: 1.1 (pvr 0044 0101)
|
| timebase	: 33333333
| platform	: PowerMac
| model		: PowerMac11,2
| machine	: PowerMac11,2
/commands/uname -m: ppc64
"""
GRAVITON = """/proc/cpuinfo:
| processor	: 0
| BogoMIPS	: 243.75
| Features	: fp asimd evtstrm
| CPU implementer	: 0x41
| CPU part	: 0xd0c
/commands/uname -m: aarch64
/commands/lscpu:
| Architecture:            aarch64
| Vendor ID:               ARM
| Model name:              Neoverse-N1
/sys/devices/system/cpu/online: 0
/sys/devices/system/cpu/cpu0/topology/physical_package_id: -1
/sys/devices/system/cpu/cpu0/topology/thread_siblings_list: 0
"""
OLD_ARM = """/proc/cpuinfo:
| Processor	: ARMv7 Processor rev 10 (v7l)
| processor	: 0
| BogoMIPS	: 1594.16
|
| processor	: 1
| BogoMIPS	: 1594.16
|
| Hardware	: Freescale i.MX6
"""


def test_two_sockets_whose_caches_are_shared_in_pairs(tmp_path: Path) -> None:
    facts = cpu(recorded("raid5_sata", tmp_path))
    assert {key: value for key, value in facts.items() if key != "caches"} == {
        "model": "Intel(R) Xeon(R) CPU E5345 @ 2.33GHz",
        "vendor": "GenuineIntel",
        "architecture": "x86_64",
        "sockets": 2,
        "cores": 8,
        "threads": 8,
        "max_hz": 2_333_000_000,
        "governor": "ondemand",
        "frequency_driver": None,
        "boost": None,
    }
    assert facts["caches"] == [
        {"level": 1, "type": "data", "size": 32768, "shared_by_threads": 1, "count": 8},
        {"level": 1, "type": "instruction", "size": 32768, "shared_by_threads": 1, "count": 8},
        {"level": 2, "type": "unified", "size": 4194304, "shared_by_threads": 2, "count": 4},
    ]


def test_hyper_threads_share_a_core(tmp_path: Path) -> None:
    found = cpu(recorded("luks_nvme", tmp_path))
    assert (found["sockets"], found["cores"], found["threads"]) == (1, 4, 8)
    assert found["caches"][-1] == {"level": 3, "type": "unified", "size": 8388608, "shared_by_threads": 8, "count": 1}


def test_powerpc_without_topology(tmp_path: Path) -> None:
    facts = cpu(unpack(G5, tmp_path))
    assert facts == {
        "model": "PPC970MP",
        "vendor": None,
        "architecture": "ppc64",
        "sockets": None,
        "cores": None,
        "threads": 2,
        "max_hz": None,
        "governor": None,
        "frequency_driver": None,
        "boost": None,
        "caches": [],
    }


def test_arm64_takes_its_name_from_lscpu_and_has_no_sockets(tmp_path: Path) -> None:
    found = cpu(unpack(GRAVITON, tmp_path))
    assert (found["model"], found["vendor"], found["sockets"], found["cores"]) == ("Neoverse-N1", "ARM", None, 1)


def test_old_arm_calls_its_processor_processor(tmp_path: Path) -> None:
    found = cpu(unpack(OLD_ARM, tmp_path))
    assert (found["model"], found["threads"]) == ("ARMv7 Processor rev 10 (v7l)", 2)


def test_topology_from_cpuinfo_where_sys_is_missing(tmp_path: Path) -> None:
    blocks = "".join(
        f"| processor : {n}\n| model name : X\n| physical id : {n // 2}\n| core id : 0\n|\n" for n in range(4)
    )
    found = cpu(unpack(f"/proc/cpuinfo:\n{blocks}", tmp_path))
    assert (found["sockets"], found["cores"], found["threads"], found["caches"]) == (2, 2, 4, [])


def test_nothing_at_all_is_all_unknown(tmp_path: Path) -> None:
    found = cpu(Source(tmp_path))
    assert found.pop("caches") == []
    assert set(found.values()) == {None}


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("intel_pstate/no_turbo: 0", True),
        ("intel_pstate/no_turbo: 1", False),
        ("cpufreq/boost: 1", True),
        ("cpufreq/boost: 0", False),
        ("cpufreq/other: 1", None),
    ],
)
def test_whether_the_clock_may_rise(tmp_path: Path, file: str, expected: bool | None) -> None:
    assert cpu(unpack(f"/sys/devices/system/cpu/{file}\n", tmp_path))["boost"] is expected


def test_several_governors_are_all_named(tmp_path: Path) -> None:
    tree = "/sys/devices/system/cpu/online: 0-1\n" + "".join(
        f"/sys/devices/system/cpu/cpu{n}/cpufreq/scaling_governor: {governor}\n"
        for n, governor in enumerate(("powersave", "performance"))
    )
    assert cpu(unpack(tree, tmp_path))["governor"] == "performance, powersave"


@pytest.mark.parametrize(
    ("text", "expected"), [("0", [0]), ("0-3,8", [0, 1, 2, 3, 8]), ("0-1,4-5\n", [0, 1, 4, 5]), ("", [])]
)
def test_cpu_list(text: str, expected: list[int]) -> None:
    assert parse_cpu_list(text) == expected


@given(st.sets(st.integers(0, 4096)))
def test_cpu_list_reads_what_it_is_made_of(numbers: set[int]) -> None:
    assert parse_cpu_list(",".join(str(number) for number in sorted(numbers))) == sorted(numbers)


def test_a_broken_cpu_list_is_an_error() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        parse_cpu_list("0-x")


@pytest.mark.parametrize(
    ("text", "expected"), [("48K", 49152), ("2M", 2097152), ("512", 512), ("K", None), ("", None), (None, None)]
)
def test_size(text: str | None, expected: int | None) -> None:
    assert parse_size(text) == expected


def test_lscpu_says_unknown_with_a_hyphen() -> None:
    assert parse_lscpu("Model name:   -\nVendor ID:  ARM\nno colon\n") == {"vendor id": "ARM"}


@given(st.text())
def test_any_cpuinfo_is_read(text: str) -> None:
    assert all(block for block in parse_cpuinfo(text))
