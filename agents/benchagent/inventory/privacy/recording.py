"""Records a machine as a tree that `Source` reads, without private facts, so that any hardware can be a test case.

The tree contains only the files and outputs that the inventory reads.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote, unquote

from benchagent.inventory.declared import to_toml
from benchagent.inventory.environment import environment
from benchagent.inventory.facts import Facts
from benchagent.inventory.mounts import parse_mountinfo
from benchagent.inventory.source import PathFacts, Source, command_name
from benchagent.inventory.storage.network import NETWORK
from benchagent.inventory.target import target
from benchagent.system.other_users import refuse_unsafe

from .private_names import scrubber, serial_numbers
from .scrub import HOME, HOST, MAC, SERIAL, USER

PATHS = "/paths.json"
DECLARED = "/etc/benchagent/config.toml"


class Recorder(Source):
    """A running or recorded machine as a source that records every access."""

    def __init__(self, source: Source) -> None:
        super().__init__(source.root, declared=source.declared)
        self.files: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.directories: set[str] = set()
        self.paths: dict[str, PathFacts] = {}

    def text(self, path: str) -> str | None:
        content = super().text(path)
        if content is not None:
            self.files[self._real(path)] = content
        return content

    def names(self, path: str) -> list[str]:
        names = super().names(path)
        for name in names:
            self._note(f"{self._real(path)}/{name}")
        return names

    def exists(self, path: str) -> bool:
        exists = super().exists(path)
        if exists:
            self._note(path)
        return exists

    def resolve(self, path: str) -> str:
        self._real(path)
        return super().resolve(path)

    def path(self, path: str) -> PathFacts | None:
        facts = super().path(path)
        if facts is not None:
            self.paths[path] = facts
        return facts

    def output(self, *command: str, accept: Iterable[int] = (0,)) -> str | None:
        output = super().output(*command, accept=accept)
        if output is not None:
            self.files["/commands/" + command_name(command)] = output
        return output

    def _note(self, path: str) -> None:
        real = self._real(path)
        if os.path.isdir(self._place(real)):
            self.directories.add(real)
        elif os.path.exists(self._place(real)):
            self.files.setdefault(real, "")

    def _real(self, path: str) -> str:
        """The path without links; records each link on the way except /proc/self, which differs by process."""
        current = "/"
        for component in path.strip("/").split("/"):
            step = os.path.join(current, component)
            if os.path.islink(self._place(step)) and step != "/proc/self":
                current = super().resolve(step)
                self.links[step] = os.path.relpath(current, os.path.dirname(step))
            else:
                current = step
        return current


def record(source: Source, paths: Iterable[str], directory: Path) -> dict[str, str]:
    """Record the machine and the targets of `paths` into `directory`, which must be empty or not exist.

    Returns the name of each path in the tree. Raises FileNotFoundError if a path does not exist, OSError if the
    directory cannot be written, UnsafeDirectory if this user is root and others can replace it.
    """
    recorder = Recorder(source)
    environment(recorder, _as_it_is)
    for path in paths:
        target(path, recorder, _as_it_is)
    anonymous = Anonymous(source)
    RecordedTree(directory, anonymous).make(recorder)
    return {path: anonymous.text(source.resolve(path)) for path in paths}


def _as_it_is(text: str) -> str:
    return text


class RecordedTree:
    """Writes the recorded files; names and texts all pass through `Anonymous`, so that they stay consistent."""

    def __init__(self, directory: Path, anonymous: Anonymous) -> None:
        self._directory, self._anonymous = directory, anonymous

    def make(self, recorder: Recorder) -> None:
        refuse_unsafe(self._directory, own=True)
        self._directory.mkdir(parents=True, exist_ok=True)
        refuse_unsafe(self._directory, own=True)
        for path in sorted(recorder.directories):
            self._place(path + "/").mkdir(parents=True, exist_ok=True)
        for path, content in sorted(recorder.files.items()):
            if path == PATHS:
                continue  # that of the source tree; the new one has the recorded paths
            public = self._anonymous.file(path, content, list(recorder.paths))
            if public is not None:
                self._place(path).write_text(public, encoding="utf-8")
        for path, leads_to in sorted(recorder.links.items()):
            self._place(path).symlink_to(self._anonymous.text(leads_to))
        facts: Facts = {self._anonymous.text(path): status._asdict() for path, status in recorder.paths.items()}
        self._place(PATHS).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        if recorder.declared is not None and recorder.declared.by_kind:
            text = self._anonymous.text(to_toml(recorder.declared))
            self._place(DECLARED).write_text(text, encoding="utf-8")

    def _place(self, path: str) -> Path:
        place = self._directory / self._anonymous.name(path).strip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        return place


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
