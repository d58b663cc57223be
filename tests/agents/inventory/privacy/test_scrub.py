import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import FormatError, parse
from benchagent.inventory.privacy.scrub import Scrubber

GOLDEN = Path(__file__).parents[2] / "formats/golden"
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


@pytest.mark.parametrize(
    ("known", "text", "expected"),
    [
        (
            {"hosts": ["wanda-laptop"]},
            "/dev/mapper/wanda--laptop--vg-root wanda-laptop",
            "/dev/mapper/<host>--vg-root <host>",
        ),
        ({"hosts": ["vm", "vm.example.org"]}, "vm.example.org and vm.dirty_ratio", "<host> and vm.dirty_ratio"),
        (
            {"users": ["jo"]},
            "jo /mnt/jo/x (jo) jo-1 x.jo john",
            "<user> /mnt/<user>/x (<user>) jo-1 x.jo john",
        ),
        ({"mac_addresses": ["52:54:00:12:34:56"]}, "525400123456 ns, 52:54:00:12:34:56", "525400123456 ns, <mac>"),
    ],
    ids=["hyphens that device mapper doubled", "short host with domain", "short user", "MAC address of digits"],
)
def test_a_name_goes_where_it_is_one(known: dict[str, list[str]], text: str, expected: str) -> None:
    assert Scrubber(**known).scrub(text) == expected


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


@pytest.mark.parametrize("name", ["localhost", "debian", "write", "iozone", "host", "42", "16G", "1e6", "3.5", "0x1f"])
def test_names_that_are_everybodys_or_numbers_stay(name: str) -> None:
    text = f"{name} iozone write 42 16G 1e6 3.5 0x1f debian localhost host"
    assert Scrubber(hosts=[name], users=[name]).scrub(text) == text


def test_users_and_their_homes() -> None:
    scrubber = Scrubber(users=["wanda", "root"], homes=["/home/wanda", "/srv/people/wanda"])
    assert scrubber.scrub("/home/wanda/a /srv/people/wanda /mnt/wanda/x") == "<home>/a <home> /mnt/<user>/x"
    assert scrubber.scrub("/srv/people/wandas wandas") == "/srv/people/wandas wandas"
    assert scrubber.scrub("wanda@x by root") == "<user>@x by root"
    assert scrubber.scrub("bench-wanda.log WANDA_2 x.wanda") == "bench-<user>.log <user>_2 x.<user>"


def test_a_full_name_however_it_is_joined() -> None:
    scrubber = Scrubber(users=["Wanda Kowalska"])
    assert scrubber.scrub("WANDA KOWALSKA wanda.kowalska Wanda_Kowalska") == "<user> <user> <user>"
    assert scrubber.scrub("Wanda and Kowalska") == "Wanda and Kowalska"


def test_homes_of_people_whom_this_machine_does_not_know() -> None:
    """The names come from a directory service, or from the disk of another machine."""
    text = "/home/olga/x /export/home/olga: '/home/olga' /home /homes/x"
    assert Scrubber().scrub(text) == "<home>/x /export<home>: '<home>' /home /homes/x"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("link 52:54:00:a1:b2:c3 up", "link <mac> up"),
        ("52-54-00-A1-B2-C3", "<mac>"),
        ("enx525400a1b2c3: renamed", "enx<mac>: renamed"),
        ("other 00:11:22:33:44:55 card", "other <mac> card"),
        ("at 12:34:56 on 2026-11-20", "at 12:34:56 on 2026-11-20"),
        ("50:01:43:80:12:34:56:78 up", "<mac> up"),
        (":".join(["80"] * 20), "<mac>"),
        ("5254.00a1.b2c3 52.54.00.a1.b2.c3 52 54 00 A1 B2 C3 52_54_00_a1_b2_c3", "<mac> <mac> <mac> <mac>"),
        ("5254:00:a1:b2:c3", "5254:00:a1:b2:c3"),
    ],
)
def test_mac_addresses(text: str, expected: str) -> None:
    assert Scrubber(mac_addresses=["52:54:00:a1:b2:c3"]).scrub(text) == expected


def test_serial_numbers() -> None:
    scrubber = Scrubber(serials=["S3TNNX0K123456", "0x5000c500a1b2c3d4", "ab"])
    text = "nvme-SAMSUNG_S3TNNX0K123456-part1 wwn-0x5000c500a1b2c3d4 S3TNNX0K1234567 ab"
    assert scrubber.scrub(text) == "nvme-SAMSUNG_<serial>-part1 wwn-<serial> S3TNNX0K1234567 ab"


def test_a_serial_number_of_digits_only_where_it_is_one() -> None:
    scrubber = Scrubber(serials=["12345678"])
    assert scrubber.scrub("ata-DISK_12345678 SerialNumber: 12345678") == "ata-DISK_<serial> SerialNumber: <serial>"
    assert scrubber.scrub("4096 12345678 12345678") == "4096 12345678 12345678"


@pytest.mark.parametrize(
    "before", ["\\n", "\\t", "\\x20", "\\040", "\\u2026", "%20", "\n", "\x1b[1m", "\x1b[0;31m", "\x1b[31m", "=", "("]
)
@pytest.mark.parametrize("after", ["\\n", "\\u2026", "%2F", "\n", "\x1b[0m", ",", ".", ""])
def test_what_stands_beside_a_name_does_not_hide_it(before: str, after: str) -> None:
    """Escapes of JSON, udev, the kernel's log, /proc/mounts and colors end in letters and digits."""
    for name, expected in (("db7prod", "<host>"), ("wanda", "<user>"), ("S3TNNX0K123456", "<serial>")):
        assert ANY.scrub(f"a{before}{name}{after}") == f"a{before}{expected}{after}"
    assert ANY.scrub(f"a{before}192.0.2.7{after}") == f"a{before}<address>{after}"


@pytest.mark.parametrize(
    "spelled",
    [
        "münchen-büro",
        "MÜNCHEN-BÜRO",
        "mu\u0308nchen-bu\u0308ro",
        r"m\u00fcnchen-b\u00FCro",
        "münchen-büro".encode("idna").decode() + ".example",
    ],
)
def test_host_names_with_other_letters(spelled: str) -> None:
    assert Scrubber(hosts=["münchen-büro"]).scrub(f"on {spelled} now") == "on <host> now"


@pytest.mark.parametrize(
    ("serial", "text"),
    [
        ("WD WCC4 N1", "ata-MODEL_WD_WCC4_N1-part2"),
        ("WD WCC4 N1", r"WD\x20WCC4\x20N1"),
        ("A+B/C(1)*", "SerialNumber: A+B/C(1)*;"),
        ("s3tnnx0k123456", "nvme-X_S3TNNX0K123456"),
        ("^$[a-z]+", "serial=^$[a-z]+ "),
    ],
)
def test_serial_numbers_with_odd_signs(serial: str, text: str) -> None:
    scrubbed = Scrubber(serials=[serial]).scrub(text)
    assert "<serial>" in scrubbed
    assert serial.split()[-1].lower() not in scrubbed.lower()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nfs: server 10.0.0.5 not responding", "nfs: server <address> not responding"),
        ("10.1.2.3:/export 10.1.2.3/24,10.1.2.4.", "<address>:/export <address>/24,<address>."),
        ("eth0-192.168.1.9-eth1", "eth0-<address>-eth1"),
        ("fe80::5054:ff:fea1:b2c3%eth0 dev", "<address> dev"),
        ("[2001:db8::7]:2049 2001:DB8:0:0:0:0:0:7", "[<address>]:2049 <address>"),
        ("::ffff:192.0.2.1 fd00::", "<address> <address>"),
        ("127.0.0.1 0.0.0.0 255.255.255.0 ::1 ::", "127.0.0.1 0.0.0.0 255.255.255.0 ::1 ::"),
        ("version 20.100.00.00, FW 7.1.2.3 v1.2.3.4 1.2.3.4.5", "version 20.100.00.00, FW 7.1.2.3 v1.2.3.4 1.2.3.4.5"),
        ("6.1.0 3.506 256.1.1.1 01.2.3.4 1.2.3.4ms", "6.1.0 3.506 256.1.1.1 01.2.3.4 1.2.3.4ms"),
        ("0000:00:1f.2 12:34:56 std::vector 16:9", "0000:00:1f.2 12:34:56 std::vector 16:9"),
        ("mail wanda.k+x@mail.example.org now", "mail <e-mail> now"),
        ("olga@example.com,", "<e-mail>,"),
        ("UUID 3c5d8b1a-0000-4000-8000-00000000abcd", "UUID <uuid>"),
    ],
)
def test_addresses_of_all_kinds(text: str, expected: str) -> None:
    assert Scrubber().scrub(text) == expected


def test_a_long_text_takes_no_long_time() -> None:
    """Each of these has a pattern that could be tried again from every letter."""
    for part in ("a" * 10, "a.", "a@", "1.", "a:", "::", "00:", "/home/", "-"):
        assert len(ANY.scrub(part * 100_000)) > 0


def test_iozone_keeps_its_shape() -> None:
    scrubber = Scrubber(
        hosts=["write", "db7prod"], users=["wanda", "sweep"], homes=["/home/wanda"], serials=["1363000", "4096"]
    )
    assert scrubber.scrub(IOZONE) == IOZONE.replace("/home/wanda", "<home>")


def test_nothing_private_changes_nothing() -> None:
    text = IOZONE.replace("/home/wanda", "/srv/wanda")
    assert Scrubber().scrub(text) == text
    nothing = Scrubber(hosts=[""], users=[""], homes=["", "/"], mac_addresses=["", "none"], serials=[""])
    assert nothing.scrub(text) == text


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


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_surroundings_hide_a_name(before: str, after: str) -> None:
    """A name is hidden in any surroundings, unless it is part of a longer word."""
    before, after = re.sub(r"[A-Za-z0-9_]$", " ", before), re.sub(r"^[A-Za-z0-9_]", " ", after)
    for name in ("db7prod", "wanda", "S3TNNX0K123456", "/home/jo", "52:54:00:a1:b2:c3"):
        apart = " " if ":" in name else ""
        assert name not in ANY.scrub(before + apart + name + apart + after)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*-*.*")), ids=lambda path: path.name)
def test_what_is_read_afterwards_is_the_same(path: Path) -> None:
    """Scrubbing many names from real outputs of all tools loses no number and no test."""
    text = path.read_text(errors="replace")
    try:
        read = parse(text)
    except FormatError:
        return  # a broken output, with or without scrubbing
    again = parse(ANY.scrub(text))
    assert (again.results, again.warnings) == (read.results, read.warnings)
