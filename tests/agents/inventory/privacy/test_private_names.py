import getpass
import json
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory import Source, environment, scrubber, target
from benchagent.inventory.privacy.private_names import (
    host_names,
    mac_addresses,
    parse_passwd,
    people,
    serial_numbers,
)
from tests.agents.inventory.trees import recorded, unpack


def test_the_hosts_names_with_their_domains(tmp_path: Path) -> None:
    assert host_names(recorded("luks_nvme", tmp_path)) == {"wanda-laptop", "wanda-laptop.example.org"}


def test_a_host_name_that_is_whole_is_shortened_too(tmp_path: Path) -> None:
    source = unpack("/proc/sys/kernel/hostname: db7.example.org\n/etc/resolv.conf: search lan. example.net\n", tmp_path)
    assert host_names(source) == {"db7.example.org", "db7", "db7.lan", "db7.example.net"}


def test_other_lines_of_hosts_are_other_machines(tmp_path: Path) -> None:
    hosts = "/etc/hosts:\n| 127.0.0.1 localhost db7\n| 192.0.2.9 filer filer.example.org # db7\n"
    assert host_names(unpack("/etc/hostname: db7\n" + hosts, tmp_path)) == {"db7"}


def test_people_are_the_users_from_1000(tmp_path: Path) -> None:
    assert people(recorded("luks_nvme", tmp_path)) == ({"wanda"}, {"/home/wanda"})


def test_homes_of_everybody_are_not_private() -> None:
    text = "a:x:1000:1000::/:/bin/sh\nb:x:1001:1001::/nonexistent:/bin/sh\nbroken\nc:x:ten:0::/home/c:\n"
    assert parse_passwd(text) == ({"a", "b"}, set())


def test_full_names_are_of_more_than_one_word() -> None:
    text = "wanda:x:1000:1000:Wanda Kowalska,Room 7,,:/home/wanda:/bin/sh\nubuntu:x:1001:1001:Ubuntu:/home/ubuntu:\n"
    assert parse_passwd(text)[0] == {"wanda", "Wanda Kowalska", "ubuntu"}


def test_addresses_of_real_interfaces(tmp_path: Path) -> None:
    tree = "/sys/class/net/lo/address: 00:00:00:00:00:00\n/sys/class/net/eth0/address: 52:54:00:a1:b2:c3\n"
    assert mac_addresses(unpack(tree, tmp_path)) == {"52:54:00:a1:b2:c3"}


def test_serial_numbers_of_nvme_and_the_machines_id(tmp_path: Path) -> None:
    assert serial_numbers(recorded("luks_nvme", tmp_path)) == {
        "S3TNNX0K123456",
        "eui.002538b381b1e5a7",
        "002538b381b1e5a7",
        "0x002538b381b1e5a7",
        "4c1f0b6f2d3e4a5b8c7d9e0f1a2b3c4d",
    }


def test_serial_numbers_of_sata_disks_and_of_udev(tmp_path: Path) -> None:
    source = recorded("raid5_sata", tmp_path)
    assert serial_numbers(source) == {"5QG0AB12", "5QG0CD34", "5QG0EF56", "5QG0GH78", "9QK1AB99"}
    udev = "/sys/block/sdz/dev: 8:400\n/run/udev/data/b8:400:\n| E:ID_SERIAL_SHORT=WD-WCC4\n| E:ID_WWN=0x50014ee2\n"
    assert serial_numbers(unpack(udev, tmp_path / "udev")) == {"WD-WCC4", "0x50014ee2"}


def test_the_serial_page_of_scsi(tmp_path: Path) -> None:
    device = tmp_path / "sys/block/sda/device"
    device.mkdir(parents=True)
    (device / "vpd_pg80").write_bytes(b"\x00\x80\x00\x10    Z1Z2Z3Z4ABCD")
    assert serial_numbers(Source(tmp_path)) == {"Z1Z2Z3Z4ABCD"}


@pytest.mark.parametrize(
    ("name", "path", "private"),
    [
        ("luks_nvme", "/home/wanda", ["wanda", "S3TNNX0K", "d4:6d:6d", "192.0.2", "4c1f0b6f2d3e", "7b1f9a52"]),
        ("raid5_sata", "/srv/data/bench", ["storage-eight", "example.net", "rene", "5QG0", "00:30:48", "3c5d8b1a"]),
        ("virtio_guest", "/mnt/btrfs", ["scratchdisk7", "wanda", "example", "--token", "00000000-1111"]),
    ],
)
def test_nothing_private_is_in_the_facts(tmp_path: Path, name: str, path: str, private: list[str]) -> None:
    source = recorded(name, tmp_path)
    text = json.dumps([environment(source), *target(path, source)])
    assert [word for word in private if word in text] == []


def test_this_machine(tmp_path: Path) -> None:
    scrubbed = scrubber(Source()).scrub(f"{tmp_path}: {getpass.getuser()} on {socket.gethostname()} .")
    for name in (getpass.getuser(), socket.gethostname()):
        assert name in ("root", "localhost", "debian", "ubuntu") or f" {name} " not in scrubbed


@given(st.text())
def test_any_passwd_is_read(text: str) -> None:
    users, homes = parse_passwd(text)
    assert all(home.count("/") >= 2 for home in homes)
    assert isinstance(users, set)
