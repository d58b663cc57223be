"""The two sides of a gate: what differs between them on this machine, and how they are judged. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchagent.filesystems import planned
from benchagent.formats.vocabulary import METRICS
from benchagent.toml.converters import a_table, any_size, count, flag, list_of, name, one_of, options, set_of, text
from benchagent.toml.quantities import parse_ratio, parse_size
from benchagent.toml.tables import Parameters, TomlTable
from benchagent.tools import TOOLS
from benchagent.tools.fsload.options import AGE

from .model import KINDS, ORDER_OF_SIDES, Gate, GateSide, KernelModule, Plan, Target
from .vary import full_name

# Fields of every target that a side may replace; others would make it another target.
OF_TARGETS = ("mkfs_options", "mount_options", "tune2fs", "read_ahead", "scheduler", "nr_requests")
SIDES = 2
FEWEST_ROUNDS = 16  # with fewer no difference among thirty tests can be called (docs/statistics.md)
ROUNDS, FIRST_LOOK = 40, 8
SMALLEST_FIRST_LOOK = 4
MOST_LOOKS = 20  # that the server takes
# Programs that a side can replace. fsload is built by the agent itself.
PROGRAMS = sorted(
    {tool.program for tool in TOOLS.values()} - {"fsload"}
    | {f"mkfs.{type_}" for type_ in planned()}
    | {"mount", "tune2fs"}
)


@dataclass(frozen=True)
class SidesInFile:
    """The sides of a plan, and the fields of the targets that each replaces. None of them in a plan without sides."""

    sides: tuple[GateSide, ...]
    fields: tuple[dict[str, object], ...]


def read_sides(table: TomlTable) -> SidesInFile:
    """The tables `[sides.NAME]` of a plan. Faults are added to the table."""
    by_name = table.read("sides", a_table)
    if by_name is None:
        return SidesInFile((), ())
    if len(by_name) != SIDES:
        table.fault("sides", "two tables, [sides.OLD] and [sides.NEW]; the first one is the baseline")
    tables = [TomlTable(fields, f"sides.{side}", table.faults) for side, fields in by_name.items()]
    sides = tuple(_side(side, of_side) for side, of_side in zip(by_name, tables))
    fields = tuple({key: of_side.fields[key] for key in OF_TARGETS if key in of_side.fields} for of_side in tables)
    for of_side in tables:
        for key in OF_TARGETS:
            of_side.read(key, lambda value: value)  # read with each target
        of_side.refuse_others()
    _refuse_lasting_modules(sides, table)
    return SidesInFile(sides, fields)


def targets_of(table: TomlTable, found: SidesInFile) -> Iterator[Target]:
    """The targets of a [[targets]] table; of a plan with sides one for each side, named TARGET-SIDE."""
    if not found.sides:
        yield from read_targets(table)
    for side, fields in zip(found.sides, found.fields):
        of_side = TomlTable({**table.fields, **fields}, table.position, table.faults, table.varied)
        for target in read_targets(of_side):
            longer = f"{target.name}-{side.name}"
            try:
                yield replace(target, name=name(longer), side=side)
            except ValueError:
                table.fault("name", f"a shorter name; {longer!r} has more than 64 characters")


def read_gate(table: TomlTable, found: SidesInFile, plan: Plan) -> Gate | None:
    """How the sides are judged: the fields `margin` and `metrics`. None for a plan without sides."""
    margin, metrics = table.read("margin", parse_ratio), table.read("metrics", set_of(one_of(tuple(METRICS))))
    if not found.sides:
        for key in ("margin", "metrics"):
            if key in table.fields:
                table.fault(key, "no such field in a plan without [sides.…]")
        return None
    if plan.order != ORDER_OF_SIDES:
        table.fault("order", f"{ORDER_OF_SIDES} where there are sides; a disturbance can have the period of another")
    if plan.precision is not None:
        table.fault("precision", "no precision beside [sides.…]: verdicts end the rounds")
    gate = Gate(margin or Gate.margin, tuple(metrics or ()))
    if plan.rounds is not None and plan.rounds < FEWEST_ROUNDS:
        table.fault("rounds", f"at least {FEWEST_ROUNDS} where there are sides; fewer cannot show a difference")
    if plan.min_rounds < SMALLEST_FIRST_LOOK:
        table.fault("min_rounds", f"at least {SMALLEST_FIRST_LOOK} where there are sides")
    if plan.rounds is not None and -(-plan.rounds // max(plan.min_rounds, 1)) > MOST_LOOKS:
        table.fault("min_rounds", f"more, so that there are at most {MOST_LOOKS} looks in {plan.rounds} rounds")
    return gate


def _side(side: str, table: TomlTable) -> GateSide:
    try:
        name(side)
    except ValueError as error:
        table.fault("", str(error))
    programs = table.read("programs", a_table) or {}
    of_programs = TomlTable(programs, f"{table.position}.programs", table.faults)
    found = {program: of_programs.read(program, _path) for program in PROGRAMS}
    of_programs.refuse_others()
    modules = table.read("modules", a_table) or {}
    return GateSide(
        name=side,
        programs=tuple((program, path) for program, path in found.items() if path is not None),
        modules=tuple(_module(module, fields, table) for module, fields in modules.items()),
        setup=table.read("setup", text),
        undo=table.read("undo", text),
    )


def _module(module: str, fields: object, side: TomlTable) -> KernelModule:
    table = TomlTable(fields, f"{side.position}.modules.{module}", side.faults)
    try:
        name(module)
    except ValueError as error:
        table.fault("", str(error))
    found = KernelModule(module, table.read("file", _path), tuple(table.read("parameters", list_of(text)) or ()))
    table.refuse_others()
    return found


def _refuse_lasting_modules(sides: tuple[GateSide, ...], table: TomlTable) -> None:
    """A module that one side loads would stay for the other one if that did not load its own."""
    names = [{module.name for module in side.modules} for side in sides]
    for module in sorted({module for own in names for module in own if any(module not in each for each in names)}):
        table.fault("sides", f"the module {module} in both sides; a table without fields is the installed one")


def _path(value: object) -> str:
    if isinstance(value, str) and value.startswith("/") and "\0" not in value:
        return value
    raise ValueError("an absolute path")


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
