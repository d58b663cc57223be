"""Every recorded machine: all expected facts, and explicit checks of those it was recorded for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchagent.inventory import environment, target
from tests.agents.inventory.machines import EXPECTED, MACHINES, expected, facts
from tests.agents.inventory.trees import TREES, recorded
from tests.texts import missing_in

GIB, MIB, KIB = 2**30, 2**20, 2**10
MADE_UP = ["SERIAL", "5QG0EF56", "example.org", "192.0.2.", "wanda", "3600d0231", "naa.", "eui.", "a1:b2:c3", "tank"]


@pytest.fixture(scope="class")
def machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The class's machine: `{environment, target, state_before}` of its first path, and `targets` of all paths."""
    name = request.cls.NAME
    found = facts(recorded(name, tmp_path_factory.mktemp(name)), MACHINES[name])
    return {**found, **found["targets"][MACHINES[name][0]]}


def kinds(found: dict[str, Any]) -> list[str]:
    return [layer["kind"] for layer in found["target"]["stack"]]


def test_every_tree_is_a_machine_here() -> None:
    assert sorted(path.stem for path in TREES.glob("*.tree")) == sorted(MACHINES)
    assert sorted(path.stem for path in EXPECTED.glob("*.json")) == sorted(MACHINES)
    assert len(MACHINES) >= 12


@pytest.mark.parametrize("name", MACHINES)
def test_all_facts_are_as_expected(name: str, tmp_path: Path) -> None:
    assert facts(recorded(name, tmp_path), MACHINES[name]) == expected(name)


@pytest.mark.parametrize("name", MACHINES)
def test_nothing_private_is_expected(name: str) -> None:
    found = expected(name)
    told = json.dumps([found["environment"], list(found["targets"].values())])
    paths = json.dumps([each["target"]["mount"]["point"] for each in found["targets"].values()])
    assert [word for word in MADE_UP if word in told and word not in paths] == []


class TestRaid6BehindAScsiAdapter:
    NAME = "raid6_hba"

    def test_what_hardware_hides_is_declared(self, machine: dict[str, Any]) -> None:
        first, second = machine["environment"]["raid_arrays"]
        assert (first["level"], first["chunk"], first["members"]) == ("raid6", 128 * KIB, 12)
        assert first["disk_model"] == "HUA721010KLA330"
        assert (second["name"], second["disk_model"]) == ("sdc", None)
        provenance = machine["environment"]["provenance"]
        assert (provenance["/raid_arrays/0"], provenance["/raid_arrays/1"]) == ("declared", "declared")

    def test_the_disk_in_the_stack_is_the_array(self, machine: dict[str, Any]) -> None:
        assert kinds(machine) == ["partition", "raid", "disk"]
        _, array, disks = machine["target"]["stack"]
        assert (array["level"], array["chunk"], array["layout"], array["members"]) == (
            "raid6",
            128 * KIB,
            "left-symmetric",
            12,
        )
        assert (array["model"], array["scheduler"], array["read_ahead"], array["nr_requests"]) == (
            "A24U-G2421",
            "deadline",
            2 * MIB,
            512,
        ), "what was detected of it stays"
        assert (disks["model"], disks["size"], disks["facts"]["count"]) == ("HUA721010KLA330", 1000204886016, 12)
        assert disks["facts"]["write_cache"] == "write through"
        provenance = machine["target"]["provenance"]
        assert provenance["/stack/1/chunk"] == provenance["/stack/2"] == "declared"
        assert "/stack/1/scheduler" not in provenance

    def test_the_file_system_was_made_for_it(self, machine: dict[str, Any]) -> None:
        made = machine["target"]["file_system"]
        assert (made["stride"], made["stripe_width"]) == (128 * KIB, 10 * 128 * KIB)
        assert (made["type"], made["inode_size"]) == ("ext4", 256)

    def test_xfs_on_the_other_half(self, machine: dict[str, Any]) -> None:
        other = machine["targets"]["/raid/b"]["target"]
        assert (other["file_system"]["type"], other["file_system"]["stripe_width"]) == ("xfs", 10 * 128 * KIB)
        assert [layer["kind"] for layer in other["stack"]] == ["partition", "raid", "disk"]
        assert other["stack"][2] == {"kind": "disk", "facts": {"count": 12}}, "nothing else is declared of its disks"

    def test_the_controllers_cache_is_declared_and_its_firmware_detected(self, machine: dict[str, Any]) -> None:
        _, adapter, other = machine["environment"]["controllers"]
        assert (adapter["cache"], adapter["cache_mode"], adapter["firmware"]) == (
            GIB,
            "write back, battery",
            "01.03.41.00",
        )
        assert (other["cache"], other["firmware"]) == (None, None)
        assert machine["environment"]["contradictions"] == [
            {
                "fact": "/controllers/1/firmware",
                "detected": "01.03.41.00",
                "declared": "01.03.39.00",
                "kept": "detected",
            }
        ]

    def test_dmidecode_tells_the_modules(self, machine: dict[str, Any]) -> None:
        assert machine["environment"]["memory"]["modules"] == [
            {"count": 4, "size": GIB, "type": "DDR2 FB-DIMM", "transfer_rate": 667_000_000}
        ]


class TestGuestOfVirtualBox:
    NAME = "virtualbox_guest"

    def test_the_hypervisor_is_named(self, machine: dict[str, Any]) -> None:
        assert machine["environment"]["virtualization"] == {"kind": "oracle", "container": "none"}

    def test_its_disk_may_lie_on_anything(self, machine: dict[str, Any]) -> None:
        (disk,) = machine["environment"]["block_devices"]
        assert (disk["model"], disk["transport"], disk["rotational"]) == ("VBOX HARDDISK", "sata", None)

    def test_f2fs(self, machine: dict[str, Any]) -> None:
        made = machine["target"]["file_system"]
        assert (made["type"], "compression" in made["features"]) == ("f2fs", True)
        assert machine["target"]["provenance"] == {}


class TestNfsClient:
    NAME = "nfs_client"

    def test_the_options_of_the_server_are_those_in_force(self, machine: dict[str, Any]) -> None:
        options = machine["target"]["mount"]["options"]
        assert {"vers=4.2", "rsize=1048576", "wsize=1048576", "nconnect=4", "proto=tcp", "hard"} <= set(options)
        assert not any(option.startswith(("addr", "clientaddr")) for option in options)
        assert machine["target"]["read_ahead"] == 128 * KIB

    def test_the_server_has_a_name_that_tells_nothing(self, machine: dict[str, Any]) -> None:
        (layer,) = machine["target"]["stack"]
        assert layer == {
            "kind": "network",
            "facts": {"protocol": "nfs4", "server": "bef62d3200af2fb7", "share": "76986b6cf56ff378"},
        }

    def test_modules_are_read_by_everybody(self, machine: dict[str, Any]) -> None:
        assert machine["environment"]["memory"]["modules"] == [
            {"count": 2, "size": 8 * GIB, "type": "DDR3", "transfer_rate": 1_600_000_000}
        ]

    def test_the_clock_rises_as_intel_pstate_says(self, machine: dict[str, Any]) -> None:
        cpu = machine["environment"]["cpu"]
        assert (cpu["governor"], cpu["frequency_driver"], cpu["boost"]) == ("powersave", "intel_cpufreq", True)


class TestBigEndianPowerPc:
    NAME = "powermac_g5"

    def test_processor_and_board_without_dmi(self, machine: dict[str, Any]) -> None:
        cpu = machine["environment"]["cpu"]
        assert (cpu["model"], cpu["architecture"], cpu["threads"], cpu["sockets"]) == ("PPC970MP", "ppc64", 2, None)
        assert [cache["size"] for cache in cpu["caches"]] == [32 * KIB, 64 * KIB, MIB]
        assert machine["environment"]["extra"]["board"] == {"vendor": None, "product": "PowerMac11,2"}

    def test_what_nothing_tells_is_unknown(self, machine: dict[str, Any]) -> None:
        assert machine["environment"]["virtualization"]["kind"] is None
        assert machine["environment"]["provenance"]["/memory/modules"] == "unknown"

    def test_ext3_on_the_second_disk(self, machine: dict[str, Any]) -> None:
        assert kinds(machine) == ["partition", "disk"]
        assert (machine["target"]["stack"][1]["model"], machine["target"]["file_system"]["type"]) == (
            "ST3250820AS P",
            "ext3",
        )
        assert machine["target"]["file_system"]["inode_size"] == 128


class TestVolumeStripedOverThreeDisks:
    NAME = "lvm_striped"

    def test_stripes(self, machine: dict[str, Any]) -> None:
        assert kinds(machine) == ["lvm", "disk", "disk", "disk"]
        facts = machine["target"]["stack"][0]["facts"]
        assert (facts["targets"], facts["stripes"], facts["stripe_size"]) == ("striped", 3, 256 * KIB)
        made = machine["target"]["file_system"]
        assert (made["stride"], made["stripe_width"]) == (256 * KIB, 3 * 256 * KIB)

    def test_disks_behind_sas(self, machine: dict[str, Any]) -> None:
        disk = machine["environment"]["block_devices"][0]
        assert (disk["vendor"], disk["transport"], disk["link"]) == ("SEAGATE", "sas", "6.0 Gbit")
        assert (disk["queue_depth"], disk["write_cache"]) == (254, "write through")
        assert machine["environment"]["controllers"][1]["firmware"] == "20.00.07.00"


class TestMultipath:
    NAME = "multipath_fc"

    def test_paths(self, machine: dict[str, Any]) -> None:
        assert kinds(machine) == ["multipath", "disk", "disk", "disk", "disk"]
        assert machine["target"]["stack"][0]["facts"] == {
            "targets": "multipath",
            "paths": 4,
            "path_groups": 2,
            "selector": "service-time",
            "hardware_handler": "alua",
            "features": "queue_if_no_path pg_init_retries 50 retain_attached_hw_handler",
        }
        disk = machine["target"]["stack"][1]
        assert (disk["transport"], disk["facts"]["link"], disk["facts"]["vendor"]) == ("fc", "16 Gbit", "NETAPP")

    def test_adapters_of_fibre_channel_are_controllers(self, machine: dict[str, Any]) -> None:
        adapters = [each for each in machine["environment"]["controllers"] if each["driver"] == "qla2xxx"]
        assert [each["firmware"] for each in adapters] == ["8.08.231 (d0d5)"] * 2

    def test_modules_run_slower_than_they_could(self, machine: dict[str, Any]) -> None:
        (modules,) = machine["environment"]["memory"]["modules"]
        assert (modules["count"], modules["transfer_rate"]) == (6, 2_400_000_000)


class TestBtrfsOnTwoDevices:
    NAME = "btrfs_raid1"

    def test_profiles(self, machine: dict[str, Any]) -> None:
        assert kinds(machine) == ["btrfs", "disk", "disk"]
        layer = machine["target"]["stack"][0]
        assert (layer["level"], layer["members"], layer["facts"]) == ("raid1", 2, {"metadata_profile": "raid1"})
        assert machine["state_before"]["arrays"] == [{"kind": "btrfs", "name": None, "state": "healthy", "done": None}]

    def test_a_declared_fact_wins_only_where_it_says_so(self, machine: dict[str, Any]) -> None:
        first, _, stick = machine["environment"]["block_devices"]
        assert first["firmware"] == "82.00A82"
        assert (stick["rotational"], stick["link"]) == (False, "5000 Mbit/s")
        assert machine["environment"]["provenance"]["/block_devices/2/rotational"] == "declared"
        assert [each["kept"] for each in machine["environment"]["contradictions"]] == ["declared", "detected"]


class TestZfs:
    NAME = "zfs_raidz2"

    def test_the_pool_and_its_groups(self, machine: dict[str, Any]) -> None:
        assert kinds(machine) == ["zfs", "raid", "raid"] + ["partition"] * 9 + ["disk"] * 8
        pool, data, log = machine["target"]["stack"][:3]
        assert pool["facts"] == {
            "vdevs": "raidz2 of 6, log mirror of 2, cache disk",
            "ashift": 12,
            "autotrim": "off",
        }
        assert (data["level"], data["members"], data["facts"]["role"]) == ("raidz2", 6, "data")
        assert (log["level"], log["members"], log["facts"]["role"]) == ("mirror", 2, "log")

    def test_the_datasets_settings(self, machine: dict[str, Any]) -> None:
        assert machine["target"]["file_system"]["block_size"] == 128 * KIB
        details = machine["target"]["extra"]["file_system"]
        assert (details["compression"], details["sync"], details["arc_max"]) == ("lz4", "standard", 32 * GIB)
        assert machine["target"]["file_system"]["size"] is None, "what the pool has left is no setting"
        assert machine["target"]["read_ahead"] is None

    def test_a_scrub_is_a_state(self, machine: dict[str, Any]) -> None:
        assert machine["state_before"]["arrays"] == [
            {"kind": "zfs", "name": None, "state": "scrubbing", "done": 0.2502}
        ]


class TestDegradedRaid10:
    NAME = "md_raid10_degraded"

    def test_geometry(self, machine: dict[str, Any]) -> None:
        (array,) = machine["environment"]["raid_arrays"]
        assert array == {"name": "md127", "level": "raid10", "chunk": 64 * KIB, "layout": "near=2", "members": 4}

    def test_its_state_is_no_setting(self, machine: dict[str, Any]) -> None:
        assert machine["state_before"]["arrays"] == [
            {"kind": "raid", "name": "md127", "state": "degraded, recovering", "done": 0.308}
        ]
        assert "degraded" not in json.dumps([machine["environment"], machine["target"]])


class TestArmBoard:
    NAME = "raspberry_pi4"

    def test_the_card(self, machine: dict[str, Any]) -> None:
        disk = machine["target"]["stack"][-1]
        assert (disk["name"], disk["model"], disk["transport"], disk["rotational"]) == (
            "mmcblk0",
            "SC64G",
            "mmc",
            False,
        )

    def test_processor(self, machine: dict[str, Any]) -> None:
        cpu = machine["environment"]["cpu"]
        assert (cpu["model"], cpu["vendor"], cpu["max_hz"]) == ("Cortex-A72", "ARM", 1_800_000_000)
        assert machine["environment"]["provenance"]["/controllers"] == "unknown"

    def test_its_command_line_names_no_card_and_no_interface(self, machine: dict[str, Any]) -> None:
        line = machine["environment"]["kernel"]["command_line"]
        assert not missing_in(line, "root=PARTUUID=<uuid>", "smsc95xx.macaddr=<mac>")


class TestBcache:
    NAME = "bcache_desktop"

    def test_who_caches_for_whom(self, machine: dict[str, Any]) -> None:
        assert kinds(machine) == ["bcache", "partition", "disk", "disk"]
        stack = machine["target"]["stack"]
        assert stack[0]["facts"] == {
            "cache_mode": "writeback",
            "sequential_cutoff": "4.0M",
            "writeback_percent": 10,
            "bucket_size": "512.0k",
            "replacement_policy": "lru",
        }
        assert (stack[1]["name"], stack[1]["facts"]["role"]) == ("nvme0n1p3", "cache")
        assert (stack[2]["name"], stack[2]["facts"]["role"]) == ("sda", "backing")

    def test_two_clusters_of_cores_share_a_cache_each(self, machine: dict[str, Any]) -> None:
        assert machine["environment"]["cpu"]["caches"][-1] == {
            "level": 3,
            "type": "unified",
            "size": 16 * MIB,
            "shared_by_threads": 6,
            "count": 2,
        }


class TestTwoSockets:
    NAME = "numa_two_sockets"

    def test_nodes(self, machine: dict[str, Any]) -> None:
        assert machine["environment"]["numa_nodes"] == [
            {"threads": 8, "memory": 65839132 * KIB, "distances": [10, 21]},
            {"threads": 8, "memory": 66086212 * KIB, "distances": [21, 10]},
        ]
        cpu = machine["environment"]["cpu"]
        assert (cpu["sockets"], cpu["cores"], cpu["threads"], cpu["boost"]) == (2, 8, 16, False)

    def test_modules_of_both(self, machine: dict[str, Any]) -> None:
        assert machine["environment"]["memory"]["modules"] == [
            {"count": 8, "size": 16 * GIB, "type": "DDR4", "transfer_rate": 2_133_000_000}
        ]

    def test_nvme(self, machine: dict[str, Any]) -> None:
        disk = machine["environment"]["block_devices"][0]
        assert (disk["link"], disk["queue_depth"], disk["write_cache"]) == ("8.0 GT/s PCIe x4", 128, "write through")


class TestContainer:
    NAME = "container_overlay"

    def test_its_group_bounds_the_memory(self, machine: dict[str, Any]) -> None:
        memory = machine["environment"]["memory"]
        assert (memory["usable"], memory["total"]) == (2 * GIB, 15988032 * KIB)

    def test_where_it_runs(self, machine: dict[str, Any]) -> None:
        assert machine["environment"]["virtualization"] == {"kind": "kvm", "container": "docker"}
        assert machine["environment"]["os"]["id"] == "alpine"

    def test_an_overlay_ends_what_can_be_seen(self, machine: dict[str, Any]) -> None:
        assert kinds(machine) == ["overlay"]
        assert machine["target"]["mount"]["options"] == ["rw", "relatime"]
        volume = machine["targets"]["/data"]["target"]
        assert [layer["kind"] for layer in volume["stack"]] == ["partition", "disk"]


def test_waiting_changes_neither_environment_nor_target(tmp_path: Path) -> None:
    """A machine is the same after a resync or scrub ends, a clock moves or a disk fills."""
    source = recorded("md_raid10_degraded", tmp_path)
    before, (settings, state) = environment(source), target("/srv", source)
    md = tmp_path / "sys/devices/virtual/block/md127/md"
    (md / "sync_action").write_text("idle\n")
    (md / "sync_completed").write_text("none\n")
    (md / "degraded").write_text("0\n")
    (md / "array_state").write_text("clean\n")
    (tmp_path / "proc/meminfo").write_text(
        (tmp_path / "proc/meminfo").read_text().replace("MemFree:        ", "MemFree: ")
    )
    (tmp_path / "paths.json").write_text((tmp_path / "paths.json").read_text().replace("1599429515673", "99429515673"))
    assert environment(source) == before
    again, later = target("/srv", source)
    assert again == settings
    assert later["arrays"] == [{"kind": "raid", "name": "md127", "state": "healthy", "done": None}]
    assert later["fill"] > state["fill"]
