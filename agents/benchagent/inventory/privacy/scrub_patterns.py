"""Patterns of texts that identify people or machines by their form, and of the characters before a name."""

from __future__ import annotations

from typing import NamedTuple

HOST, USER, HOME, MAC, SERIAL = "<host>", "<user>", "<home>", "<mac>", "<serial>"
ADDRESS, EMAIL, UUID = "<address>", "<e-mail>", "<uuid>"


class ScrubRule(NamedTuple):
    """A pattern to replace by `placeholder`.

    Only texts with `needle` (lower case) can match, so most need no search.
    """

    placeholder: str
    needle: str
    pattern: str


# Sequences that end with a letter or digit without being part of the following word: escaped characters of JSON, udev,
# the kernel's log and /proc/mounts, percent encoding, and colours of terminals.
_ESCAPES = (
    r"\\[abefnrtv]",
    r"\\x[0-9A-Fa-f]{2}",
    r"\\[0-7]{3}",
    r"\\u[0-9A-Fa-f]{4}",
    r"%[0-9A-Fa-f]{2}",
    r"\[\dm",
    r"[\[;]\d\dm",
    r";\dm",
)
_AFTER_ESCAPE = "|".join(f"(?<={each})" for each in _ESCAPES)
BEFORE = rf"(?:(?<![A-Za-z0-9_])|{_AFTER_ESCAPE})"

# The contexts in which digits are certainly a serial number: after the word, or in /dev/disk/by-id/ata-MODEL_SERIAL.
AFTER_SERIAL = (
    r"(?:(?<=[A-Za-z0-9]_)|(?i:(?<=serial )|(?<=serial: )|(?<=serial=)|(?<=serialnumber: )|(?<=serial number: )))"
)
# Six pairs of digits; eight for world-wide names and FireWire, twenty for InfiniBand.
ANY_MAC = r"(?<![0-9A-Fa-f:])(?:[0-9A-Fa-f]{2}:){5,19}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])"

_BYTE = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
# Versions of drivers and firmware may have four numbers as well.
_NO_VERSION = "".join(
    rf"(?<!\b{word}{sign})" for word in ("version", "ver", "firmware", "fw", "v") for sign in (" ", ": ", "")
)
# Neither the loopback addresses 127.…, nor 0.0.0.0, nor network masks.
_IPV4 = rf"(?i:{_NO_VERSION})(?<![.]){BEFORE}(?!127\.|0\.|255\.)(?:{_BYTE}\.){{3}}{_BYTE}(?!\.?\w)"
_GROUP = "[0-9A-Fa-f]{1,4}"
_GROUPS = rf"{_GROUP}(?::{_GROUP}){{0,6}}"
_IPV6_END = r"(?:\.\d{1,3}){0,3}(?:%[\w.-]+)?(?![\w:])"
_IPV6_SHORT = rf"(?<![:.]){BEFORE}(?!::1(?![\w:]))(?:{_GROUPS}::(?:{_GROUPS})?|::{_GROUPS}){_IPV6_END}"
_IPV6_FULL = rf"(?<![:.]){BEFORE}(?:{_GROUP}:){{7}}{_GROUP}{_IPV6_END}"

# Applied to every text, after the known names.
GENERAL: tuple[ScrubRule, ...] = (
    ScrubRule(EMAIL, "@", r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    ScrubRule(HOME, "/home/", r"/home/[^/\s:,;\"'\\<>|*?()\[\]{}=]+"),
    ScrubRule(UUID, "-", r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![0-9A-Fa-f])"),
    ScrubRule(ADDRESS, "::", _IPV6_SHORT),
    ScrubRule(ADDRESS, ":", _IPV6_FULL),
    ScrubRule(ADDRESS, ".", _IPV4),
)
