"""Declared facts merged with detected ones."""

from pathlib import Path
from typing import Any

import pytest

from benchagent.config import open_source
from benchagent.inventory import Source, environment, target
from benchagent.inventory.merging import Merge
from tests.agents.inventory.trees import recorded


def declaring(name: str, config: str, into: Path) -> Source:
    """A recorded machine with another config file."""
    recorded(name, into)
    file = into / "etc/benchagent/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(config, encoding="utf-8")
    return open_source(into)


def merged(detected: Any, declared: Any, *, override: bool = False) -> tuple[Any, Merge]:
    facts, merge = {"size": detected}, Merge(str)
    merge.take(facts, "/disk", {"size": declared}, override=override)
    return facts["size"], merge


class TestOneFact:
    def test_what_is_unknown_is_completed(self) -> None:
        value, merge = merged(None, 7)
        assert (value, merge.provenance, merge.contradictions) == (7, {"/disk/size": "declared"}, [])

    def test_false_and_zero_are_known(self) -> None:
        for known in (False, 0):
            assert merged(known, 7)[0] == known

    def test_what_agrees_is_detected(self) -> None:
        value, merge = merged(7, 7)
        assert (value, merge.provenance, merge.contradictions) == (7, {}, [])

    @pytest.mark.parametrize(("override", "kept", "value"), [(False, "detected", 5), (True, "declared", 7)])
    def test_what_contradicts_is_kept_beside(self, override: bool, kept: str, value: int) -> None:
        found, merge = merged(5, 7, override=override)
        assert found == value
        assert merge.contradictions == [{"fact": "/disk/size", "detected": 5, "declared": 7, "kept": kept}]
        assert merge.provenance == ({"/disk/size": "declared"} if override else {})


class TestEnvironment:
    def test_without_a_config_nothing_is_declared(self, tmp_path: Path) -> None:
        found = environment(recorded("raid5_sata", tmp_path))
        assert "declared" not in found["provenance"].values()

    def test_modules_that_nothing_tells(self, tmp_path: Path) -> None:
        config = "[declare.memory_module]\ncount = 8\nsize = '1 GiB'\n"
        found = environment(declaring("raid5_sata", config, tmp_path))
        assert found["memory"]["modules"] == [{"count": 8, "size": 2**30, "type": None, "transfer_rate": None}]
        assert found["provenance"] == {"/memory/modules": "declared"}

    def test_the_only_controller_needs_no_name(self, tmp_path: Path) -> None:
        found = environment(declaring("raid5_sata", "[declare.controller]\ncache = '64 MiB'\n", tmp_path))
        assert found["controllers"][0]["cache"] == 64 * 2**20
        assert found["provenance"]["/controllers/0/cache"] == "declared"

    @pytest.mark.parametrize(
        "config",
        [
            "[declare.controller]\nname = '0000:ff:00.0'\ncache = '1 MiB'\n",
            "[declare.disk]\ndisk = '/dev/disk/by-id/gone'\nmodel = 'X'\n",
            "[declare.disk]\ndisk = 'No such model'\nvendor = 'X'\n",
            "[declare.raid]\ndisk = 'No such model'\nlevel = 'raid6'\n",
        ],
    )
    def test_what_fits_nothing_is_told(self, tmp_path: Path, config: str) -> None:
        found = environment(declaring("raid5_sata", config, tmp_path))
        place = config[1:].partition("]")[0]
        assert found["extra"]["declared_of_nothing"] == [place]
        assert "declared" not in found["provenance"].values()

    def test_one_model_is_all_disks_of_it(self, tmp_path: Path) -> None:
        config = "[declare.disk]\ndisk = 'ST3500641AS-RK'\nvendor = 'Seagate'\n"
        found = environment(declaring("raid5_sata", config, tmp_path))
        assert [disk["vendor"] for disk in found["block_devices"]] == ["Seagate"] * 4 + [None]

    @pytest.mark.parametrize("path", ["/dev/vda", "/dev/disk/by-path/virtio-pci-0000:00:02.0"])
    def test_a_disk_without_an_id_has_other_paths(self, path: str, tmp_path: Path) -> None:
        source = declaring("virtio_guest", f"[declare.disk]\ndisk = '{path}'\nmodel = 'X'\n", tmp_path)
        (tmp_path / "dev/disk/by-path").mkdir(parents=True)
        (tmp_path / "dev/disk/by-path/virtio-pci-0000:00:02.0").symlink_to("../../vda")
        assert environment(source)["block_devices"][0]["model"] == "X"

    def test_names_that_are_declared_are_scrubbed(self, tmp_path: Path) -> None:
        source = declaring("luks_nvme", "[declare.controller]\ncache_mode = 'as wanda-laptop says'\n", tmp_path)
        assert environment(source)["controllers"][0]["cache_mode"] == "as <host> says"


class TestTarget:
    def test_a_disk_elsewhere_is_none_of_its_business(self, tmp_path: Path) -> None:
        config = "[declare.raid]\ndisk = 'ST3500320NS'\nlevel = 'raid6'\n"
        found, _ = target("/srv/data/bench", declaring("raid5_sata", config, tmp_path))
        assert "declared_of_nothing" not in found["extra"]
        assert found["provenance"] == {}

    def test_places_count_the_layers_that_were_added_before(self, tmp_path: Path) -> None:
        config = "[declare.raid]\ndisk = 'ST3500641AS-RK'\nlevel = 'raid1'\nmembers = 2\n"
        facts, _ = target("/srv/data/bench", declaring("raid5_sata", config, tmp_path))
        assert [layer["kind"] for layer in facts["stack"]] == ["raid"] + ["partition"] * 4 + ["raid", "disk"] * 4
        declared = [pointer for pointer, how in facts["provenance"].items() if how == "declared"]
        for index in (5, 7, 9, 11):
            assert facts["stack"][index]["level"] == "raid1"
            assert facts["stack"][index + 1] == {"kind": "disk", "facts": {"count": 2}}
            assert {f"/stack/{index}/level", f"/stack/{index + 1}"} <= set(declared)

    def test_facts_that_a_layer_keeps_apart(self, tmp_path: Path) -> None:
        config = "[declare.disk]\ndisk = 'ST3500641AS-RK'\nvendor = 'Seagate'\nfirmware = '3.AAJ'\n"
        found, _ = target("/srv/data/bench", declaring("raid5_sata", config, tmp_path))
        assert found["stack"][5]["facts"]["vendor"] == "Seagate"
        assert found["provenance"]["/stack/5/facts/vendor"] == "declared"
        assert found["contradictions"][0]["fact"] == "/stack/5/facts/firmware"
