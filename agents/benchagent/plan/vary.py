"""`vary`: one table that stands for many, one for each combination of its alternatives."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any

from benchagent.toml.converters import NAME, a_table
from benchagent.toml.tables import TomlTable

DEFAULT = "default"  # the alternative that adds nothing to the name
# A name would be given twice; the others decide what may stand beside them. A list of file systems needs no vary.
FIXED = ("name", "kind", "tool", "file_system", "vary")
MOST_FAULTS = 1000  # then no more combinations are read; each would bring the same again
Choice = tuple[str, Any]  # an alternative's name and its value


def expanded(tables: Iterable[TomlTable], most: int) -> Iterator[TomlTable]:
    """Every table, one with `vary` once for each combination; no more than `most` of them together."""
    count = 0
    for table in tables:
        choices = _choices(table)
        number = math.prod(len(each) for each in choices.values())
        count += number
        if count > most:
            table.fault("vary", f"no more than {most} combinations in the plan; these make {count} so far")
            return
        fields = {key: value for key, value in table.fields.items() if key != "vary"}
        for combination in itertools.product(*choices.values()):
            if len(table.faults) > MOST_FAULTS:
                return
            chosen = dict(zip(choices, combination))
            values = {key: value for key, (_, value) in chosen.items()}
            names = {key: name for key, (name, _) in chosen.items()}
            yield TomlTable({**fields, **values}, table.place, table.faults, names)


def full_name(table: TomlTable, base: str) -> str:
    """The base name and the names of the alternatives, in the order in which the plan has them."""
    found = "-".join([base, *(name for name in table.varied.values() if name != DEFAULT)])
    if not NAME.fullmatch(found):
        table.fault("vary", f"shorter names of the alternatives; {found!r} has more than 64 characters")
    return found


def _choices(table: TomlTable) -> dict[str, list[Choice]]:
    """The alternatives of each varied field that has any that can be read."""
    vary = table.read("vary", a_table) or {}
    found = {}
    for key in vary:
        place = TomlTable(vary, f"{table.place}.vary", table.faults)
        if key in FIXED:
            place.fault(key, f"any field but {', '.join(FIXED)}")
        elif key in table.fields:
            place.fault(key, f"{key} in the table itself or under vary, not in both")
        else:
            choices = place.read(key, _alternatives(key))
            if choices:
                found[key] = choices
    return found


def _alternatives(key: str) -> Any:
    def convert(value: object) -> list[Choice]:
        if isinstance(value, dict) and value:
            found = list(value.items())
        elif isinstance(value, list) and value and all(isinstance(each, (str, int, float)) for each in value):
            found = [(f"{key}-{_written(each)}", each) for each in value]
        else:
            raise ValueError("a list of texts and numbers, or a table of NAME = value")
        for name, _ in found:
            if not NAME.fullmatch(name):
                raise ValueError(f"a table of NAME = value, because {name[:80]!r} cannot be part of a point's id")
        return found

    return convert


def _written(value: str | float) -> str:
    """A value as part of a name: `8 MiB` is `8MiB`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 2**63:
        return "∞"  # no name, and no value of any field; Python would not write it
    return "".join(str(value).split())
