from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.scrub import Scrubber

IOZONE = """	Auto Mode
	Command line used: iozone -a -g 4M -f /home/wanda/bench/iozone.tmp
	Output is in kBytes/sec
              kB  reclen    write  rewrite    read    reread
              64       4  1363000  2202928  4274062  5389653
            4096    4096  2202928  5389653  4274062  1363000
"""
NUMBERS = st.lists(
    st.one_of(
        st.integers(-(10**15), 10**15).map(str),
        st.floats(allow_nan=False).map(str),
        st.integers(0, 99).map("{}k".format),
    ),
    min_size=1,
).map(" ".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Linux db7prod 6.1.0", "Linux <host> 6.1.0"),
        ("mounted from DB7PROD.example.org:/x", "mounted from <host>:/x"),
        ("root=/dev/mapper/db7prod--vg-root", "root=/dev/mapper/<host>--vg-root"),
        ("/dev/db7prod-vg/root", "/dev/<host>-vg/root"),
        ("on db7prod. Then", "on <host>. Then"),
        ("mydb7prod db7production", "mydb7prod db7production"),
    ],
)
def test_a_distinctive_host_name_goes_everywhere(text: str, expected: str) -> None:
    assert Scrubber(hosts=["db7prod"]).scrub(text) == expected


def test_hyphens_that_device_mapper_doubled() -> None:
    scrubber = Scrubber(hosts=["wanda-laptop"])
    assert scrubber.scrub("/dev/mapper/wanda--laptop--vg-root wanda-laptop") == "/dev/mapper/<host>--vg-root <host>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Linux vm 6.1.0", "Linux <host> 6.1.0"),
        ("1.98,2.00a,vm,1,1700000000", "1.98,2.00a,<host>,1,1700000000"),
        ("vm: oops", "<host>: oops"),
        ("vm", "<host>"),
        ("kvm vmlinuz VM", "kvm vmlinuz VM"),
        ("vm.swappiness = 10", "vm.swappiness = 10"),
        ("/proc/sys/vm/drop_caches", "/proc/sys/vm/drop_caches"),
        ("vm-1 my-vm vm_area", "vm-1 my-vm vm_area"),
    ],
)
def test_a_short_host_name_goes_only_as_a_word(text: str, expected: str) -> None:
    assert Scrubber(hosts=["vm"]).scrub(text) == expected


def test_a_short_host_name_with_its_domain() -> None:
    assert (
        Scrubber(hosts=["vm", "vm.example.org"]).scrub("vm.example.org and vm.dirty_ratio")
        == "<host> and vm.dirty_ratio"
    )


@pytest.mark.parametrize("name", ["localhost", "debian", "write", "iozone", "host", "42", "16G", "1e6", "3.5", "0x1f"])
def test_names_that_are_everybodys_or_numbers_stay(name: str) -> None:
    text = f"{name} iozone write 42 16G 1e6 3.5 0x1f debian localhost host"
    assert Scrubber(hosts=[name], users=[name]).scrub(text) == text


def test_users_and_their_homes() -> None:
    scrubber = Scrubber(users=["wanda", "root"], homes=["/home/wanda", "/srv/people/wanda"])
    assert scrubber.scrub("/home/wanda/a /srv/people/wanda /mnt/wanda/x") == "<home>/a <home> /mnt/<user>/x"
    assert scrubber.scrub("/home/wandas wanda-2 x.wanda") == "/home/wandas wanda-2 x.wanda"
    assert scrubber.scrub("wanda@x by root") == "<user>@x by root"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("link 52:54:00:a1:b2:c3 up", "link <mac> up"),
        ("52-54-00-A1-B2-C3", "<mac>"),
        ("enx525400a1b2c3: renamed", "enx<mac>: renamed"),
        ("other 00:11:22:33:44:55 card", "other <mac> card"),
        ("at 12:34:56 on 2026-11-20", "at 12:34:56 on 2026-11-20"),
        ("00:11:22:33:44:55:66:77", "00:11:22:33:44:55:66:77"),
    ],
)
def test_mac_addresses(text: str, expected: str) -> None:
    assert Scrubber(mac_addresses=["52:54:00:a1:b2:c3"]).scrub(text) == expected


def test_a_mac_address_of_digits_is_not_taken_for_a_number() -> None:
    scrubber = Scrubber(mac_addresses=["52:54:00:12:34:56"])
    assert scrubber.scrub("525400123456 ns, 52:54:00:12:34:56") == "525400123456 ns, <mac>"


def test_serial_numbers() -> None:
    scrubber = Scrubber(serials=["S3TNNX0K123456", "0x5000c500a1b2c3d4", "ab"])
    text = "nvme-SAMSUNG_S3TNNX0K123456-part1 wwn-0x5000c500a1b2c3d4 S3TNNX0K1234567 ab"
    assert scrubber.scrub(text) == "nvme-SAMSUNG_<serial>-part1 wwn-<serial> S3TNNX0K1234567 ab"


def test_a_serial_number_of_digits_only_where_it_is_one() -> None:
    scrubber = Scrubber(serials=["12345678"])
    assert scrubber.scrub("ata-DISK_12345678 SerialNumber: 12345678") == "ata-DISK_<serial> SerialNumber: <serial>"
    assert scrubber.scrub("4096 12345678 12345678") == "4096 12345678 12345678"


def test_iozone_keeps_its_shape() -> None:
    scrubber = Scrubber(hosts=["write", "db7prod"], users=["wanda"], homes=["/home/wanda"], serials=["1363000", "4096"])
    assert scrubber.scrub(IOZONE) == IOZONE.replace("/home/wanda", "<home>")


def test_nothing_private_changes_nothing() -> None:
    assert Scrubber().scrub(IOZONE) == IOZONE
    nothing = Scrubber(hosts=[""], users=[""], homes=["", "/"], mac_addresses=["", "none"], serials=[""])
    assert nothing.scrub(IOZONE) == IOZONE


ANY = Scrubber(
    hosts=["vm", "db7prod", "db7prod.example.org", "4711"],
    users=["wanda", "jo"],
    homes=["/home/wanda", "/home/jo"],
    mac_addresses=["52:54:00:12:34:56", "52:54:00:a1:b2:c3"],
    serials=["S3TNNX0K123456", "12345678", "1e15"],
)


@given(NUMBERS)
def test_numbers_are_never_touched(text: str) -> None:
    assert ANY.scrub(text) == text


@given(
    st.lists(
        st.sampled_from(
            ["vm", "db7prod", "wanda", "/home/jo", "S3TNNX0K123456", "x", " ", "_", "-", ".", "/", ":", "<host>"]
        )
    )
)
def test_scrubbing_twice_changes_nothing_more(parts: list[str]) -> None:
    once = ANY.scrub("".join(parts))
    assert ANY.scrub(once) == once


@given(st.text(), st.text())
def test_json_stays_json_and_a_table_keeps_its_columns(before: str, after: str) -> None:
    line = json.dumps({"before": before, "host": "db7prod", "after": after})
    assert json.loads(ANY.scrub(line))["host"] == "<host>"
    row = f"1.98,{re.sub(',', '', before)},vm,7"
    assert ANY.scrub(row).count(",") == row.count(",")
