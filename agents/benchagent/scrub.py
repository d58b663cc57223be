"""Take out of a text what names a person or a machine: host, users, home directories, MAC addresses, serial numbers.

The text stays readable by the parsers: what reads as a number is never a name, and neither is a word that the tools
print themselves. Placeholders stand in angle brackets and hold no comma, quote or backslash, so that CSV and JSON stay
what they were.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

HOST, USER, HOME, MAC, SERIAL = "<host>", "<user>", "<home>", "<mac>", "<serial>"

# Names that installers give or that everybody has: they identify nobody, and they are words of paths and of the tools'
# own output, which must still be read afterwards.
_WORDS = """
localhost localdomain root nobody user users test tests guest admin vagrant pi ec2-user cloud-user
debian ubuntu fedora centos rocky almalinux arch archlinux alpine opensuse gentoo nixos raspberrypi linux
bin boot dev etc home lib media mnt opt proc run sbin srv sys tmp usr var data disk scratch
iozone bonnie fsload fio ffsb filebench fdtree geriatrix
host home mac serial file files size bkwd
read reread write rewrite random backward record stride strided fread freread fwrite frewrite
output input block char putc getc per chr sec seeks create delete stat machine version format name kb
ext2 ext3 ext4 xfs btrfs f2fs jfs zfs nfs tmpfs overlay mkfs mount kernel error ok failed none null true false
"""
EVERYBODYS = frozenset(_WORDS.split())
SHORT = 4  # a host name up to this long is likely to be a word of something else: vm, db1, node
MAC_DIGITS = 12
WORLD_WIDE = 18  # 0x and the 64 bits of a disk's world-wide name
# 12, 3.5, 1e6, 16G, 64KiB, 0x1f: a host or serial number of this form cannot be told from a measurement.
NUMBER = re.compile(r"[+-]?(?:[\d.]+(?:[eE][+-]?\d+)?[A-Za-z%]{0,3}|0x[0-9a-fA-F]+)")
ANY_MAC = r"(?<![0-9A-Fa-f:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])"
# Where a serial number of digits only is surely one: after the word, or in /dev/disk/by-id/ata-MODEL_SERIAL.
AFTER_SERIAL = (
    r"(?:(?<=[A-Za-z0-9]_)|(?i:(?<=serial )|(?<=serial: )|(?<=serial=)|(?<=serialnumber: )|(?<=serial number: )))"
)


class Rule(NamedTuple):
    """What to replace by `placeholder`. No text without `needle` (lower case) can match: most rules need no search."""

    placeholder: str
    needle: str
    pattern: str


class Scrubber:
    """Replaces the given names in texts. Each kind has one placeholder, the same on every machine."""

    def __init__(
        self,
        *,
        hosts: Iterable[str] = (),
        users: Iterable[str] = (),
        homes: Iterable[str] = (),
        mac_addresses: Iterable[str] = (),
        serials: Iterable[str] = (),
    ) -> None:
        rules = [_home(home) for home in _longest_first(homes) if home.strip("/")]
        rules += [rule for address in _longest_first(mac_addresses) for rule in _mac_address(address)]
        rules += [Rule(MAC, ":", ANY_MAC)]
        rules += [_serial(serial) for serial in _longest_first(serials) if len(serial) >= SHORT]
        rules += [_host(host) for host in _longest_first(hosts) if _is_name(host)]
        rules += [_user(user) for user in _longest_first(users) if _is_name(user)]
        self._rules = rules

    def numbered(self, forms: Mapping[str, str]) -> Scrubber:
        """A scrubber that tells names of one kind apart: `forms` maps each placeholder to a text with `{}` in it.

        The spellings of one MAC address count apart.
        """
        counts: Counter[str] = Counter()
        found = Scrubber()
        found._rules = []
        for rule in self._rules:
            counts[rule.placeholder] += 1
            found._rules.append(rule._replace(placeholder=forms[rule.placeholder].format(counts[rule.placeholder])))
        return found

    def scrub(self, text: str) -> str:
        """The text with placeholders for all that is private in it."""
        lowered = text.lower()
        rules = [rule for rule in self._rules if rule.needle in lowered]
        if not rules:
            return text
        # One pass over the text: what was put in is not scrubbed again.
        pattern = re.compile("|".join(f"({rule.pattern})" for rule in rules))
        return pattern.sub(lambda match: rules[(match.lastindex or 1) - 1].placeholder, text)


def _longest_first(names: Iterable[str]) -> list[str]:
    """So that `db7.example.org` is found before `db7`. Equal lengths in the order of the alphabet: always the same."""
    return sorted({name for name in names if name}, key=lambda name: (-len(name), name))


def _is_name(name: str) -> bool:
    return name.lower() not in EVERYBODYS and not NUMBER.fullmatch(name)


def _home(path: str) -> Rule:
    path = path.rstrip("/")
    return Rule(HOME, path.lower(), rf"(?<![\w.~-]){re.escape(path)}(?![\w-])")


def _mac_address(address: str) -> list[Rule]:
    """With colons, with hyphens and bare, as in `enx525400a1b2c3`; bare only with a letter, else it may be a number."""
    digits = re.sub(r"[^0-9a-f]", "", address.lower())
    if len(digits) < MAC_DIGITS:
        return []
    spelled = [separator.join(re.findall("..", digits)) for separator in (":", "-")]
    rules = [Rule(MAC, form, rf"(?i:{form})") for form in spelled]
    bare = Rule(MAC, digits, rf"(?i:(?<![0-9A-Fa-f]){digits}(?![0-9A-Fa-f]))")
    return rules if digits.isdecimal() else [*rules, bare]


def _serial(serial: str) -> Rule:
    world_wide = serial.startswith("0x") and len(serial) >= WORLD_WIDE  # no tool measures in such numbers
    doubtful = not world_wide and (NUMBER.fullmatch(serial) or serial.lower() in EVERYBODYS)
    before = AFTER_SERIAL if doubtful else "(?<![A-Za-z0-9])"
    return Rule(SERIAL, serial.lower(), before + re.escape(serial) + "(?![A-Za-z0-9])")


def _host(name: str) -> Rule:
    """A distinctive name is private wherever it stands, with its domain: `db7prod.example.org`, `/dev/db7prod-vg/root`.

    A short one is replaced only as a word of its own: `vm`, not `kvm`, `vm.swappiness`, `/proc/sys/vm` or `vm-1`.
    """
    if len(name) <= SHORT:
        return Rule(HOST, name.lower(), rf"(?<![\w./-]){re.escape(name)}(?![\w/-]|\.[\w<])")
    spelled = re.escape(name).replace(r"\-", "--?")  # device mapper doubles hyphens: /dev/mapper/db7--prod--vg-root
    pattern = rf"(?i:(?<![A-Za-z0-9_]){spelled}(?![A-Za-z0-9_])(?:\.[A-Za-z0-9][A-Za-z0-9-]*)*)"
    return Rule(HOST, name.lower().partition("-")[0], pattern)


def _user(name: str) -> Rule:
    return Rule(USER, name.lower(), rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
