"""Facts that a person declares because no program can see them: what is behind a RAID controller, its cache, DIMMs.

    [[declare.raid]]
    disk = "/dev/disk/by-id/scsi-…"     # which disk of this machine it is: by its id, or by its model
    level = "raid6"

A table that may be there several times may be written `[declare.raid]` where it is there once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchagent.toml.converters import Converter, count, flag
from benchagent.toml.quantities import parse_size
from benchagent.toml.tables import TomlTable

from .facts import Facts, clean


def word(value: object) -> str:
    """One line of text, at most 200 characters."""
    cleaned = clean(value) if isinstance(value, str) else None
    if cleaned is None or cleaned != value:
        raise ValueError("a text of 1 to 200 characters, without blanks around it")
    return cleaned


def transfers(value: object) -> int:
    """`3200` or `"3200 MT/s"`, as shops and dmidecode write it; in transfers a second."""
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
# What can be declared, and what each fact must look like.
KINDS: Mapping[str, Mapping[str, Converter]] = {
    "cpu": {"model": word, "vendor": word, "sockets": count, "cores": count},
    "virtualization": {"kind": word},
    "memory_module": {"count": count, "size": parse_size, "type": word, "transfer_rate": transfers},
    "controller": {"model": word, "driver": word, "firmware": word, "cache": parse_size, "cache_mode": word},
    "disk": DISK,
    "raid": {"level": word, "chunk": parse_size, "layout": word, "members": count},
}
# How a table says which thing of the machine it is about: a disk by its id or model, a controller by its address.
SELECTORS = {"controller": "name", "disk": "disk", "raid": "disk"}


@dataclass(frozen=True)
class Claim:
    """One table: where it stands in the file, what it is about, what it says. `override`: it wins over detection."""

    place: str = field(compare=False)
    about: str | None
    facts: Facts = field(hash=False)
    override: bool = False
    members: Facts = field(default_factory=dict, hash=False)  # of raid: what its disks are like


@dataclass(frozen=True)
class Declared:
    """All that is declared: kind to claims, in the file's order."""

    claims: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict, hash=False)

    def of(self, kind: str) -> tuple[Claim, ...]:
        return self.claims.get(kind, ())


def read_declared(fields: Any, faults: list[str]) -> Declared:
    """The table `declare` of a config file, None where there is none. Every fault is added to `faults`."""
    top = TomlTable({} if fields is None else fields, "declare", faults)
    claims = {kind: tuple(_claim(table, kind) for table in _tables(top, kind)) for kind in KINDS}
    top.refuse_others()
    return Declared({kind: found for kind, found in claims.items() if found})


def _tables(parent: TomlTable, key: str) -> list[TomlTable]:
    """The tables of `[[key]]`, or the one of `[key]`."""
    found = parent.read(key, lambda value: value)
    if found is None:
        return []
    if not isinstance(found, list):
        return [TomlTable(found, f"{parent.place}.{key}", parent.faults)]
    return [TomlTable(item, f"{parent.place}.{key}[{index}]", parent.faults) for index, item in enumerate(found)]


def _claim(table: TomlTable, kind: str) -> Claim:
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
    return Claim(table.place, about, dict(facts), override, members)


def to_toml(declared: Declared) -> str:
    """What `read_declared` reads, as the text of a config file."""
    return "\n".join(
        line for kind, claims in declared.claims.items() for claim in claims for line in _lines(kind, claim)
    )


def _lines(kind: str, claim: Claim) -> Iterator[str]:
    yield f"[[declare.{kind}]]"
    about = {SELECTORS[kind]: claim.about} if claim.about is not None else {}
    override = {"override": True} if claim.override else {}
    for key, value in {**about, **claim.facts, **override}.items():
        yield f"{key} = {_value(key, value)}"
    if claim.members:
        yield f"[declare.{kind}.disks]"
        yield from (f"{key} = {_value(key, value)}" for key, value in claim.members.items())


def _value(key: str, value: object) -> str:
    """JSON writes numbers, truth and texts as TOML does."""
    if key == "transfer_rate" and isinstance(value, int):
        value = f"{value // 1_000_000} MT/s"
    return json.dumps(value, ensure_ascii=False)
