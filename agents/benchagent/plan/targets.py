"""Reads the targets of a plan: the fields of a [[targets]] table of each kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from benchagent.filesystems import planned
from benchagent.toml.converters import any_size, count, flag, name, one_of, options, set_of, text
from benchagent.toml.quantities import parse_size
from benchagent.toml.tables import Parameters, TomlTable
from benchagent.tools.fsload.options import AGE

from .model import KINDS, Target
from .vary import full_name

_BY_ID = re.compile(r"/dev/disk/by-id/[A-Za-z0-9][A-Za-z0-9_.:+@=-]*")


def read_targets(table: TomlTable) -> Iterator[Target]:
    """The targets of one [[targets]] table: one for each file system in its list."""
    table.require("kind")
    kind = table.read("kind", one_of(KINDS))
    base = table.read("name", name)
    if kind == "directory":
        path = table.read("path", text)
        yield _tuned(Target(full_name(table, base or "directory"), kind, path=path), table)
    elif kind is not None:
        table.require("file_system")
        types = table.read("file_system", set_of(one_of(planned()))) or []
        target = _with_options(Target("", kind), table)
        target = _image(target, table) if kind == "image" else _device(target, table)
        for type_ in types:
            own_name = base if base is None or len(types) == 1 else f"{base}-{type_}"
            yield replace(target, name=full_name(table, own_name or type_), file_system=type_)
    if kind is not None:
        table.refuse_others()


def _with_options(target: Target, table: TomlTable) -> Target:
    """The target with the fields that images and devices share."""
    with_options = replace(
        target,
        mkfs_options=tuple(table.read("mkfs_options", options) or ()),
        mount_options=tuple(table.read("mount_options", options) or ()),
        tune2fs=tuple(table.read("tune2fs", options) or ()),
    )
    return _tuned(with_options, table)


def _tuned(target: Target, table: TomlTable) -> Target:
    """The target with the fields that every kind has."""
    return replace(
        target,
        read_ahead=table.read("read_ahead", _kibibytes),
        scheduler=table.read("scheduler", name),
        nr_requests=table.read("nr_requests", count),
    )


def _image(target: Target, table: TomlTable) -> Target:
    table.require("size")
    return replace(
        target,
        size=table.read("size", parse_size) or 0,
        sparse=table.read("sparse", flag) is not False,
        direct_io=table.read("direct_io", flag) is True,
        age=_age(table),
    )


def _device(target: Target, table: TomlTable) -> Target:
    table.require("path")
    return replace(target, path=table.read("path", _by_id), wipe=table.read("wipe", flag) is True)


def _age(table: TomlTable) -> Parameters | None:
    if "age" not in table.fields:
        return None
    position = ".".join((table.position, *(["vary"] if "age" in table.varied else []), "age"))
    age = TomlTable(table.read("age", lambda value: value), position, table.faults)
    parameters = age.read_all(AGE)
    age.refuse_others()
    return parameters


def _by_id(value: object) -> str:
    """A name that stays with the device; `/dev/sdb` may be another disk after the next start."""
    if isinstance(value, str) and _BY_ID.fullmatch(value):
        return value
    raise ValueError("a stable name, /dev/disk/by-id/…")


def _kibibytes(value: object) -> int:
    size = any_size(value)
    if size % 1024:
        raise ValueError("a whole number of KiB, the kernel's unit, or 0")
    return size
