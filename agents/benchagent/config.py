"""Reads the agent's config file: the server, the targets for scheduled work, and declared facts of the hardware.

docs/agents.md describes the file.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from benchagent.inventory.declared import Declarations, read_declared
from benchagent.inventory.source import AnyPath, Source
from benchagent.system.other_users import why_unsafe
from benchagent.system.state_directory import state_directory
from benchagent.toml.converters import flag, list_of, text
from benchagent.toml.parser import parse_toml
from benchagent.toml.tables import TomlTable

from .errors import ConfigError

CONFIG = "BENCHAGENT_CONFIG"
SYSTEM_CONFIG = Path("/etc/benchagent/config.toml")
BY_ID = "/dev/disk/by-id/"


@dataclass(frozen=True)
class Config:
    """The settings; without a file, nothing is set, and scheduled work may use no target."""

    path: Path | None = None  # of the file; None if there is none
    server: str | None = None
    token_file: Path | None = None
    signing_key: Path | None = None  # of OpenSSH; a .pub file means that ssh-agent has the key
    machine_name: str | None = None
    work_dir: Path | None = None  # the directory for images
    directories: tuple[str, ...] = ()  # directories in which scheduled work may measure
    devices: tuple[str, ...] = ()  # devices, by id, that scheduled work may format
    wipe: tuple[str, ...] = ()  # those of `devices` whose content scheduled work may destroy
    images: bool = False  # whether scheduled work may create images in `work_dir`
    declared: Declarations = field(default_factory=Declarations)


def find() -> Path | None:
    """The config file: `$BENCHAGENT_CONFIG`, or in the state directory, or the system's; None if none exists.

    The file that `$BENCHAGENT_CONFIG` names need not exist. A file that this user cannot read counts, and is refused
    later, because its declared facts would be missing silently.
    """
    named = os.environ.get(CONFIG)
    if named:
        return Path(named)
    return next((path for path in (state_directory() / "config.toml", SYSTEM_CONFIG) if _is_there(path)), None)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True


def load(path: Path | None = None) -> Config:
    """The settings in `path`, else in the file of `find`. Raises ConfigError with every fault.

    Root takes the file of `find` only if no other user can have written it, because it allows devices to be formatted.
    """
    if path is None:
        path = find()
        if path is None:
            return Config()
        why = why_unsafe(path, own=True)
        if why is not None and path.is_file():  # anybody may write into /dev/null
            raise ConfigError(path, f"Root does not use it, because {why}.")
    try:
        return parse(path.read_text(encoding="utf-8"), path.absolute())
    except OSError as error:
        words = f"Cannot read it: {error.strerror}. {CONFIG} can name another file; /dev/null means none."
        raise ConfigError(path, words) from None
    except UnicodeDecodeError:
        raise ConfigError(path, "It is not UTF-8 text.") from None


def work_directory(named: Path | None) -> Path:
    """The directory for images: `named`, else that of the config file, else in the state directory."""
    return named or load().work_dir or state_directory() / "work"


def open_source(root: AnyPath = "/") -> Source:
    """The source of facts with the declarations of the config file, of this machine or of a recorded tree."""
    path = None if os.path.realpath(root) == "/" else Path(root, *SYSTEM_CONFIG.parts[1:])
    return Source(root) if path is not None and not _is_there(path) else Source(root, declared=load(path).declared)


def parse(source: str, path: Path) -> Config:
    """The settings in the TOML text `source` of the file `path`. Raises ConfigError with every fault."""
    try:
        fields = parse_toml(source)
    except ValueError as error:
        raise ConfigError(path, str(error)) from None
    faults: list[str] = []
    top = TomlTable(fields, "", faults)
    targets = TomlTable(top.read("targets", lambda value: value) or {}, "targets", faults)
    token_file = top.read("token_file", text)
    signing_key = top.read("signing_key", text)
    work_dir = top.read("work_dir", absolute)
    config = Config(
        path=path,
        server=top.read("server", address),
        token_file=path.parent / token_file if token_file else None,
        signing_key=path.parent / signing_key if signing_key else None,
        machine_name=top.read("machine_name", short),
        work_dir=Path(work_dir) if work_dir else None,
        directories=tuple(targets.read("directories", list_of(absolute)) or ()),
        devices=tuple(targets.read("devices", list_of(by_id)) or ()),
        wipe=tuple(targets.read("wipe", list_of(by_id)) or ()),
        images=targets.read("images", flag) or False,
        declared=read_declared(top.read("declare", lambda value: value), faults),
    )
    for device in config.wipe:
        if device not in config.devices:
            targets.fault("wipe", f"devices that targets.devices names; {device} is not among them")
    targets.refuse_others()
    top.refuse_others()
    if faults:
        raise ConfigError(path, "\n".join(faults))
    return config


def address(value: object) -> str:
    if isinstance(value, str) and value.startswith(("http://", "https://")):
        return value.rstrip("/")
    raise ValueError('an address such as "https://bench.example.org"')


def absolute(value: object) -> str:
    """An absolute path without `..`, which could lead out of the directory."""
    if isinstance(value, str) and value.startswith("/") and "\0" not in value and ".." not in value.split("/"):
        return os.path.normpath(value)
    raise ValueError('a path from the root without "..", such as "/srv/bench"')


def by_id(value: object) -> str:
    """A device by its id, which is permanent; /dev/sda may be another disk after the next boot."""
    rest = value[len(BY_ID) :] if isinstance(value, str) and value.startswith(BY_ID) else ""
    if isinstance(value, str) and rest and "/" not in rest and "\0" not in rest:
        return value
    raise ValueError(f'a device by its id, such as "{BY_ID}ata-MODEL_SERIAL"')


def short(value: object) -> str:
    if isinstance(value, str) and 0 < len(value.strip()) <= 100 and value.isprintable():
        return value.strip()
    raise ValueError("a name of at most 100 characters")
