"""Replaces the names of machines, people and disks in a recorded tree; each name has one stand-in in the whole tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote, unquote

from benchagent.inventory.mounts import parse_mountinfo
from benchagent.inventory.source import Source
from benchagent.inventory.storage.network import NETWORK

from .private_names import scrubber, serial_numbers
from .scrub import HOME, HOST, MAC, SERIAL, USER

UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[0-9a-f]{32}\b", re.IGNORECASE)
BY_ID = re.compile(r"(?<=/dev/disk/by-id/)[^\s\"',/]+")
LONG_NUMBER = re.compile(r"(?:0x)?([0-9a-f]{16,})", re.IGNORECASE)  # a world-wide name, which others begin with a digit
STAND_INS = {HOST: "host-{}", USER: "user-{}", HOME: "/home/user-{}", MAC: "02:00:00:00:00:{:02}", SERIAL: "serial-{}"}
# Lines of commands and of udev's database that contain only private facts.
PRIVATE_LINE = re.compile(
    r"(?i)\s*(?:(?:serial number|asset tag|part number|[a-z ]*uuid|filesystem volume name|last mounted on):"
    r"|(?:guid|comment|objsetid|mountpoint|[a-z0-9.-]+:[a-z0-9.-]+)\t)"
)
KEPT_OF_UDEV = re.compile(r"E:(?:ID_MODEL_ENC|MEMORY_DEVICE_\d+_(?:SIZE|TYPE|SPEED_MTS|CONFIGURED_SPEED_MTS|PRESENT))=")
DM_MAKER = re.compile(r"(?:part\d+-)?[A-Za-z]+(?:-(?:LUKS\d|PLAIN|VERITY|BITLK|TCRYPT)(?=-))?")
ADDRESS = re.compile(r"\b((?:client|mount)?addr|source|username|user|domain)=[^,\s]+")


class Anonymous:
    """Replaces private names in texts, file names and file contents."""

    def __init__(self, source: Source) -> None:
        self._rules = scrubber(source).numbered(STAND_INS)
        longest = sorted((match[1] for match in map(LONG_NUMBER.fullmatch, serial_numbers(source)) if match), key=len)
        self._numbers = {number: f"{index:0{len(number)}x}" for index, number in enumerate(reversed(longest), 1)}
        self._uuids: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._servers: dict[str, str] = {}

    def text(self, text: str) -> str:
        text = BY_ID.sub(lambda match: _stand_in(self._ids, match[0], "disk-{}".format), text)
        text = UUID.sub(lambda match: _stand_in(self._uuids, match[0].lower(), _uuid(match[0])), text)
        for number, stand_in in self._numbers.items():
            text = text.replace(number, stand_in)
        return self._rules.scrub(text)

    def name(self, path: str) -> str:
        """The path of a file in the tree; those of command outputs are percent-encoded."""
        if path.startswith("/commands/"):
            return "/commands/" + quote(self.text(unquote(path[len("/commands/") :])), safe=" -=+,:@._")
        return self.text(path)

    def file(self, path: str, content: str, paths: list[str]) -> str | None:
        """The content of a recorded file without private names; None to omit the file."""
        if path.endswith("/mountinfo"):
            return self._mounts(content, paths)
        if path.startswith("/run/udev/data/"):
            content = "".join(line for line in content.splitlines(True) if KEPT_OF_UDEV.match(line))
        elif path.startswith("/commands/"):
            content = "".join(line for line in content.splitlines(True) if not PRIVATE_LINE.match(line))
        elif path.endswith("/dm/uuid"):
            maker = DM_MAKER.match(content)
            content = f"{maker[0]}-x\n" if maker else ""
        elif path.endswith("/dm/name"):
            content = ""
        return self.text(content)

    def _mounts(self, content: str, paths: list[str]) -> str:
        """The mounts above the recorded paths, and those of control groups; servers are numbered."""
        lines = []
        for line in content.splitlines():
            for mount in parse_mountinfo(line):
                on_the_way = any(f"{path}/".startswith(f"{mount.point.rstrip('/')}/") for path in paths)
                if not on_the_way and not mount.type.startswith("cgroup"):
                    continue
                if NETWORK.fullmatch(mount.type):
                    left, _, right = line.partition(" - ")
                    kind, server, options = right.split(" ", 2)
                    stand_in = _stand_in(self._servers, server, "server-{}:/share".format)
                    line = f"{left} - {kind} {stand_in} " + ADDRESS.sub(r"\1=192.0.2.1", options)
                lines.append(self.text(line))
        return "".join(f"{line}\n" for line in lines)


def _stand_in(stand_ins: dict[str, str], name: str, make: Callable[[int], str]) -> str:
    return stand_ins.setdefault(name, make(len(stand_ins) + 1))


def _uuid(like: str) -> Callable[[int], str]:
    """A number in the shape of a UUID, with hyphens or without."""
    hyphens = "-" in like
    return lambda number: f"00000000-0000-4000-8000-{number:012x}" if hyphens else f"{number:032x}"
