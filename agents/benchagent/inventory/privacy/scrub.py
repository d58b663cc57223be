"""Replaces names of people and machines in texts: hosts, users, home directories, addresses, serial numbers.

Parsers can still read the text: numbers and words that the tools print themselves are never names. Placeholders are in
angle brackets and contain no comma, quote or backslash, so that CSV and JSON stay valid.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import Callable

from benchagent.filesystems import planned

from .scrub_patterns import AFTER_SERIAL, ANY_MAC, BEFORE, GENERAL, HOME, HOST, MAC, SERIAL, USER, ScrubRule

__all__ = ["HOME", "HOST", "MAC", "SERIAL", "USER", "Scrub", "Scrubber"]

Scrub = Callable[[str], str]  # a text without what is private in it

# Default names of installers and common names: they identify nobody, and they are words of paths and of the output of
# tools, which parsers must still read.
_WORDS = """
localhost localdomain root nobody user users test tests guest admin vagrant pi ec2-user cloud-user
debian ubuntu fedora centos rocky almalinux arch archlinux alpine opensuse gentoo nixos raspberrypi linux
bin boot dev etc home lib media mnt opt proc run sbin srv sys tmp usr var data disk scratch
fio ffsb filebench fdtree geriatrix
host home mac serial file files size bkwd
read reread write rewrite random backward record stride strided fread freread fwrite frewrite
output input block char putc getc per chr sec seeks create delete stat machine version format name kb
zfs nfs tmpfs overlay mkfs mount kernel error ok failed none null true false
header result end schema type params values unit mean max bytes clock command repetition operations threads sweep mix
wml tree metadata bulk age aging layout latency throughput rate elapsed offset signal status profile
"""
SHORT = 4  # characters; a name of up to this length is probably also another word: vm, db1, node; jo, max
MAC_DIGITS = 12
WORLD_WIDE = 18  # characters: 0x and the 64 bits of a disk's world-wide name
# 12, 3.5, 1e6, 16G, 64KiB, 0x1f: a host name or serial number of this form looks like a measurement.
NUMBER = re.compile(r"[+-]?(?:[\d.]+(?:[eE][+-]?\d+)?[A-Za-z%]{0,3}|0x[0-9a-fA-F]+)")


class Scrubber:
    """Replaces the given names in texts. Each kind of name has one placeholder, the same on every machine."""

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
        rules += [ScrubRule(MAC, ":", ANY_MAC)]
        rules += [_serial(serial) for serial in _longest_first(serials) if len(serial) >= SHORT]
        hosts, users = _longest_first(hosts), _longest_first(users)
        rules += [_host(form) for host in hosts if _is_name(host) for form in _spellings(host)]
        rules += [_user(form) for user in users if _is_name(user) for form in _spellings(user)]
        self._rules, self._general = rules, GENERAL

    def numbered(self, forms: Mapping[str, str]) -> Scrubber:
        """A scrubber that numbers the names of each kind: `forms` maps each placeholder to a text with `{}` in it.

        Different spellings of one MAC address have different numbers. Texts that only match a general rule stay.
        """
        counts: Counter[str] = Counter()
        numbered = Scrubber()
        numbered._rules, numbered._general = [], ()
        for rule in self._rules:
            counts[rule.placeholder] += 1
            numbered._rules.append(rule._replace(placeholder=forms[rule.placeholder].format(counts[rule.placeholder])))
        return numbered

    def scrub(self, text: str) -> str:
        """The text with placeholders for everything private."""
        lowered = text.lower()
        rules = [rule for rule in (*self._rules, *self._general) if rule.needle in lowered]
        if not rules:
            return text
        # One pass over the text, so that placeholders are not scrubbed.
        pattern = re.compile("|".join(f"({rule.pattern})" for rule in rules))
        return pattern.sub(lambda match: rules[(match.lastindex or 1) - 1].placeholder, text)


@cache
def _common_words() -> frozenset[str]:
    """The common words, with those of the tools and the file systems."""
    from benchagent.tools import TOOLS  # with the formats, half of the agent: only for commands that scrub

    return frozenset(_WORDS.split()).union(planned(), *(tool.words for tool in TOOLS.values()))


def _longest_first(names: Iterable[str]) -> list[str]:
    """Names by decreasing length, so that `db7.example.org` precedes `db7`, then alphabetically."""
    return sorted({name for name in names if name}, key=lambda name: (-len(name), name))


def _is_name(name: str) -> bool:
    return name.lower() not in _common_words() and not NUMBER.fullmatch(name)


def _spellings(name: str) -> list[str]:
    """The spellings of a name: beyond ASCII also decomposed, escaped as in JSON and, for hosts, in Punycode."""
    if name.isascii():
        return [name]
    spellings = [name, *(unicodedata.normalize(form, name) for form in ("NFC", "NFD"))]
    spellings += [json.dumps(spelling)[1:-1] for spelling in spellings]
    with suppress(UnicodeError):  # not a possible host name
        spellings.append(name.encode("idna").decode("ascii"))
    return list(dict.fromkeys(spellings))


def _home(path: str) -> ScrubRule:
    path = path.rstrip("/")
    return ScrubRule(HOME, path.lower(), rf"(?<![\w.~-]){re.escape(path)}(?![\w-])")


def _mac_address(address: str) -> list[ScrubRule]:
    """Rules for an address with separators, and without them as in `enx525400a1b2c3` if it has a letter."""
    digits = re.sub(r"[^0-9a-f]", "", address.lower())
    if len(digits) < MAC_DIGITS:
        return []
    spelled = [(sign, 2) for sign in (":-._" if digits.isdecimal() else ":-._ ")] + [(".", 4)]
    forms = [sign.join(re.findall("." * length, digits)) for sign, length in spelled]
    rules = [ScrubRule(MAC, form, rf"(?i:{re.escape(form)})") for form in forms]
    bare = ScrubRule(MAC, digits, rf"(?i:(?<![0-9A-Fa-f]){digits}(?![0-9A-Fa-f]))")
    return rules if digits.isdecimal() else [*rules, bare]


def _serial(serial: str) -> ScrubRule:
    """The rule for a serial number; udev and others write its blanks as underscores."""
    world_wide = serial.startswith("0x") and len(serial) >= WORLD_WIDE  # tools print no measurements of this form
    doubtful = not world_wide and (NUMBER.fullmatch(serial) or serial.lower() in _common_words())
    spelled = r"(?:[\s_]|\\x20)+".join(map(re.escape, serial.split()))
    before = AFTER_SERIAL if doubtful else BEFORE.replace("_", "")
    return ScrubRule(SERIAL, serial.split()[0].lower(), f"{before}(?i:{spelled})(?![A-Za-z0-9])")


def _host(name: str) -> ScrubRule:
    """The rule for a host name.

    A distinctive name is private everywhere, with its domain: `db7prod.example.org`, `/dev/db7prod-vg/root`. A short
    name is replaced only as a separate word: `vm`, but not `kvm`, `vm.swappiness`, `/proc/sys/vm` or `vm-1`.
    """
    if len(name) <= SHORT:
        pattern = rf"(?<![./-]){BEFORE}{re.escape(name)}(?![\w/<-]|\.[\w<])"
        return ScrubRule(HOST, name.lower(), pattern)
    spelled = re.escape(name).replace(r"\-", "--?")  # device mapper doubles hyphens: /dev/mapper/db7--prod--vg-root
    pattern = rf"(?i:{BEFORE}{spelled}(?![A-Za-z0-9_])(?:\.[A-Za-z0-9][A-Za-z0-9-]*)*)"
    return ScrubRule(HOST, name.lower().partition("-")[0], pattern)


def _user(name: str) -> ScrubRule:
    """The rule for a user name: a distinctive one everywhere, `bench-wanda_2.log`; a full name with any separators."""
    if len(name) <= SHORT:
        return ScrubRule(USER, name.lower(), rf"(?<![.-]){BEFORE}{re.escape(name)}(?![\w-])")
    words = name.split()
    spelled = r"[\s._-]{1,3}".join(map(re.escape, words))
    return ScrubRule(USER, words[0].lower(), rf"(?i:{BEFORE.replace('_', '')}{spelled}(?![A-Za-z0-9]))")
