"""Take out of a text what names a person or a machine: host, users, home directories, addresses, serial numbers.

The text stays readable by the parsers: what reads as a number is never a name, and neither is a word that the tools
print themselves. Placeholders stand in angle brackets and hold no comma, quote or backslash, so that CSV and JSON stay
what they were.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress

from benchagent.tools import TOOLS

from .scrub_patterns import AFTER_SERIAL, ANY_MAC, BEFORE, GENERAL, HOME, HOST, MAC, SERIAL, USER, Rule

__all__ = ["HOME", "HOST", "MAC", "SERIAL", "USER", "Scrubber"]

# Names that installers give or that everybody has: they identify nobody, and they are words of paths and of the tools'
# own output, which must still be read afterwards.
_WORDS = """
localhost localdomain root nobody user users test tests guest admin vagrant pi ec2-user cloud-user
debian ubuntu fedora centos rocky almalinux arch archlinux alpine opensuse gentoo nixos raspberrypi linux
bin boot dev etc home lib media mnt opt proc run sbin srv sys tmp usr var data disk scratch
fio ffsb filebench fdtree geriatrix
host home mac serial file files size bkwd
read reread write rewrite random backward record stride strided fread freread fwrite frewrite
output input block char putc getc per chr sec seeks create delete stat machine version format name kb
ext2 ext3 ext4 xfs btrfs f2fs jfs zfs nfs tmpfs overlay mkfs mount kernel error ok failed none null true false
header result end schema type params values unit mean max bytes clock command repetition operations threads sweep mix
wml tree metadata bulk age aging layout latency throughput rate elapsed offset signal status profile
"""
EVERYBODYS = frozenset(_WORDS.split()).union(*(tool.words for tool in TOOLS.values()))
SHORT = 4  # a name up to this long is likely to be a word of something else: vm, db1, node; jo, max
MAC_DIGITS = 12
WORLD_WIDE = 18  # 0x and the 64 bits of a disk's world-wide name
# 12, 3.5, 1e6, 16G, 64KiB, 0x1f: a host or serial number of this form cannot be told from a measurement.
NUMBER = re.compile(r"[+-]?(?:[\d.]+(?:[eE][+-]?\d+)?[A-Za-z%]{0,3}|0x[0-9a-fA-F]+)")


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
        hosts, users = _longest_first(hosts), _longest_first(users)
        rules += [_host(form) for host in hosts if _is_name(host) for form in _spellings(host)]
        rules += [_user(form) for user in users if _is_name(user) for form in _spellings(user)]
        self._rules, self._general = rules, GENERAL

    def numbered(self, forms: Mapping[str, str]) -> Scrubber:
        """A scrubber that tells names of one kind apart: `forms` maps each placeholder to a text with `{}` in it.

        The spellings of one MAC address count apart. What is no name of this machine stays.
        """
        counts: Counter[str] = Counter()
        found = Scrubber()
        found._rules, found._general = [], ()
        for rule in self._rules:
            counts[rule.placeholder] += 1
            found._rules.append(rule._replace(placeholder=forms[rule.placeholder].format(counts[rule.placeholder])))
        return found

    def scrub(self, text: str) -> str:
        """The text with placeholders for all that is private in it."""
        lowered = text.lower()
        rules = [rule for rule in (*self._rules, *self._general) if rule.needle in lowered]
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


def _spellings(name: str) -> list[str]:
    """A name with letters beyond ASCII is also written decomposed, escaped in JSON and, as a host, in Punycode."""
    if name.isascii():
        return [name]
    found = [name, *(unicodedata.normalize(form, name) for form in ("NFC", "NFD"))]
    found += [json.dumps(each)[1:-1] for each in found]
    with suppress(UnicodeError):  # no host can be called so
        found.append(name.encode("idna").decode("ascii"))
    return list(dict.fromkeys(found))


def _home(path: str) -> Rule:
    path = path.rstrip("/")
    return Rule(HOME, path.lower(), rf"(?<![\w.~-]){re.escape(path)}(?![\w-])")


def _mac_address(address: str) -> list[Rule]:
    """With signs between and bare, as in `enx525400a1b2c3`; bare only with a letter, else it may be a number."""
    digits = re.sub(r"[^0-9a-f]", "", address.lower())
    if len(digits) < MAC_DIGITS:
        return []
    spelled = [(sign, 2) for sign in (":-._" if digits.isdecimal() else ":-._ ")] + [(".", 4)]
    forms = [sign.join(re.findall("." * length, digits)) for sign, length in spelled]
    rules = [Rule(MAC, form, rf"(?i:{re.escape(form)})") for form in forms]
    bare = Rule(MAC, digits, rf"(?i:(?<![0-9A-Fa-f]){digits}(?![0-9A-Fa-f]))")
    return rules if digits.isdecimal() else [*rules, bare]


def _serial(serial: str) -> Rule:
    """udev and others write blanks in it as underscores."""
    world_wide = serial.startswith("0x") and len(serial) >= WORLD_WIDE  # no tool measures in such numbers
    doubtful = not world_wide and (NUMBER.fullmatch(serial) or serial.lower() in EVERYBODYS)
    spelled = r"(?:[\s_]|\\x20)+".join(map(re.escape, serial.split()))
    before = AFTER_SERIAL if doubtful else BEFORE.replace("_", "")
    return Rule(SERIAL, serial.split()[0].lower(), f"{before}(?i:{spelled})(?![A-Za-z0-9])")


def _host(name: str) -> Rule:
    """A distinctive name is private wherever it stands, with its domain: `db7prod.example.org`, `/dev/db7prod-vg/root`.

    A short one is replaced only as a word of its own: `vm`, not `kvm`, `vm.swappiness`, `/proc/sys/vm` or `vm-1`.
    """
    if len(name) <= SHORT:
        pattern = rf"(?<![./-]){BEFORE}{re.escape(name)}(?![\w/<-]|\.[\w<])"
        return Rule(HOST, name.lower(), pattern)
    spelled = re.escape(name).replace(r"\-", "--?")  # device mapper doubles hyphens: /dev/mapper/db7--prod--vg-root
    pattern = rf"(?i:{BEFORE}{spelled}(?![A-Za-z0-9_])(?:\.[A-Za-z0-9][A-Za-z0-9-]*)*)"
    return Rule(HOST, name.lower().partition("-")[0], pattern)


def _user(name: str) -> Rule:
    """A distinctive name wherever it stands, `bench-wanda_2.log`; a full name with any sign between its parts."""
    if len(name) <= SHORT:
        return Rule(USER, name.lower(), rf"(?<![.-]){BEFORE}{re.escape(name)}(?![\w-])")
    parts = name.split()
    spelled = r"[\s._-]{1,3}".join(map(re.escape, parts))
    return Rule(USER, parts[0].lower(), rf"(?i:{BEFORE.replace('_', '')}{spelled}(?![A-Za-z0-9]))")
