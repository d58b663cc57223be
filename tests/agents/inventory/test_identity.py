from __future__ import annotations

import re
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchagent.errors import NoMachineId
from benchagent.inventory import Source, machine
from benchagent.inventory.identity import APPLICATION, default_name, host_id, stored_id
from tests.agents.inventory.trees import recorded, unpack

RAW = "4c1f0b6f2d3e4a5b8c7d9e0f1a2b3c4d"


def test_the_id_is_stable_and_hides_the_raw_one(tmp_path: Path) -> None:
    source = recorded("luks_nvme", tmp_path)
    found = machine(source=source)
    assert found == machine(source=source)
    assert re.fullmatch(r"[0-9a-f]{64}", found["machine_id"])
    assert RAW not in found["machine_id"]


@pytest.mark.needs("systemd-id128", package="systemd")
def test_the_id_is_the_one_that_systemd_makes(tmp_path: Path) -> None:
    """systemd prints the first half of the same HMAC, with the six bits of a random UUID set."""
    if host_id(Source().text("/etc/machine-id")) is None:
        pytest.skip("this machine has no id of its own in /etc/machine-id")
    command = ["systemd-id128", "machine-id", f"--app-specific={APPLICATION.hex()}"]
    expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    ours = bytearray.fromhex(machine()["machine_id"][:32])
    ours[6] = ours[6] & 0x0F | 0x40
    ours[8] = ours[8] & 0x3F | 0x80
    assert ours.hex() == expected


def test_a_given_name_is_kept() -> None:
    assert machine("epyc-2", Source())["name"] == "epyc-2"


@pytest.mark.parametrize(
    ("name", "expected"), [("raid5_sata", "xeon-e5345"), ("luks_nvme", "core-i7-8550u"), ("virtio_guest", "xeon-kvm")]
)
def test_the_default_name_is_the_processors(tmp_path: Path, name: str, expected: str) -> None:
    found = machine(source=recorded(name, tmp_path / "tree"), state=tmp_path / "state")
    assert found["name"] == f"{expected}-{found['machine_id'][:4]}"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("AMD EPYC 7402P 24-Core Processor", "epyc-7402p"),
        ("Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz", "xeon-gold-6230"),
        ("AMD Ryzen 7 5800U with Radeon Graphics", "ryzen-7-5800u"),
        ("12th Gen Intel(R) Core(TM) i7-1260P", "12th-gen-core-i7-1260p"),
    ],
)
def test_names_of_processors(tmp_path: Path, model: str, expected: str) -> None:
    source = unpack(f"/proc/cpuinfo:\n| processor : 0\n| model name : {model}\n", tmp_path)
    assert default_name(source, "3f9a0000") == f"{expected}-3f9a"


def test_a_name_without_any_fact(tmp_path: Path) -> None:
    assert default_name(Source(tmp_path), "3f9a0000") == "machine-3f9a"
    assert default_name(unpack("/commands/uname -m: x86_64\n", tmp_path), "3f9a0000") == "x86-64-3f9a"


class TestWithoutMachineId:
    @pytest.mark.parametrize("text", ["", "uninitialized\n", "0" * 32, "not hex", None])
    def test_placeholders_are_no_id(self, text: str | None) -> None:
        assert host_id(text) is None

    def test_an_stored_id_is_made_once_and_kept(self, tmp_path: Path) -> None:
        source, state = Source(tmp_path / "empty"), tmp_path / "state/benchagent"
        first = machine(source=source, state=state)
        assert machine(source=source, state=state) == first
        assert machine(source=source, state=tmp_path / "other")["machine_id"] != first["machine_id"]
        assert stat.S_IMODE(state.stat().st_mode) == 0o700
        assert [path.name for path in state.iterdir()] == ["machine-id"]

    def test_agents_that_start_together_agree(self, tmp_path: Path) -> None:
        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(stored_id, [tmp_path / "state"] * 32))) == 1

    def test_a_broken_id_is_an_error_and_not_a_new_machine(self, tmp_path: Path) -> None:
        (tmp_path / "machine-id").write_text("broken\n")
        with pytest.raises(NoMachineId, match="it holds something else"):
            stored_id(tmp_path)

    def test_a_state_directory_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(NoMachineId, match="Not a directory"):
            stored_id(tmp_path / "file/state")
