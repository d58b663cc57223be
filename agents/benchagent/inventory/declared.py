"""Facts that a person declares because no program can see them: disks behind a RAID controller, its cache, DIMMs.

    [[declare.raid]]
    disk = "/dev/disk/by-id/scsi-…"     # the disk of this machine: its id or its model
    level = "raid6"

A table that may occur several times may be written `[declare.raid]` if it occurs once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from benchagent.toml.converters import count, flag
from benchagent.toml.quantities import parse_size
from benchagent.toml.tables import Converter, TomlTable

from .facts import Facts, clean


def word(value: object) -> str:
    """One line of text, at most 200 characters."""
    cleaned = clean(value) if isinstance(value, str) else None
    if cleaned is None or cleaned != value:
        raise ValueError("a text of 1 to 200 characters, without blanks around it")
    return cleaned


def transfers(value: object) -> int:
    """Transfers per second, from `3200` or `"3200 MT/s"` as shops and dmidecode write it."""
    digits = value.partition(" MT/s")[0] if isinstance(value, str) else value
    if isinstance(digits, str) and digits.isdecimal():
        digits = int(digits)
    if isinstance(digits, int) and not isinstance(digits, bool) and 0 < digits < 1_000_000:
        return digits * 1_000_000
    raise ValueError('millions of transfers a second, such as "3200 MT/s"')


DISK: Mapping[str, Converter] = {
    "vendor": word,
    "model": word,
    "firmware": word,
    "size": parse_size,
    "rotational": flag,
    "transport": word,
    "write_cache": word,
    "queue_depth": count,
}
# The kinds of declarations, and the converter of each fact.
KINDS: Mapping[str, Mapping[str, Converter]] = {
    "cpu": {"model": word, "vendor": word, "sockets": count, "cores": count},
    "virtualization": {"kind": word},
    "memory_module": {"count": count, "size": parse_size, "type": word, "transfer_rate": transfers},
    "controller": {"model": word, "driver": word, "firmware": word, "cache": parse_size, "cache_mode": word},
    "disk": DISK,
    "raid": {"level": word, "chunk": parse_size, "layout": word, "members": count},
}
# The key that selects the component of the machine: a disk by its id or model, a controller by its address.
SELECTORS = {"controller": "name", "disk": "disk", "raid": "disk"}


@dataclass(frozen=True)
class Declaration:
    """One table: its position in the file, the component it is about, and its facts.

    With `override`, the facts replace detected ones.
    """

    position: str = field(compare=False)
    about: str | None
    facts: Facts = field(hash=False)
    override: bool = False
    members: Facts = field(default_factory=dict, hash=False)  # of a RAID array: the facts of its disks


@dataclass(frozen=True)
class Declarations:
    """All declarations by kind, in the order of the file."""

    by_kind: Mapping[str, tuple[Declaration, ...]] = field(default_factory=dict, hash=False)

    def of(self, kind: str) -> tuple[Declaration, ...]:
        return self.by_kind.get(kind, ())


def read_declared(fields: object, faults: list[str]) -> Declarations:
    """Read the table `declare` of a config file, or None if there is none. Appends every fault to `faults`."""
    top = TomlTable({} if fields is None else fields, "declare", faults)
    by_kind = {kind: tuple(_declaration(table, kind) for table in _tables(top, kind)) for kind in KINDS}
    top.refuse_others()
    return Declarations({kind: declarations for kind, declarations in by_kind.items() if declarations})


def _tables(parent: TomlTable, key: str) -> list[TomlTable]:
    """The tables of `[[key]]`, or the one of `[key]`."""
    value = parent.read(key, lambda value: value)
    if value is None:
        return []
    if not isinstance(value, list):
        return [TomlTable(value, f"{parent.position}.{key}", parent.faults)]
    return [TomlTable(item, f"{parent.position}.{key}[{index}]", parent.faults) for index, item in enumerate(value)]


def _declaration(table: TomlTable, kind: str) -> Declaration:
    about = table.read(SELECTORS[kind], word) if kind in SELECTORS else None
    if kind in ("disk", "raid"):
        table.require("disk")
    facts = table.read_all(KINDS[kind])
    override = table.read("override", flag) or False
    members: Facts = {}
    if kind == "raid":
        for inner in _tables(table, "disks"):
            members = dict(inner.read_all(DISK))
            inner.refuse_others()
    table.refuse_others()
    return Declaration(table.position, about, dict(facts), override, members)


def to_toml(declared: Declarations) -> str:
    """The declarations as TOML text, which `read_declared` reads."""
    return "\n".join(
        line
        for kind, declarations in declared.by_kind.items()
        for declaration in declarations
        for line in _lines(kind, declaration)
    )


def _lines(kind: str, declaration: Declaration) -> Iterator[str]:
    yield f"[[declare.{kind}]]"
    about = {SELECTORS[kind]: declaration.about} if declaration.about is not None else {}
    override = {"override": True} if declaration.override else {}
    for key, value in {**about, **declaration.facts, **override}.items():
        yield f"{key} = {_value(key, value)}"
    if declaration.members:
        yield f"[declare.{kind}.disks]"
        yield from (f"{key} = {_value(key, value)}" for key, value in declaration.members.items())


def _value(key: str, value: object) -> str:
    """A TOML value; JSON has the same form for numbers, booleans and texts."""
    if key == "transfer_rate" and isinstance(value, int):
        value = f"{value // 1_000_000} MT/s"
    return json.dumps(value, ensure_ascii=False)
